import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { defaultMostQueued, limitQueues } from '../../src/events/queue-room.ts';
import { type Person, signUp } from '../support/browser.ts';
import { importCsv } from '../support/csv.ts';
import { expectError, make } from '../support/records.ts';
import { type Client, type Service, testService } from '../support/service.ts';

/* An account cannot have more than it is allowed, however many requests ask for the last one at the same time. */

let service: Service;
let person: Person;
beforeAll(async () => {
  service = await testService({
    SIGN_UP: 'open',
    API_KEYS_PER_ACCOUNT: '5',
    ACCOUNTS_PER_PERSON: '4',
    RATE_LIMIT_PER_SECOND: '1',
    RATE_LIMIT_BURST: '60',
  });
  person = await signUp(service);
});
afterAll(() => service.close());
afterEach(() => limitQueues(defaultMostQueued));

const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

test('live keys of an account are limited; a revoked or expired one makes room', async () => {
  const makeKey = () => person.post('/api-keys', { name: 'k', permission: 'read' });
  const made = await Promise.all(Array.from({ length: 8 }, makeKey));
  expect(statuses(made)).toEqual([...Array(5).fill(201), ...Array(3).fill(409)]);
  expectError(await makeKey(), 409, 'An account has at most 5 API keys; revoke one that is no longer used.');
  const [first, second] = made.filter(({ status }) => status === 201).map(({ body }) => body.data.id);
  await person.delete(`/api-keys/${first}`);
  expect(statuses(await Promise.all([makeKey(), makeKey()]))).toEqual([201, 409]);
  await service.database.db.query(
    sql`update api_keys set expires_at = now() where 'key_' || replace(id::text, '-', '') = ${second}`,
  );
  expect((await makeKey()).status).toBe(201);
  const neighbour = await signUp(service);
  expect((await neighbour.post('/api-keys', { name: 'k', permission: 'read' })).status).toBe(201);
});

test('the accounts that a person can open are limited', async () => {
  const opener = await signUp(service);
  const open = () => opener.post('/accounts', { name: 'More', currency: 'USD', time_zone: 'UTC' });
  expect(statuses(await Promise.all(Array.from({ length: 5 }, open)))).toEqual([201, 201, 201, 409, 409]);
  expectError(await open(), 409, 'A person who owns 4 accounts cannot open another one.');
});

const queuedOf = async ({ accountId }: Client): Promise<number> => {
  const [row] = await service.database.db.query<{ count: number }>(
    sql`select count(*)::integer as count from delivery_queue where account_id = ${accountId}`,
  );
  return row?.count ?? 0;
};
const full = /^At most \d+ deliveries may wait for the webhook endpoints of an account/;

/** An account with endpoints for these events. Nothing is ever sent to them, since no worker runs. */
async function subscribed(endpoints: number, ...events: string[]): Promise<Client> {
  const client = await service.client();
  for (let n = 0; n < endpoints; n++) await make.webhook(client, { events });
  return client;
}

test('waiting deliveries of an account are limited; others continue, and writes without deliveries are not refused', async () => {
  const client = await subscribed(3, 'property.created');
  limitQueues(20);
  const add = (who: Client) => who.post('/properties', { name: 'House' });
  expect(statuses(await Promise.all(Array.from({ length: 10 }, () => add(client))))).toEqual([
    ...Array(6).fill(201),
    ...Array(4).fill(409),
  ]);
  expectError(await add(client), 409, full);
  expect(await queuedOf(client)).toBe(18);
  expect((await client.get('/properties')).body.count).toBe(6);
  expect((await client.post('/tenants', { first_name: 'Ada', last_name: 'Okafor' })).status).toBe(201);
  expect((await add(await subscribed(1, 'property.created'))).status).toBe(201);
  for (const { id } of (await client.get('/webhooks')).body.data)
    await client.patch(`/webhooks/${id}`, { status: 'disabled' });
  expect((await add(client)).status).toBe(201);
});

test('one request that makes many events is refused as a whole', async () => {
  const client = await subscribed(2, 'unit.created', 'charge.created');
  limitQueues(20);
  const units = Array.from({ length: 11 }, (_, n) => ({ name: String(n) }));
  expectError(await client.post('/properties', { name: 'House', units }), 409, full);
  expect((await client.get('/properties')).body.count).toBe(0);
  const unit = await make.unit(client);
  const tenant = await make.tenant(client);
  const lease = {
    unit_id: unit.id,
    tenant_ids: [tenant.id],
    start_date: '2020-01-01',
    end_date: null,
    rent_cents: 100_000,
    ledger_from: '2020-01-01',
  };
  expectError(await client.post('/leases', lease), 409, full);
  expect((await client.get('/leases')).body.count).toBe(0);
  expect(await queuedOf(client)).toBe(2);
});

test('an import that would fill the queue is refused before anything is written', async () => {
  const client = await subscribed(10, 'property.created', 'property.updated', 'tenant.created');
  const houses = (count: number) =>
    `name\n${Array.from({ length: count }, (_, n) => `House ${n}`).join('\n')}\n`;
  limitQueues(100);
  const files = { properties: houses(8), tenants: 'first_name,last_name\nA,B\nC,D\nE,F\n' };
  await expect(importCsv(service, client, files)).rejects.toThrow(full);
  expect((await client.get('/properties')).body.count).toBe(0);
  expect(await queuedOf(client)).toBe(0);
  // It is imported without events, and again when most rows are already there. Neither is too much.
  expect((await importCsv(service, client, { properties: houses(98) }, { events: false })).ok).toBe(true);
  expect((await importCsv(service, client, { properties: houses(100) })).files[0]).toMatchObject({
    create: 2,
    unchanged: 98,
  });
  expect(await queuedOf(client)).toBe(20);
});

test('requests count per account as well as per key', async () => {
  const client = await service.client();
  const others = await Promise.all([1, 2].map(() => service.client({ accountId: client.accountId })));
  const ask = (who: Client, times: number) =>
    Promise.all(Array.from({ length: times }, () => who.get('/webhooks')));
  const answers = [];
  for (const who of [client, ...others]) answers.push(...(await ask(who, 55)));
  const refused = answers.filter(({ status }) => status === 429);
  // Twice the limit of one key is allowed: 120, and one or two more for each second that this takes.
  expect(refused.length).toBeGreaterThan(15);
  expect(answers.slice(0, 110).every(({ status }) => status === 200)).toBe(true);
  expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/);
  expect((await (await service.client()).get('/webhooks')).status).toBe(200);
});
