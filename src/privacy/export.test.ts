import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../../test/support/browser.ts';
import { plantTenant, whereFound } from '../../test/support/planted-tenant.ts';
import { tenure } from '../../test/support/process.ts';
import { make } from '../../test/support/records.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { thorough } from '../../test/support/thorough.ts';
import { sql } from '../db/sql.ts';
import { formatId, parseId } from '../ids.ts';

let service: Service;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
});
afterAll(() => service.close());

const kinds = [
  ...['tenants', 'leases', 'payments', 'charges', 'credits', 'recurring_charges', 'deposit_refunds'],
  ...['maintenance_requests', 'files', 'history', 'events', 'deliveries'],
];

/** Keys and searches of imports are not shown anywhere. */
const isShown = (text: string) => !/planted-(key|search)-/.test(text);

test('an export has everything that is kept about a tenant, and nothing about others', async () => {
  const client = await service.client();
  const tenant = await plantTenant(service, client);
  const other = await plantTenant(service, client);
  const { body, text } = await client.get(`/tenants/${tenant.id}/export`);
  expect(Object.keys(body.data)).toEqual([...kinds, 'incomplete']);
  expect(body.data.incomplete).toEqual([]);
  for (const planted of tenant.texts.filter(isShown)) expect(text).toContain(`${planted}`);
  for (const planted of other.texts) expect(text).not.toContain(`"${planted}"`);
  for (const kind of kinds.filter((each) => each !== 'deliveries'))
    expect(body.data[kind].length, kind).toBeGreaterThan(0);
});

test('as an archive it is one file in JSON, a table for each kind, and the statements', async () => {
  const client = await service.client();
  const { id, leaseId, texts } = await plantTenant(service, client);
  const path = `${service.url}/api/v1/tenants/${id}/export`;
  const headers = { authorization: `Bearer ${client.key}`, accept: 'application/zip' };
  const response = await fetch(path, { headers });
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="export-[\d-]+\.zip"$/);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  const contents = Object.keys(files).filter((name) => name.startsWith('files/'));
  expect(contents).toHaveLength(4);
  for (const name of contents)
    expect(JSON.parse(strFromU8(files[name] ?? new Uint8Array()))).toEqual({ of: 'a tenant' });
  expect(
    Object.keys(files)
      .filter((name) => !contents.includes(name))
      .sort(),
  ).toEqual(
    ['README.txt', 'export.json', `statement-${leaseId}.pdf`, ...kinds.map((kind) => `${kind}.csv`)].sort(),
  );
  const read = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  const { incomplete: _, ...data } = (await client.get(`/tenants/${id}/export`)).body.data;
  expect(JSON.parse(read('export.json'))).toEqual(data);
  const tables = kinds.map((kind) => read(`${kind}.csv`)).join('');
  for (const text of texts.filter(isShown)) expect(tables).toContain(text);
  expect(read(`statement-${leaseId}.pdf`)).toMatch(/^%PDF-/);
  expect((await fetch(path, { method: 'HEAD', headers })).status).toBe(200);
});

test('an answer has the newest thousand of a kind, and the archive all of them', async () => {
  const client = await service.client();
  const { id } = await make.tenant(client);
  await service.database.db.query(sql`
    insert into history (account_id, record_id, id, action, note, actor_type, actor_name, created_at)
    select ${client.accountId}, ${parseId('ten', id)}, gen_random_uuid(), 'noted', 'Called.', 'clock', 'Clock', now()
    from generate_series(1, 1100)`);
  const { data } = (await client.get(`/tenants/${id}/export`)).body;
  expect([data.history.length, data.incomplete]).toEqual([1_000, ['history']]);
  const response = await fetch(`${service.url}/api/v1/tenants/${id}/export?format=zip`, {
    headers: { authorization: `Bearer ${client.key}` },
  });
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  expect(JSON.parse(strFromU8(files['export.json'] ?? new Uint8Array())).history).toHaveLength(1_101);
});

test('an answer does not grow without limit', async () => {
  const client = await service.client();
  const { id } = await make.tenant(client);
  await service.database.db.query(sql`
    insert into history (account_id, record_id, id, action, note, actor_type, actor_name, created_at)
    select ${client.accountId}, ${parseId('ten', id)}, gen_random_uuid(), 'noted', repeat('long', 50000), 'clock',
      'Clock', now()
    from generate_series(1, 60)`);
  const { text, body } = await client.get(`/tenants/${id}/export`);
  expect(text.length).toBeLessThan(8_100_000);
  expect(body.data.history.length).toBeGreaterThan(30);
  expect(body.data.incomplete).toEqual(['history']);
  expect(body.data.events).toHaveLength(1);
});

