import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { untilSettled } from '../../test/support/database.ts';
import {
  dumpOf,
  eventsDuring,
  expectError,
  expectInvalid,
  type Fields,
  make,
  queueOf,
  unknownId,
} from '../../test/support/records.ts';
import { type Answer, type Client, type Service, testService } from '../../test/support/service.ts';
import type { Database, Db } from '../db/connect.ts';
import { type Sql, sql, toStatement } from '../db/sql.ts';
import { QueueFull } from '../events/queue-room.ts';
import { batchNouns } from './batch-nouns.ts';

let service: Service;
let db: Database;
beforeAll(async () => {
  service = await testService();
  db = service.app.db;
});
afterEach(() => {
  service.app.db = db;
});
afterAll(() => service.close());

interface Result {
  index: number;
  status: number;
  data?: Fields & { id: string };
  error?: { code: number; type: string; message: unknown; request_id: string; details?: object };
}

const nouns = batchNouns.map(({ path }) => path);
const results = ({ body, text }: Answer): Result[] => {
  expect(body.data, text).toBeDefined();
  return body.data.results;
};
const statuses = (answer: Answer) => results(answer).map(({ status }) => status);

/** By noun, what makes one record of it, a different one each time. */
async function makers(client: Client): Promise<Record<string, (n: number) => Fields>> {
  const lease = await make.lease(client);
  const property = await make.property(client);
  const units = await client.post('/units/batch', {
    items: Array.from({ length: 40 }, (_, n) => ({ property_id: property.id, name: `Home ${n}` })),
  });
  const homes = results(units).map(({ data }) => data?.id);
  const [tenant_id] = lease.tenant_ids;
  return {
    '/units': (n) => ({ property_id: property.id, name: `Loft ${n}` }),
    '/tenants': (n) => ({ first_name: 'Ada', last_name: `Okafor ${n}` }),
    '/leases': (n) => ({
      unit_id: homes[n % homes.length],
      tenant_ids: [tenant_id],
      start_date: '2026-02-01',
      rent_cents: 90_000 + n,
    }),
    '/payments': (n) => ({ tenant_id, amount_cents: 1000 + n, paid_on: '2026-11-01' }),
    '/charges': (n) => ({ lease_id: lease.id, kind: 'repair', amount_cents: 500 + n, due_on: '2026-11-03' }),
  };
}

/** References that point to nothing in this account. */
const misled: Record<string, (item: Fields, id: (prefix: string) => string) => Fields> = {
  '/units': (item, id) => ({ ...item, property_id: id('prop') }),
  '/tenants': (item) => ({ ...item, email: 'nobody' }),
  '/leases': (item, id) => ({ ...item, unit_id: id('unit') }),
  '/payments': (item, id) => ({ ...item, tenant_id: id('ten') }),
  '/charges': (item, id) => ({ ...item, lease_id: id('lease') }),
};

test.each(nouns)('POST %s/batch creates each as a separate POST would', async (path) => {
  const client = await service.client();
  const item = (await makers(client))[path] as (n: number) => Fields;
  await make.webhook(client, { events: ['*'] });
  const wrong = misled[path]?.(item(2), unknownId) ?? {};
  const items = [
    { ...item(0), external_id: 'a' },
    item(1),
    wrong,
    {},
    { ...item(4), external_id: 'a' },
    'text',
    { ...item(6), external_id: 'b' },
  ];
  const queued = (await queueOf(service, client)).length;
  let answer = {} as Answer;
  const events = await eventsDuring(service, client, async () => {
    answer = await client.post(`${path}/batch`, { items });
  });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.data).toMatchObject({ created: 3, failed: 4 });
  expect(results(answer).map(({ index, status }) => [index, status])).toEqual([
    [0, 201],
    [1, 201],
    [2, 400],
    [3, 400],
    [4, 409],
    [5, 400],
    [6, 201],
  ]);

  // Each failed item has the same error as a POST of one record.
  const [first, , , , taken, text] = results(answer);
  for (const [index, body] of [wrong, {}].entries()) {
    const { error } = (await client.post(path, body)).body;
    expect(results(answer)[index + 2]?.error).toEqual({ ...error, request_id: expect.any(String) });
  }
  expect(taken?.error).toMatchObject({ type: 'external_id_taken', details: { id: first?.data?.id } });
  expect(text?.error).toMatchObject({
    type: 'validation_failed',
    message: { formErrors: ['The item is not a JSON object.'], fieldErrors: {} },
  });

  // What was created is there, was announced once and in order, and is in the history.
  const made = results(answer).flatMap(({ data }) => (data ? [data] : []));
  for (const record of made) {
    const { data } = (await client.get(`${path}/${record.id}`)).body;
    expect(data).toEqual({ ...record, ...changing(data) });
    const { body } = await client.get(`${path}/${record.id}/history`);
    expect(body.data.map(({ action }: Fields) => action)).toContain('created');
  }
  const noun = path.slice(1, -1);
  const told = events.filter(({ event }) => event === `${noun}.created`);
  expect(told.map(({ body }) => JSON.parse(body).data[noun].id).sort()).toEqual(
    made.map(({ id }) => id).sort(),
  );
  expect((await queueOf(service, client)).slice(queued).map(({ event_id }) => event_id)).toEqual(
    events.map(({ id }) => id),
  );
});

