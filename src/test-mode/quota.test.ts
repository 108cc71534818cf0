import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../../test/support/browser.ts';
import { expectError, make } from '../../test/support/records.ts';
import { type Answer, type Client, type Service, testService } from '../../test/support/service.ts';
import { sql } from '../db/sql.ts';
import { parseId } from '../ids.ts';
import { importNextFile } from '../imports/queue/importer.ts';

const most = 300;
let service: Service;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open', TEST_RECORDS_PER_ACCOUNT: String(most) });
});
afterAll(() => service.close());

async function both(): Promise<{ live: Client; trial: Client }> {
  const live = await service.client();
  return { live, trial: await service.trialOf(live) };
}

/** Each tenant also adds a history entry and an event. */
const people = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ first_name: 'Ada', last_name: `Okafor ${n}` }));
const csv = (rows: number) =>
  ['First name,Last name', ...people(rows).map(({ last_name }) => `Ada,${last_name}`)].join('\n');
const countOf = async (client: Client) => (await client.get('/tenants')).body.count;

function expectFull(answer: Answer): void {
  expectError(
    answer,
    409,
    `Test mode has at most ${most} records and events; reset it to continue (POST /test/reset).`,
  );
  expect(answer.body.error.type).toBe('test_quota_exceeded');
}

async function importNow(client: Client, rows: number) {
  const sent = await client.post('/imports', { kind: 'tenants', file: csv(rows) });
  expect(sent.status, sent.text).toBe(201);
  while (await importNextFile(service.app, new AbortController().signal));
  return (await client.get(`/imports/${sent.body.data.id}`)).body.data;
}

test('a full test mode accepts nothing more until something is deleted or it is reset; real records are not counted', async () => {
  const { live, trial } = await both();
  const { id } = await make.property(trial);
  await service.database.db.query(sql`
    insert into tenants (account_id, id, first_name, last_name, created_at, updated_at)
    select ${trial.accountId}, gen_random_uuid(), 'Ada', n::text, now(), now() from generate_series(1, ${most}) n`);
  expectFull(await trial.post('/tenants', people(1)[0]));
  expectFull(await trial.post('/tenants', people(1)[0], { 'idempotency-key': 'once' }));
  expectFull(await trial.patch(`/properties/${id}`, { name: 'Elm' }));
  expectFull(await trial.post('/tenants/batch', { items: people(2) }));
  expectFull(await trial.post('/imports', { kind: 'tenants', file: csv(1) }));
  expectFull(
    await trial.post('/test/clock/advance', { to: new Date(Date.now() + 86_400_000).toISOString() }),
  );
  expect(await countOf(trial)).toBe(most);
  expect((await trial.delete(`/properties/${id}`)).status).toBe(200);
  expect((await live.post('/tenants', people(1)[0])).status).toBe(201);
  expect((await trial.post('/test/reset', {})).status).toBe(200);
  expect((await trial.post('/tenants', people(1)[0])).status).toBe(201);
});

test('files are counted, as real ones are not', async () => {
  const { live, trial } = await both();
  for (const client of [live, trial]) {
    const { accountId } = client;
    const { id } = await make.property(client);
    await service.database.db.query(sql`
      with contents as (
        insert into file_contents (account_id, id, bytes, kept, created_at)
        select ${accountId}, gen_random_uuid(), 1, true, now() from generate_series(1, ${most}) returning id)
      insert into files (account_id, id, record_type, record_id, name, content_type, size, position, source, created_at, updated_at)
      select ${accountId}, id, 'property', ${parseId('prop', id)}, 'lease.pdf', 'application/pdf', 1, 1, 'api', now(), now()
      from contents`);
  }
  expectFull(await trial.post('/tenants', people(1)[0]));
  expect((await live.post('/tenants', people(1)[0])).status).toBe(201);
});

test('a batch fills the remaining room step by step, and an atomic one needs room for all', async () => {
  const { live, trial } = await both();
  const items = people(200);
  expect((await live.post('/tenants/batch', { items })).body.data.created).toBe(200);
  const { created, failed, results } = (await trial.post('/tenants/batch', { items })).body.data;
  expect([created, failed]).toEqual([100, 100]);
  expect(results.at(-1)).toMatchObject({ index: 199, status: 409, error: { type: 'test_quota_exceeded' } });
  expect(await countOf(trial)).toBe(100);

  const { trial: another } = await both();
  expectFull(await another.post('/tenants/batch', { items: people(most + 1), atomic: true }));
  expectFull(
    await another.post(
      '/tenants/batch',
      { items: people(most + 1), atomic: true },
      { 'idempotency-key': 'all' },
    ),
  );
  expect(await countOf(another)).toBe(0);
});

test('an import is written whole or not at all, by key and in the dashboard', async () => {
  const { live, trial } = await both();
  expect(await importNow(live, most + 1)).toMatchObject({ state: 'applied', create: most + 1 });
  expect(await importNow(trial, most + 1)).toMatchObject({
    state: 'failed',
    error: { type: 'test_quota_exceeded', message: expect.stringContaining(`${most} records`) },
  });
  expect(await countOf(trial)).toBe(0);
  expect(await importNow(trial, 20)).toMatchObject({ state: 'applied', create: 20 });

  const person = await signUp(service);
  const form = new FormData();
  form.append('tenants', new File([csv(most + 1)], 'tenants.csv'));
  const apply = async (headers: Record<string, string>) =>
    fetch(`${service.url}/internal/v1/imports/apply`, {
      method: 'POST',
      headers: { cookie: person.cookies(), origin: service.url, ...headers },
      body: form,
    });
  const inTest = { 'x-service-mode': 'test' };
  expect((await apply(inTest)).status).toBe(409);
  expect((await person.get('/tenants', inTest)).body.count).toBe(0);
  expect((await apply({})).status).toBe(200);
});