test('events and deliveries are all found, however many there are of them and of others', async () => {
  const client = await service.client();
  const { accountId } = client;
  const { id } = await make.tenant(client);
  const { db } = service.database;
  // Every third of 2,400 events is about them, and each event has a delivery.
  await db.query(sql`
    insert into events (account_id, id, event, body, created_at)
    select ${accountId}, gen_random_uuid(), 'tenant.updated', case when n % 3 = 0 then body else '{}' end, now()
    from events, generate_series(1, 2400) n where account_id = ${accountId}`);
  await db.query(sql`
    insert into deliveries (account_id, id, endpoint_id, event_id, event, kind, status, attempts, created_at,
      finished_at)
    select ${accountId}, gen_random_uuid(), gen_random_uuid(), id, event, 'event', 'succeeded', 1, now(), now()
    from events where account_id = ${accountId} and event = 'tenant.updated'`);
  const { data } = (await client.get(`/tenants/${id}/export`)).body;
  expect([data.events.length, data.deliveries.length, data.incomplete]).toEqual([801, 800, []]);
  expect(new Set(data.deliveries.map((each: { id: string }) => each.id)).size).toBe(800);
});

test('an account can take only a few exports at once, in either format', async () => {
  const client = await service.client();
  const { id } = await make.tenant(client);
  const headers = { authorization: `Bearer ${client.key}` };
  const take = async (format: string) => {
    const answer = await fetch(`${service.url}/api/v1/tenants/${id}/export?format=${format}`, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  const asked = await service.database.db.transaction(async (tx) => {
    // The lock makes all of them wait.
    await tx.query(sql`lock table deliveries in access exclusive mode`);
    const each = ['json', 'zip', 'json', 'zip', 'json', 'zip'].map(take);
    expect(await Promise.race(each)).toBe(503);
    return { each };
  });
  expect((await Promise.all(asked.each)).sort()).toEqual([200, 200, 200, 200, 200, 503]);
  expect(await take('zip')).toBe(200);
});

test('what concerns others on a lease is not in the export', async () => {
  const client = await service.client();
  const tenants = [await make.tenant(client), await make.tenant(client)];
  const lease = await make.lease(client, { tenant_ids: tenants.map(({ id }) => id) });
  await client.post(`/leases/${lease.id}/notes`, { note: 'planted-about-both' });
  const path = `/tenants/${tenants[0]?.id}/export`;
  const { text, body } = await client.get(path);
  expect(body.data.leases).toHaveLength(1);
  expect(body.data.history.length).toBeGreaterThan(0);
  expect(text).not.toContain('planted-about-both');
  const response = await fetch(`${service.url}/api/v1${path}?format=zip`, {
    headers: { authorization: `Bearer ${client.key}` },
  });
  const files = Object.keys(unzipSync(new Uint8Array(await response.arrayBuffer())));
  expect(files.filter((name) => name.endsWith('.pdf'))).toEqual([]);
});

test('exports and erasures by people are in the audit log', async () => {
  const owner = await signUp(service);
  const { data } = (await owner.post('/tenants', { first_name: 'Ada', last_name: 'Okafor' })).body;
  expect((await owner.get(`/tenants/${data.id}/export`)).status).toBe(200);
  expect((await owner.post(`/tenants/${data.id}/erase`)).status).toBe(200);
  const entries = (await owner.get('/audit-log?limit=2')).body.data;
  expect(entries.map(({ action, subject }: Record<string, string>) => [action, subject])).toEqual([
    ['tenant.erased', data.id],
    ['export.downloaded', `/tenants/${data.id}/export`],
  ]);
});

test.runIf(thorough)('both can be done on the command line', async () => {
  const client = await service.client();
  const tenant = await plantTenant(service, client);
  const folder = mkdtempSync(join(tmpdir(), 'tenure-export-'));
  const environment = { DATABASE_URL: service.database.url, SECRET_KEY: service.secretKey };
  const account = ['--account', formatId('acct', client.accountId)];
  try {
    const file = join(folder, 'tenant.zip');
    await tenure(environment, 'tenants', 'export', tenant.id, file, ...account);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys(unzipSync(readFileSync(file)))).toContain('export.json');
    expect(await tenure(environment, 'tenants', 'erase', tenant.id, '--yes', ...account)).toEqual({
      id: tenant.id,
      erased: true,
    });
    expect(await whereFound(service, client.accountId, tenant.texts)).toEqual([]);
    const [entry] = (await client.get(`/tenants/${tenant.id}/history`)).body.data;
    expect(entry).toMatchObject({ action: 'erased', actor: { type: 'operator', name: 'Command line' } });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