/** The fields of a record that other items of the batch, written after it, change. */
const changing = ({ updated_at, status, open_cents, open }: Fields): Fields => ({
  updated_at,
  ...(status === undefined ? {} : { status }),
  ...(open_cents === undefined ? {} : { open_cents, open }),
});

test.each(nouns)('POST %s/batch, atomic, creates all or nothing', async (path) => {
  const client = await service.client();
  const item = (await makers(client))[path] as (n: number) => Fields;
  const good = [item(0), { ...item(1), external_id: 'x' }, item(2)];
  const before = await dumpOf(service, client.accountId);
  const refused = await client.post(`${path}/batch`, {
    atomic: true,
    items: [...good, { ...item(3), external_id: 'x' }, {}, misled[path]?.(item(4), unknownId)],
  });
  expect([refused.status, refused.body.error.type], refused.text).toEqual([422, 'batch_failed']);
  expect(refused.body.error.message).toMatch(/^3 of 6 items failed, so nothing was created/);
  const told: Result[] = refused.body.error.details.results;
  expect(told.map(({ index, status, error }) => [index, status, error?.type])).toEqual([
    [3, 409, 'external_id_taken'],
    [4, 400, 'validation_failed'],
    [5, 400, 'validation_failed'],
  ]);
  expect(await dumpOf(service, client.accountId)).toBe(before);

  const done = await client.post(`${path}/batch`, { atomic: true, items: good });
  expect([done.status, statuses(done)], done.text).toEqual([200, [201, 201, 201]]);
});

test('another account is never reached by its ids', async () => {
  const [client, other] = [await service.client(), await service.client()];
  const makes = await makers(client);
  const theirs = await make.lease(other);
  const ids: Record<string, string> = {
    prop: (await make.property(other)).id,
    unit: theirs.unit_id,
    ten: theirs.tenant_ids[0],
    lease: theirs.id,
  };
  const before = await dumpOf(service, other.accountId);
  for (const path of nouns.filter((each) => each !== '/tenants')) {
    const item = makes[path] as (n: number) => Fields;
    const wrong = misled[path]?.(item(0), (prefix) => ids[prefix] ?? '') ?? {};
    const answer = await client.post(`${path}/batch`, { items: [wrong, item(1), wrong] });
    expect(statuses(answer), path).toEqual([400, 201, 400]);
    const { error } = (await client.post(path, wrong)).body;
    expect(results(answer)[2]?.error?.message).toEqual(error.message);
  }
  expect(await dumpOf(service, other.accountId)).toBe(before);
});

test('leases of one batch that overlap are refused from the second on, as one by one', async () => {
  const client = await service.client();
  const unit = await make.unit(client);
  const tenant = await make.tenant(client);
  const lease = (start_date: string, end_date: string) => ({
    unit_id: unit.id,
    tenant_ids: [tenant.id],
    start_date,
    end_date,
    rent_cents: 90_000,
  });
  const items = [
    lease('2026-01-01', '2026-03-31'),
    lease('2026-03-01', '2026-05-31'),
    lease('2026-04-01', '2026-06-30'),
    { ...lease('2026-07-01', '2026-12-31'), ended_on: '2026-08-01' },
    lease('2026-07-15', '2026-12-31'),
    lease('2026-08-01', '2026-12-31'),
  ];
  const answer = await client.post('/leases/batch', { items });
  expect(statuses(answer), answer.text).toEqual([201, 409, 201, 201, 409, 201]);
  expect(results(answer)[1]?.error?.type).toBe('lease_overlap');
  const dates = results(answer).flatMap(({ data }) => (data ? [data.start_date] : []));
  expect(dates).toEqual(['2026-01-01', '2026-04-01', '2026-07-01', '2026-08-01']);
});

