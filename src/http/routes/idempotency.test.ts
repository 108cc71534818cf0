import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { countLockWaits, holdAccount } from '../../../test/support/database.ts';
import { eventsOf, expectError, expectInvalid, hookUrl, make } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';
import type { Database, Db } from '../../db/connect.ts';
import { type Sql, sql, toStatement } from '../../db/sql.ts';
import { routes } from './routes.ts';

let service: Service;
let db: Database;
beforeAll(async () => {
  service = await testService();
  ({ db } = service.app);
});
afterEach(() => {
  service.app.db = db;
  service.app.now = () => new Date();
});
afterAll(() => service.close());

const tenant = { first_name: 'Ada', last_name: 'Okafor' };
const keyed = (client: Client, key: string, body: unknown = tenant, path = '/tenants') =>
  client.post(path, body, { 'idempotency-key': key });
const count = async (client: Client, path = '/tenants') => (await client.get(path)).body.count;

test('a repeat returns the first answer, byte for byte, and changes nothing', async () => {
  const client = await service.client();
  const first = await keyed(client, 'k');
  expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
  await client.patch(`/tenants/${first.body.data.id}`, { first_name: 'Changed' });
  for (let n = 0; n < 3; n++) {
    const again = await keyed(client, 'k');
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  }
  expect(await count(client)).toBe(1);
  expect((await eventsOf(service, client)).map(({ event }) => event)).toEqual([
    'tenant.created',
    'tenant.updated',
  ]);
});

test('the same key for another body or another path is 422, and does nothing', async () => {
  const client = await service.client();
  await keyed(client, 'k');
  for (const other of [
    await keyed(client, 'k', { ...tenant, notes: 'more' }),
    await keyed(client, 'k', {}),
    await keyed(client, 'k', { name: 'Elm' }, '/properties'),
  ])
    expectError(other, 422, /another request/);
  // The same goes for other parameters and for other preferences.
  expectError(await keyed(client, 'k', tenant, '/tenants?x=1'), 422, /another request/);
  const strict = { 'idempotency-key': 'k', prefer: 'handling=strict' };
  expectError(await client.post('/tenants', tenant, strict), 422, /another request/);
  expect([await count(client), await count(client, '/properties')]).toEqual([1, 0]);
  for (const path of ['/tenants', '/tenants?'])
    expect((await keyed(client, 'k', tenant, path)).headers.get('idempotent-replayed')).toBe('true');
});

test("another account's same key is another key", async () => {
  const [one, other] = [await service.client(), await service.client()];
  const answers = [await keyed(one, 'k'), await keyed(other, 'k', { ...tenant, notes: 'x' })];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect([await count(one), await count(other)]).toEqual([1, 1]);
  const second = await service.client({ accountId: one.accountId });
  expect((await keyed(second, 'k')).text).toBe(answers[0]?.text);
});

test('while the first is under way a repeat is 409', async () => {
  const client = await service.client();
  const letGo = await holdAccount(service.database.db, client.accountId);
  const subscribe = () => keyed(client, 'k', { url: hookUrl, events: ['unit.created'] }, '/webhooks');
  const first = subscribe();
  while ((await countLockWaits(db)) === 0);
  const early = await subscribe();
  expectError(early, 409, /still being worked on/);
  expect(early.body.error.type).toBe('idempotency_in_progress');
  expect(early.headers.get('retry-after')).toBe('1');
  expectError(await keyed(client, 'k', {}, '/webhooks'), 409, /still being worked on/);
  await letGo();
  const { status, text } = await first;
  expect(status).toBe(201);
  expect((await subscribe()).text).toBe(text);
  expect(await count(client, '/webhooks')).toBe(1);
});

test('of twenty simultaneous requests with the same key, one makes a record', async () => {
  const client = await service.client();
  const answers = await Promise.all(Array.from({ length: 20 }, () => keyed(client, 'k')));
  const made = answers.filter(({ status }) => status === 201);
  expect(made.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  expect(new Set(made.map(({ text }) => text)).size).toBe(1);
  expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
  expect(await count(client)).toBe(1);
  expect(await eventsOf(service, client)).toHaveLength(1);
});

test('refusals are answers too: 400 and 409 are replayed, though they would succeed by now', async () => {
  const client = await service.client();
  const unit = await make.unit(client, { name: 'A' });
  const double = () => keyed(client, 'double', { property_id: unit.property_id, name: 'A' }, '/units');
  const refused = await double();
  expect(refused.status).toBe(409);
  await client.patch(`/units/${unit.id}`, { name: 'B' });
  const again = await double();
  expect([again.status, again.text]).toEqual([409, refused.text]);
  // The answer is repeated exactly, so it contains the id of the first request. The header has the id of this one.
  expect(again.body.error.request_id).toBe(refused.headers.get('x-request-id'));
  expect(again.headers.get('x-request-id')).not.toBe(refused.headers.get('x-request-id'));
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await count(client, '/units')).toBe(1);

  const invalid = await keyed(client, 'invalid', {});
  const repeated = await keyed(client, 'invalid', {});
  expect([repeated.status, repeated.text, repeated.headers.get('idempotent-replayed')]).toEqual([
    400,
    invalid.text,
    'true',
  ]);
  expectError(await keyed(client, 'invalid'), 422, /another request/);
});

