import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../test/support/process.ts';
import { expectError, expectInvalid, make, queueOf } from '../../../test/support/records.ts';
import { type Answer, type Client, type Service, testService } from '../../../test/support/service.ts';
import { days } from '../../clock.ts';
import { sql } from '../../db/sql.ts';
import { formatId, parseId } from '../../ids.ts';
import { testAccountOf } from '../../test-mode/test-accounts.ts';
import { lockImports } from '../imports.store.ts';
import { importNextFile } from './importer.ts';
import { claimImport } from './queue.store.ts';
import { forgetOldImports } from './queue.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const work = (signal = new AbortController().signal) => importNextFile(service.app, signal);
const workOff = async () => {
  while (await work());
};

const properties = 'Name,City\nMaple Court,Portland\nOak House,Salem\n';
const units = 'Property,Unit,Market rent\nMaple Court,1A,"1,250.00"\nElm House,2,900\n';

async function sent(client: Client, body: object, headers = {}): Promise<{ id: string; uuid: string }> {
  const answer = await client.post('/imports', body, headers);
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body.data).toMatchObject({ state: 'queued', rows_done: 0, create: 0, errors: [] });
  expect(answer.headers.get('location')).toBe(`/api/v1/imports/${answer.body.data.id}`);
  return { id: answer.body.data.id, uuid: parseId('imp', answer.body.data.id) ?? '' };
}