test('a payment with a fee charges it, in its place among the others', async () => {
  const client = await service.client();
  const lease = await make.lease(client);
  const paid = { tenant_id: lease.tenant_ids[0], amount_cents: 100, paid_on: '2026-11-01' };
  const returned = { ...paid, status: 'returned', reversed_on: '2026-11-05', fee_cents: 2500 };
  const items = [paid, paid, returned, { ...paid, fee_cents: 1 }, paid];
  const answer = await client.post('/payments/batch', { items });
  expect(statuses(answer), answer.text).toEqual([201, 201, 201, 400, 201]);
  expect((await client.get(`/charges?lease_id=${lease.id}&kind=returned_payment`)).body.count).toBe(1);
  const ids = results(answer).flatMap(({ data }) => (data ? [data.id] : []));
  expect(ids).toEqual(ids.toSorted());
});

test('a tenant comes with their lease, for a key that may make leases', async () => {
  const client = await service.client();
  const unit = await make.unit(client);
  const ada = { first_name: 'Ada', last_name: 'Okafor' };
  const lease = { unit_id: unit.id, start_date: '2026-02-01', rent_cents: 90_000 };
  const items = [ada, { ...ada, lease }, { ...ada, lease }, ada];
  const limited = await service.client({ accountId: client.accountId, scopes: ['tenants'] });
  expect(statuses(await limited.post('/tenants/batch', { items }))).toEqual([201, 403, 403, 201]);
  const answer = await client.post('/tenants/batch', { items });
  expect(statuses(answer), answer.text).toEqual([201, 201, 409, 201]);
  expect((await client.get('/tenants')).body.count).toBe(5);
});

test('the list has 1 to 1,000 items, and the body says what is wrong with it', async () => {
  const client = await service.client();
  const send = (body: unknown) => client.post('/tenants/batch', body);
  const tenant = { first_name: 'Ada', last_name: 'Okafor' };
  expectInvalid(await send({}), 'items', /^Required\.$/);
  expectInvalid(await send({ items: [] }), 'items', /at least one/);
  expectInvalid(await send({ items: { 0: tenant } }), 'items', /list of items/);
  expectInvalid(await send({ items: Array(1001).fill(tenant) }), 'items', /at most 1000/);
  expectInvalid(await send({ items: [tenant], atomic: 'yes' }), 'atomic');
  expect((await client.get('/tenants')).body.count).toBe(0);
  const whole = await service.request('POST', '/tenants/batch', { key: client.key, raw: '[]' });
  expect(whole.body.error.message.formErrors).toEqual(['The body is not a JSON object.']);

  const strict = { prefer: 'handling=strict' };
  const items = [tenant, { ...tenant, nickname: 'A' }];
  const loose = await client.post('/tenants/batch', { items });
  expect(statuses(loose)).toEqual([201, 201]);
  const answer = await client.post('/tenants/batch', { items }, strict);
  expect([statuses(answer), answer.headers.get('preference-applied')]).toEqual([
    [201, 400],
    'handling=strict',
  ]);
  expect(results(answer)[1]?.error).toMatchObject({ type: 'unknown_field' });
  expect((await client.post('/tenants/batch', { items, mode: 1 }, strict)).body.error.type).toBe(
    'unknown_field',
  );
});