test('401 and 403 come first and are not recorded', async () => {
  const client = await service.client();
  const reader = await service.client({ permission: 'read', accountId: client.accountId });
  expect((await keyed(reader, 'k')).status).toBe(403);
  expect(
    (await service.request('POST', '/tenants', { body: tenant, headers: { 'idempotency-key': 'k' } })).status,
  ).toBe(401);
  const answer = await keyed(client, 'k');
  expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, null]);
});

/** In transactions, `instead` answers the statements whose text matches the pattern. */
function intercept(pattern: RegExp, instead: (tx: Db) => Promise<unknown>): void {
  service.app.db = {
    ...db,
    transaction: (work) =>
      db.transaction((tx) => {
        const query = async <Row>(given: Sql): Promise<Row[]> => {
          if (pattern.test(toStatement(given).text)) await instead(tx);
          return tx.query<Row>(given);
        };
        const wrapped: Db = { ...tx, query, transaction: (inner) => inner(wrapped) };
        return work(wrapped);
      }),
  };
}

test.each([
  ['the write', /insert into tenants/],
  ['the record of the answer', /insert into idempotency_keys/],
])('if %s fails with a bug, neither is kept, and a repeat does the work', async (_name, pattern) => {
  const client = await service.client();
  await client.get('/tenants');
  intercept(pattern, () => Promise.reject(new TypeError('a bug')));
  expectError(await keyed(client, 'k'), 500, 'Internal server error');
  service.app.db = db;
  expect([await count(client), (await eventsOf(service, client)).length]).toEqual([0, 0]);
  const again = await keyed(client, 'k');
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
  expect(await count(client)).toBe(1);
});

test.each([
  ['in the write', /insert into tenants/],
  ['between the write and its record', /insert into idempotency_keys/],
])('a connection lost %s leaves one record', async (_name, pattern) => {
  const client = await service.client();
  await client.get('/tenants');
  let cut = false;
  intercept(pattern, async (tx) => {
    if (cut) return;
    cut = true;
    await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`);
  });
  const { status } = await keyed(client, 'k');
  expect([status, cut]).toEqual([201, true]);
  expect(await count(client)).toBe(1);
  expect(await eventsOf(service, client)).toHaveLength(1);
  expect((await keyed(client, 'k')).headers.get('idempotent-replayed')).toBe('true');
});

test('a connection that was lost may hold the lock of its key for a moment longer', async () => {
  const client = await service.client();
  await client.get('/tenants');
  let cut = false;
  intercept(/insert into tenants/, async (tx) => {
    if (cut) return;
    cut = true;
    // Its server process takes long to end, so somebody else holds the lock for as long.
    const [lock] = await tx.query<{ classid: string; objid: string }>(
      sql`select classid, objid from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`,
    );
    const key = (BigInt(lock?.classid ?? 0) << 32n) | BigInt(lock?.objid ?? 0);
    const holder = await db.connect();
    const held = holder.query('select pg_advisory_lock($1)', [BigInt.asIntN(64, key).toString()]);
    setTimeout(() => void held.then(() => holder.release(true)), 300);
    await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`);
  });
  const { status } = await keyed(client, 'k');
  expect([status, cut]).toEqual([201, true]);
  expect(await count(client)).toBe(1);
});

test('a key is 1 to 255 visible ASCII characters', async () => {
  const client = await service.client();
  for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'caf\xe9', 'a\tb'])
    expectInvalid(await keyed(client, key), 'Idempotency-Key');
  for (const key of ['x', '!~', 'x'.repeat(255)]) expect((await keyed(client, key)).status).toBe(201);
});

test('a key is kept for 24 hours', async () => {
  const client = await service.client();
  const first = await keyed(client, 'k');
  service.app.now = () => new Date(Date.now() + 24 * 3_600_000 - 60_000);
  expect((await keyed(client, 'k')).text).toBe(first.text);
  service.app.now = () => new Date(Date.now() + 24 * 3_600_000 + 60_000);
  const later = await keyed(client, 'k', { ...tenant, notes: 'another day' });
  expect([later.status, later.headers.get('idempotent-replayed')]).toEqual([201, null]);
});

test('only POST heeds it', async () => {
  const client = await service.client();
  const { id } = await make.tenant(client);
  const headers = { 'idempotency-key': 'k' };
  for (const notes of ['a', 'b']) {
    const { status, body } = await client.patch(`/tenants/${id}`, { notes }, headers);
    expect([status, body.data.notes]).toEqual([200, notes]);
  }
  expect((await client.get('/tenants', headers)).status).toBe(200);
});

test.each(routes.filter(({ method }) => method === 'POST').map(({ path }) => path))(
  'POST %s replays its answer',
  async (path) => {
    const client = await service.client();
    const at = path.replace(/:\w+/, 'x');
    const first = await keyed(client, 'k', {}, at);
    const again = await keyed(client, 'k', {}, at);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  },
);

test('a replayed subscription has the same secret', async () => {
  const client = await service.client();
  const subscribe = () => keyed(client, 'k', { url: hookUrl, events: ['unit.created'] }, '/webhooks');
  const [first, again] = [await subscribe(), await subscribe()];
  expect(again.text).toBe(first.text);
  const rotate = () => keyed(client, 'r', {}, `/webhooks/${first.body.data.id}/rotate-secret`);
  const [rotated, repeated] = [await rotate(), await rotate()];
  expect(repeated.body.data.secret).toBe(rotated.body.data.secret);
  expect(rotated.body.data.secret).not.toBe(first.body.data.secret);
});