async function read(client: Client, id: string) {
  const answer = await client.get(`/imports/${id}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

async function sendForm(
  client: Client,
  fields: Record<string, string | File>,
  headers = {},
): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const encoded = new Response(form);
  return service.request('POST', '/imports', {
    key: client.key,
    raw: new Uint8Array(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '', ...headers },
  });
}

test('a file is tried, then imported, and its import says what happened', async () => {
  const client = await service.client();
  const trial = await sent(client, { kind: 'properties', file: properties, dry_run: true });
  await workOff();
  expect(await read(client, trial.id)).toMatchObject({
    state: 'valid',
    dry_run: true,
    file: 'properties.csv',
    rows_done: 2,
    rows: 2,
    create: 2,
    columns: [
      { header: 'Name', field: 'name' },
      { header: 'City', field: 'city' },
    ],
    actor: { type: 'key', name: 'test' },
    error: null,
  });
  expect((await client.get('/properties')).body.count).toBe(0);

  const real = await sent(client, { kind: 'properties', file: properties });
  await workOff();
  expect(await read(client, real.id)).toMatchObject({ state: 'applied', create: 2, rejected: 0 });
  const found = await client.get('/properties');
  expect(found.body.data.map(({ name }: { name: string }) => name).sort()).toEqual([
    'Maple Court',
    'Oak House',
  ]);
  const history = await client.get(`/properties/${found.body.data[0].id}/history`);
  const { id: key } = (await client.get('/account')).body.data.key;
  expect(history.body.data[0].actor).toEqual({ type: 'import', id: key, name: 'test' });
  const list = await client.get('/imports');
  expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([real.id, trial.id]);
  expect((await client.get('/audit-log?action=import.applied')).body.count).toBe(1);
});

test('in test mode an import has the times of the test clock', async () => {
  const { accountId } = await service.client();
  const test = await testAccountOf(service.app.db, accountId, service.app.now());
  const client = await service.client({ accountId: test.accountId });
  const to = new Date(Date.now() + days(40)).toISOString();
  expect((await client.post('/test/clock/advance', { to })).status).toBe(200);
  const { id } = await sent(client, { kind: 'properties', file: properties });
  await workOff();
  const { created_at, started_at, finished_at } = await read(client, id);
  expect([created_at, started_at, finished_at].sort()).toEqual([created_at, started_at, finished_at]);
  expect(created_at >= to).toBe(true);
});

test('rows with errors are left out, and can be downloaded to correct', async () => {
  const client = await service.client();
  await sent(client, { kind: 'properties', file: properties });
  const failing = await sent(client, { kind: 'units', file: units });
  const skipping = await sent(client, { kind: 'units', file: units, skip_errors: true });
  await workOff();
  expect(await read(client, failing.id)).toMatchObject({
    state: 'failed',
    error_count: 1,
    errors: [{ line: 3, column: 'Property' }],
    rejected: 1,
  });
  expect(await read(client, skipping.id)).toMatchObject({
    state: 'applied',
    create: 1,
    left_out: 1,
    rejected: 1,
  });
  const json = await client.get(`/imports/${skipping.id}/rejected`);
  expect(json.body.data.rows).toBe(1);
  const csv = await client.get(`/imports/${skipping.id}/rejected`, { accept: 'text/csv' });
  expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="rejected-.*\.csv"$/);
  expect(csv.text).toBe(json.body.data.csv);
  expect(csv.text).toContain('Elm House');

  const mended = csv.text.replaceAll('Elm House', 'Oak House');
  const again = await sent(client, { kind: 'units', file: mended });
  await workOff();
  expect(await read(client, again.id)).toMatchObject({ state: 'applied', create: 1, rejected: 0 });
});

test('a form does the same, with larger files in any encoding', async () => {
  const client = await service.client();
  const rows = Array.from({ length: 2_000 }, (_, n) => `House ${n},${'x'.repeat(900)},H${n}`).join('\n');
  const bytes = Buffer.from(`Name,Notes,Stadt\nMühle,,Köln\n${rows}\n`, 'latin1');
  expect(bytes.length).toBeGreaterThan(1024 * 1024);
  const file = new File([bytes], 'C:\\files\\häuser.csv');
  const mapping = JSON.stringify({ Notes: null });
  const answer = await sendForm(client, { kind: 'properties', file, mapping, events: 'false' });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body.data).toMatchObject({ file: 'häuser.csv', size_bytes: bytes.length, dry_run: false });
  await workOff();
  expect(await read(client, answer.body.data.id)).toMatchObject({ state: 'applied', create: 2_001 });
  const [found] = (await client.get('/properties?q=Mühle')).body.data;
  expect(found).toMatchObject({ city: 'Köln' });
});

test('what cannot be an import is a 400 that says why', async () => {
  const client = await service.client();
  expectInvalid(await client.post('/imports', { kind: 'cars', file: 'x' }), 'kind');
  expectInvalid(await client.post('/imports', { kind: 'units' }), 'file');
  expectInvalid(await client.post('/imports', { kind: 'units', file: '' }), 'file');
  expectInvalid(await client.post('/imports', { kind: 'units', file: 'x', mapping: { a: 1 } }), 'mapping');
  expectInvalid(await sendForm(client, { kind: 'units' }), 'file');
  expectInvalid(await sendForm(client, { kind: 'units', file: new File([''], 'x.csv') }), 'file');
  expectInvalid(
    await sendForm(client, { kind: 'units', file: new File(['x'], 'x'), dry_run: 'maybe' }),
    'dry_run',
  );
  const long = { kind: 'units', file: new File(['x'], 'x'), mapping: `{"a":"${'x'.repeat(70_000)}"}` };
  expectInvalid(await sendForm(client, long), 'mapping');
  const large = await client.post('/imports', { kind: 'units', file: 'x'.repeat(1024 * 1024) });
  expect(large.status).toBe(413);
  expect((await client.get('/imports')).body.count).toBe(0);
});

test('a repeated request with the same key is one import, whatever boundary its form has', async () => {
  const client = await service.client();
  const once = { 'idempotency-key': 'import-1' };
  const fields = (dry_run: string) => ({
    kind: 'properties',
    file: new File([properties], 'p.csv'),
    dry_run,
  });
  const first = await sendForm(client, fields('false'), once);
  const second = await sendForm(client, fields('false'), once);
  expect(first.status, first.text).toBe(201);
  expect([second.status, second.text]).toEqual([201, first.text]);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect((await sendForm(client, fields('true'), once)).status).toBe(422);
  expect((await client.get('/imports')).body.count).toBe(1);
  await workOff();
});

test('an import requires the right to write and the scopes of all records; reading its progress requires neither', async () => {
  const writer = await service.client({ scopes: null });
  const { accountId } = writer;
  const { id } = await sent(writer, { kind: 'properties', file: properties });
  const reader = await service.client({ accountId, permission: 'read', scopes: null });
  const body = { kind: 'properties', file: properties };
  expectError(await reader.post('/imports', body), 403, /./);
  expect((await reader.get(`/imports/${id}`)).status).toBe(200);
  expect((await reader.get(`/imports/${id}/rejected`)).status).toBe(200);
  const narrow = await service.client({ accountId, scopes: ['imports', 'properties'] });
  expectError(await narrow.post('/imports', body), 403, /scope units/);
  expectError(await narrow.get(`/imports/${id}/rejected`), 403, /scope units/);
  expect((await narrow.get(`/imports/${id}`)).status).toBe(200);
  const other = await service.client({ accountId, scopes: ['properties'] });
  expectError(await other.get('/imports'), 403, /scope imports/);
  const stranger = await service.client();
  for (const path of [`/imports/${id}`, `/imports/${id}/rejected`])
    expectError(await stranger.get(path), 404, 'Not found');
  expect((await stranger.get('/imports')).body.count).toBe(0);
  await workOff();
});

test("an account's files are imported one after the other, and only a few may wait", async () => {
  const client = await service.client();
  const neighbour = await service.client();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++)
    ids.push((await sent(client, { kind: 'properties', file: `Name\nHouse ${n}\n` })).id);
  const sixth = await client.post('/imports', { kind: 'properties', file: properties });
  expect([sixth.status, sixth.headers.get('retry-after')]).toEqual([429, '10']);
  const { id } = await sent(neighbour, { kind: 'properties', file: properties });

  // While the first import is being worked on, the next one is the neighbour's.
  const { app, database } = service;
  expect((await claimImport(app.db, '00000000-0000-4000-8000-000000000001'))?.account_id).toBe(
    client.accountId,
  );
  expect(await work()).toBe(true);
  expect(await read(neighbour, id)).toMatchObject({ state: 'applied' });
  expect(await work()).toBe(false);
  expect(await read(client, ids[0] ?? '')).toMatchObject({ state: 'running' });
  expect(await read(client, ids[1] ?? '')).toMatchObject({ state: 'queued' });

  // Its worker is no longer heard from. Another one takes it over, and the others follow.
  await database.db.query(
    sql`update imports set claimed_until = now() - interval '1 second' where account_id = ${client.accountId}`,
  );
  await workOff();
  for (const each of ids) expect(await read(client, each)).toMatchObject({ state: 'applied', create: 1 });
});

test('of two workers that have the same import, one writes it', async () => {
  const client = await service.client();
  const { id, uuid } = await sent(client, { kind: 'properties', file: properties });
  const { db } = service.database;
  let first: Promise<boolean> | undefined;
  await db.transaction(async (tx) => {
    // It waits for this lock, while another worker takes it over.
    await lockImports(tx, client.accountId);
    first = work();
    await until(async () => (await read(client, id)).state === 'running');
    await db.query(sql`
      update imports set claim = '00000000-0000-4000-8000-000000000002'
      where account_id = ${client.accountId} and id = ${uuid}`);
  });
  await first;
  expect((await client.get('/properties')).body.count).toBe(0);
  await db.query(sql`
    update imports set claimed_until = now() - interval '1 second'
    where account_id = ${client.accountId} and id = ${uuid}`);
  await workOff();
  expect(await read(client, id)).toMatchObject({ state: 'applied', create: 2 });
  expect((await client.get('/properties')).body.count).toBe(2);
});

test('a process that stops gives its import back, and an import that keeps failing is given up', async () => {
  const client = await service.client();
  const { id, uuid } = await sent(client, { kind: 'properties', file: properties });
  await work(AbortSignal.abort());
  expect(await read(client, id)).toMatchObject({ state: 'queued' });
  expect((await client.get('/properties')).body.count).toBe(0);
  await service.database.db.query(sql`
    update imports set attempts = 5, claimed_until = null where account_id = ${client.accountId} and id = ${uuid}`);
  await workOff();
  expect(await read(client, id)).toMatchObject({
    state: 'failed',
    error: { type: 'internal_error', message: expect.stringContaining('Nothing of the file was written') },
  });
  const left = await service.database.db.query(
    sql`select from import_files where account_id = ${client.accountId}`,
  );
  expect(left).toHaveLength(0);
});

test('a file that is not a table fails, and does not hold up the next one', async () => {
  const client = await service.client();
  const bytes = Buffer.alloc(200_000, 'PK\u0003\u0004\u0000\u0007');
  const hostile = await sendForm(client, { kind: 'rent_roll', file: new File([bytes], 'x.xlsx') });
  const nul = await sent(client, { kind: 'tenants', file: 'First name,Last name\nA\0b,\n' });
  const wide = await sent(client, {
    kind: 'tenants',
    file: `${'a,'.repeat(50_000)}\n${'b,'.repeat(50_000)}`,
  });
  const { id } = await sent(client, { kind: 'properties', file: properties });
  await workOff();
  expect(await read(client, hostile.body.data.id)).toMatchObject({ state: 'failed' });
  expect(await read(client, nul.id)).toMatchObject({ state: 'failed', rejected: 1, error: null });
  const failed = await client.get(`/imports/${wide.id}`);
  expect(failed.body.data.state).toBe('failed');
  expect(failed.text.length).toBeLessThan(200_000);
  expect(await read(client, id)).toMatchObject({ state: 'applied' });
});

test('an endpoint that skips a key is not sent what the key imports', async () => {
  const client = await service.client();
  const { id: key } = (await client.get('/account')).body.data.key;
  await make.webhook(client, { events: ['property.created'], skip_actors: [key] });
  const other = await make.webhook(client, { events: ['property.created'] });
  await sent(client, { kind: 'properties', file: properties, events: true });
  await workOff();
  const { body } = await client.get('/events?event=property.created');
  for (const { actor } of body.data) expect(actor).toEqual({ type: 'import', id: key, name: 'test' });
  const queued = await queueOf(service, client);
  expect(queued.map(({ endpoint_id }) => formatId('we', endpoint_id))).toEqual([other.id, other.id]);
});

test('imports are deleted after a month, and what they say about people when a tenant is erased', async () => {
  const client = await service.client();
  const { db } = service.database;
  const { id } = await sent(client, {
    kind: 'tenants',
    file: 'First name,Last name,Email\nAda,Lee,planted\n',
    file_name: 'rent_of_lee.csv',
  });
  const { id: other } = await sent(client, { kind: 'tenants', file: 'x', file_name: 'fleet.csv' });
  const { body } = await client.post('/tenants', { first_name: 'Ada', last_name: 'Lee' });
  await workOff();
  expect((await client.get(`/imports/${id}/rejected`)).text).toContain('planted');
  expect((await client.post(`/tenants/${body.data.id}/erase`)).status).toBe(200);
  expect((await client.get(`/imports/${id}`)).text).not.toContain('planted');
  expect((await client.get(`/imports/${id}/rejected`)).text).not.toContain('planted');
  expect(await read(client, id)).toMatchObject({ file: '[erased]' });
  expect(await read(client, other)).toMatchObject({ file: 'fleet.csv' });
  expect(await forgetOldImports(db, client.accountId, new Date(), 10)).toBe(0);
  const later = new Date(Date.now() + 31 * 24 * 3600_000);
  expect(await forgetOldImports(db, client.accountId, later, 10)).toBe(2);
});