test('a thousand full payments, some of them wrong, keep their order', async () => {
  const client = await service.client();
  const lease = await make.lease(client);
  const wrong = new Set([0, 49, 50, 333, 334, 335, 998]);
  const items = Array.from({ length: 1000 }, (_, n) => ({
    tenant_id: wrong.has(n) && n % 2 ? unknownId('ten') : lease.tenant_ids[0],
    lease_id: lease.id,
    amount_cents: n + 1,
    currency: 'USD',
    paid_on: '2026-11-01',
    method: 'check',
    status: 'paid',
    period: '2026-11',
    reference: `REF-${n}`,
    memo: 'é'.repeat(2000),
    external_id: wrong.has(n) && n % 2 === 0 ? 'same' : `ext-${n}`,
  }));
  const answer = await client.post('/payments/batch', { items });
  // Of several items with the same external_id, the first valid one gets it.
  const failed = [...wrong].slice(1);
  expect(answer.body.data).toMatchObject({ created: 994, failed: 6 });
  for (const { index, status, data } of results(answer)) {
    expect([index, status]).toEqual([index, failed.includes(index) ? (index % 2 ? 400 : 409) : 201]);
    if (data) expect(data.amount_cents).toBe(index + 1);
  }
  const ids = results(answer).flatMap(({ data }) => (data ? [data.id] : []));
  expect(ids).toEqual(ids.toSorted());

  await untilSettled(service.database.db);
  const feed: string[] = [];
  for (let after = 'beginning'; ; ) {
    const { body } = await client.get(`/events?after=${after}&event=payment.created&limit=200`);
    if (body.count === 0) break;
    feed.push(...body.data.map(({ data }: Fields) => (data as { payment: { id: string } }).payment.id));
    after = body.data.at(-1).id;
  }
  expect(feed).toEqual(ids);
});

test('a key that only reads, or lacks the scope, creates nothing', async () => {
  const { accountId, ...client } = await service.client();
  const items = [{ first_name: 'Ada', last_name: 'Okafor' }];
  const reading = await service.client({ accountId, permission: 'read' });
  expectError(await reading.post('/tenants/batch', { items }), 403, 'Forbidden');
  const limited = await service.client({ accountId, scopes: ['payments'] });
  expectError(await limited.post('/tenants/batch', { items }), 403, 'This key lacks the scope tenants.');
  expect((await client.get('/tenants')).body.count).toBe(0);
});

const tenants = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ first_name: 'Ada', last_name: `Okafor ${n}` }));
const key = { 'idempotency-key': 'k' };
const count = async (client: Client) =>
  (await client.get('/tenants?limit=1&total=true')).headers.get('x-total-count');

test('a repeat with the same key has the same answer, and creates nothing', async () => {
  const client = await service.client();
  for (const [n, body] of [
    { items: [...tenants(120), {}] },
    { items: tenants(120), atomic: true },
    { items: [...tenants(2), {}], atomic: true },
    { items: [] },
  ].entries()) {
    const headers = { 'idempotency-key': `k${n}` };
    const first = await client.post('/tenants/batch', body, headers);
    const again = await client.post('/tenants/batch', body, headers);
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect([first, again].map((each) => each.headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expectError(
      await client.post('/tenants/batch', { items: tenants(1) }, headers),
      422,
      /already used for another request/,
    );
  }
  expect(await count(client)).toBe('240');
});

test('repeats that come at once create nothing twice', async () => {
  const client = await service.client();
  const send = () => client.post('/tenants/batch', { items: tenants(200) }, key);
  const answers = await Promise.all([send(), send(), send()]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await count(client)).toBe('200');
});

/** Calls `before` with each statement of a transaction. */
function intercept(before: (query: string, tx: Db) => unknown): void {
  service.app.db = {
    ...db,
    transaction: (work, accountId) =>
      db.transaction(async (tx) => {
        const query = async <Row>(given: Sql) => {
          await before(toStatement(given).text, tx);
          return tx.query<Row>(given);
        };
        const wrapped: Db = { ...tx, query, transaction: (inner) => inner(wrapped) };
        return work(wrapped);
      }, accountId),
  };
}

test('after a fault in the middle, a repeat with the same key creates what is missing', async () => {
  const client = await service.client();
  await client.get('/tenants');
  let writes = 0;
  intercept((query) => {
    if (query.includes('insert into tenants') && ++writes === 3) throw new TypeError('a bug');
  });
  const items = tenants(180);
  expectError(await client.post('/tenants/batch', { items }, key), 500, 'Internal server error');
  service.app.db = db;
  expect(await count(client)).toBe('100');
  const again = await client.post('/tenants/batch', { items }, key);
  expect(again.body.data).toMatchObject({ created: 180, failed: 0 });
  expect(results(again).map(({ data }) => data?.last_name)).toEqual(items.map(({ last_name }) => last_name));
  expect(again.headers.get('idempotent-replayed')).toBeNull();
  expect(await count(client)).toBe('180');
  const replay = await client.post('/tenants/batch', { items }, key);
  expect([replay.text, replay.headers.get('idempotent-replayed')]).toEqual([again.text, 'true']);

  // A day later the key is free again, for all of its steps at once.
  await db.query(sql`update idempotency_keys set created_at = now() - interval '25 hours'
    where account_id = ${client.accountId}`);
  expect((await client.post('/tenants/batch', { items }, key)).body.data.created).toBe(180);
  expect(await count(client)).toBe('360');
});

test('without a key, an outage in the middle is reported for the items that it affects', async () => {
  const client = await service.client();
  await client.get('/tenants');
  let writes = 0;
  intercept(async (query, tx) => {
    if (query.includes('insert into tenants') && ++writes === 2)
      await tx.query(sql`select pg_terminate_backend(pg_backend_pid())`);
  });
  const answer = await client.post('/tenants/batch', { items: tenants(120) });
  service.app.db = db;
  expect(answer.body.data).toMatchObject({ created: 50, failed: 70 });
  expect(new Set(statuses(answer).slice(50))).toEqual(new Set([503]));
  expect(await count(client)).toBe('50');
});

test('while a batch waits, its account and others are answered, and few more batches wait', async () => {
  const [busy, quiet] = [await service.client(), await service.client()];
  await Promise.all([busy.get('/tenants'), quiet.get('/tenants')]);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  let writes = 0;
  const done: string[] = [];
  const batch = (client: Client, name: string) =>
    client.post('/tenants/batch', { items: tenants(150) }).then((answer) => {
      done.push(name);
      return answer;
    });
  intercept(async (query) => {
    if (!query.includes('insert into tenants') || ++writes !== 2) return;
    reach();
    await held;
  });
  const slow = batch(busy, 'slow');
  await reached;
  // Twenty batches may wait.
  const waiting = Array.from({ length: 22 }, () => batch(busy, 'waiting'));
  await vi.waitUntil(() => done.length === 3, { timeout: 60_000 });
  // What was committed can already be seen, and what the batch is still writing blocks nobody else.
  expect(await count(busy)).toBe('50');
  for (const client of [busy, quiet]) {
    expect((await client.post('/properties', { name: 'Maple Court' })).status).toBe(201);
    expect((await client.post('/tenants', { first_name: 'Ben', last_name: 'Ode' })).status).toBe(201);
  }
  expect((await batch(quiet, 'quiet')).body.data.created).toBe(150);
  expect(done).toEqual(['waiting', 'waiting', 'waiting', 'quiet']);
  release();
  expect((await slow).body.data.created).toBe(150);
  const answers = (await Promise.all(waiting)).toSorted((a, b) => b.status - a.status);
  for (const answer of answers.splice(0, 3)) expectError(answer, 503, 'Too busy');
  for (const answer of answers) expect(answer.body.data.created).toBe(150);
});

test('somebody else who takes an external_id in the meantime is named', async () => {
  const client = await service.client();
  await client.get('/tenants');
  let other = { id: '' };
  let writes = 0;
  intercept(async (query) => {
    if (!query.includes('insert into tenants') || ++writes > 1) return;
    service.app.db = db;
    other = await make.tenant(client, { external_id: 'b' });
  });
  const items = tenants(3).map((tenant, n) => ({ ...tenant, external_id: 'abc'[n] }));
  const answer = await client.post('/tenants/batch', { items });
  expect(statuses(answer), answer.text).toEqual([201, 409, 201]);
  expect(results(answer)[1]?.error?.details).toEqual({ id: other.id });
});

test('a full queue of deliveries refuses the items, not the batch', async () => {
  const client = await service.client();
  await client.get('/tenants');
  let writes = 0;
  intercept((query) => {
    if (query.includes('insert into tenants') && ++writes === 2) throw new QueueFull();
  });
  const answer = await client.post('/tenants/batch', { items: tenants(120) });
  expect(answer.body.data).toMatchObject({ created: 70, failed: 50 });
  expect(results(answer)[50]?.error?.type).toBe('queue_full');
});

test('ten items count as a request, and a batch over the limit is refused whole', async () => {
  const limited = await testService({ RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '30' }, service.database);
  const client = await limited.client();
  const first = await client.post('/tenants/batch', { items: tenants(200) });
  expect(first.headers.get('ratelimit')).toMatch(/^"default";r=(10|11);t=/);
  const second = await client.post('/tenants/batch', { items: tenants(200) }, key);
  expectError(second, 429, 'Too many requests');
  expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(5);
  expect((await client.get('/tenants?limit=1&total=true')).headers.get('x-total-count')).toBe('200');
});
