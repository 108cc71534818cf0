import { afterAll, beforeAll, expect, test } from 'vitest';
import { countLockWaits } from '../../test/support/database.ts';
import { type Delivering, testDelivering } from '../../test/support/delivering.ts';
import { plantTenant, whereFound } from '../../test/support/planted-tenant.ts';
import { until } from '../../test/support/process.ts';
import { type Receiver, startReceiver } from '../../test/support/receiver.ts';
import { day, dumpOf, eventsDuring, expectError, make, unknownId } from '../../test/support/records.ts';
import { fullPath } from '../../test/support/route-driver.ts';
import type { Client, Service } from '../../test/support/service.ts';
import { days, minutes } from '../clock.ts';
import { sql } from '../db/sql.ts';
import { subscribableEvents } from '../events/catalogue.ts';
import { routes } from '../http/routes/routes.ts';
import { lowestIdAt, newId, parseId } from '../ids.ts';
import { finishErasures } from './finish-erasures.ts';

let delivering: Delivering;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  delivering = await testDelivering();
});
afterAll(async () => {
  await delivering.close();
  await receiver.close();
});

const erase = (client: Client, id: string) => client.post(`/tenants/${id}/erase`);

const finish = ({ app }: Service, now = new Date()) => finishErasures(app.db, app.secrets, app.log, now);

async function isDelivered({ accountId }: Client): Promise<boolean> {
  const rows = await delivering.service.database.db.query(
    sql`select from delivery_queue where account_id = ${accountId} limit 1`,
  );
  return rows.length === 0;
}

/** Fields that describe people or are taken from a memo. */
const texts = ['name', 'description', 'void_reason'];

/** Every report, balance and ledger of an account, with its amounts and dates but without such texts. */
async function sumsOf(client: Client, leaseId: string): Promise<string> {
  const paths = [
    ...routes.filter(({ path }) => /^\/(reports|balances)/.test(path)).map((route) => fullPath(route, '')),
    `/leases/${leaseId}/ledger?voided=true`,
    `/leases/${leaseId}/statement`,
  ];
  const sums = await Promise.all(
    paths.map(async (path) => {
      const { status, text, body } = await client.get(path);
      expect(status, text).toBe(200);
      return JSON.stringify(body, (name, value) => (texts.includes(name) ? '' : value));
    }),
  );
  return sums.join('\n');
}

test('nothing personal of an erased tenant is left in any table, sums stay, and the neighbour is untouched', async () => {
  const { service } = delivering;
  const [client, neighbour] = [await service.client(), await service.client()];
  // The endpoint repeats what it is sent. First it fails, then it accepts the delivery.
  const seen = new Set<string>();
  receiver.answer(({ headers, body }, response) => {
    const id = headers['x-service-delivery'] ?? '';
    response
      .writeHead(seen.has(id) ? 200 : 500, { 'x-echo': /planted-[\w-]+/.exec(body)?.[0] ?? '' })
      .end(body);
    seen.add(id);
  });
  for (const each of [client, neighbour])
    await make.webhook(each, { url: receiver.url(), events: subscribableEvents });
  const tenant = await plantTenant(service, client);
  const twin = await plantTenant(service, neighbour);
  await until(async () => (await isDelivered(client)) && (await isDelivered(neighbour)));

  const found = await whereFound(service, client.accountId, tenant.texts);
  for (const text of tenant.texts) expect(found.join('\n')).toContain(text);
  for (const table of ['tenants', 'events', 'deliveries', 'delivery_attempts', 'history', 'idempotency_keys'])
    expect(
      found.some((each) => each.startsWith(`${table}: `)),
      table,
    ).toBe(true);
  const sums = await sumsOf(client, tenant.leaseId);
  const untouched = await dumpOf(service, neighbour.accountId);

  const { status, text, body } = await erase(client, tenant.id);
  expect(status, text).toBe(200);
  const erased = { first_name: 'Erased', last_name: 'tenant', email: null, phone: null, notes: null };
  expect(body.data).toMatchObject({
    id: tenant.id,
    ...erased,
    external_id: null,
    lease: { id: tenant.leaseId },
  });
  await until(() => isDelivered(client));
  expect(await whereFound(service, client.accountId, tenant.texts)).toEqual([]);
  expect(await sumsOf(client, tenant.leaseId)).toBe(sums);
  expect(await dumpOf(service, neighbour.accountId)).toBe(untouched);
  expect(await whereFound(service, neighbour.accountId, twin.texts)).not.toEqual([]);

  // Subscribers are notified, and what was sent can still be read.
  const told = receiver.received.map(({ body: sent }) => JSON.parse(sent));
  expect(told.findLast(({ event }) => event === 'tenant.updated').data.tenant).toMatchObject(erased);
  const deleted = told.filter(({ event }) => event === 'file.deleted');
  expect(new Set(deleted.map(({ data }) => data.file.id)).size).toBe(4);
  const events = (await client.get('/events?limit=1000')).body.data;
  expect(events.filter(({ event }: { event: string }) => event === 'tenant.created')).toHaveLength(1);
  const history = (await client.get(`/tenants/${tenant.id}/history`)).body.data;
  expect(history[0]).toMatchObject({ action: 'erased', actor: { type: 'key', name: 'test' }, changes: null });
  expect(history.find(({ action }: { action: string }) => action === 'noted').note).toBe('[erased]');
  const changed = history.find(({ changes }: { changes: { field: string }[] | null }) =>
    changes?.some(({ field }) => field === 'email'),
  );
  expect(changed.changes).toContainEqual({ field: 'email', from: null, to: null });
});

test('what still waits to be sent is sent without personal data', async () => {
  const waiting = await testDelivering({}, { workers: 0 });
  const { service, client } = waiting;
  const own = await startReceiver();
  try {
    await make.webhook(client, { url: own.url(), events: ['tenant.created', 'payment.created'] });
    const tenant = await plantTenant(service, client);
    await erase(client, tenant.id);
    waiting.addWorker();
    service.app.workers.wake();
    const received = await own.count(2);
    for (const { body } of received) for (const text of tenant.texts) expect(body).not.toContain(text);
    expect(received.map(({ body }) => JSON.parse(body).event).sort()).toEqual([
      'payment.created',
      'tenant.created',
    ]);
  } finally {
    await waiting.close();
    await own.close();
  }
});

test('a tenant whose lease has not ended is not erased', async () => {
  const client = await delivering.service.client();
  const tenant = await make.tenant(client);
  for (const start_date of [day(-10), day(10)]) {
    const lease = await make.lease(client, { tenant_ids: [tenant.id], start_date });
    const before = await dumpOf(delivering.service, client.accountId);
    expectError(await erase(client, tenant.id), 409, /a lease that has not ended.*End it first/);
    expect(await dumpOf(delivering.service, client.accountId)).toBe(before);
    await client.patch(`/leases/${lease.id}`, { ended_on: start_date });
  }
  expect((await erase(client, tenant.id)).status).toBe(200);
  expectError(await erase(client, unknownId('ten')), 404, 'Not found');
});

test('erasing again changes nothing and sends no event, and erases what was added since', async () => {
  const { service } = delivering;
  const client = await service.client();
  const { id } = await make.tenant(client, { email: 'ada@example.com' });
  const first = await erase(client, id);
  const events = await eventsDuring(service, client, async () => {
    expect((await erase(client, id)).text).toBe(first.text);
  });
  expect(events).toEqual([]);
  await make.payment(client, { tenant_id: id, memo: 'planted-later' });
  await client.patch(`/tenants/${id}`, { notes: 'planted-again' });
  await erase(client, id);
  expect(await whereFound(service, client.accountId, ['planted-later', 'planted-again'])).toEqual([]);
  const { data } = (await client.get(`/tenants/${id}/history`)).body;
  expect(data.filter(({ action }: { action: string }) => action === 'erased')).toHaveLength(3);
});

test('texts of a lease that others are on stay until the last of them is erased', async () => {
  const { service } = delivering;
  const client = await service.client();
  const tenants = [await make.tenant(client), await make.tenant(client)];
  const [first = '', second = ''] = tenants.map(({ id }) => id);
  const dates = { start_date: day(-100), end_date: day(-10), ledger_from: day(-100) };
  const lease = await make.lease(client, { tenant_ids: [first, second], ...dates });
  const memo = 'planted-for-both';
  await client.post('/charges', { lease_id: lease.id, amount_cents: 1, kind: 'fee', due_on: day(-50), memo });
  await erase(client, first);
  expect(await whereFound(service, client.accountId, [memo])).toEqual([
    `charges: ${memo}`,
    `events: ${memo}`,
  ]);
  await erase(client, second);
  expect(await whereFound(service, client.accountId, [memo])).toEqual([]);
});

test('an erasure that was interrupted is finished by a worker, in batches, and what came late is found', async () => {
  const { service } = delivering;
  const { db } = service.database;
  const client = await service.client();
  const { accountId } = client;
  const { id, first_name } = await make.tenant(client, { first_name: 'planted-early' });
  const [created] = await db.query<{ body: string }>(
    sql`select body from events where account_id = ${accountId}`,
  );
  await erase(client, id);
  // The rows look as a request that was running at the time leaves them, and there are many events of others.
  await db.query(sql`
    insert into events (account_id, id, event, body, created_at)
    values (${accountId}, ${newId()}, 'tenant.created', ${created?.body}, now())`);
  await db.query(sql`
    insert into events (account_id, id, event, body, created_at)
    select ${accountId}, overlay(gen_random_uuid()::text placing 'f' from 1)::uuid, 'unit.created', '{}', now()
    from generate_series(1, 1200)`);
  await db.query(sql`
    update erasures set step = 'events', position = null, looks = 0, next_at = now() - interval '1 minute'
    where account_id = ${accountId} and tenant_id = ${parseId('ten', id)}`);
  const positions = new Set<string | null>();
  while (await finish(service)) {
    const [row] = await db.query<{ position: string | null }>(
      sql`select position from erasures where account_id = ${accountId}`,
    );
    positions.add(row?.position ?? null);
  }
  expect(positions.size).toBeGreaterThan(2);
  expect(await whereFound(service, accountId, [first_name])).toEqual([]);
  // After two more looks it is done.
  const later = (hours: number) => new Date(Date.now() + hours * 3_600_000);
  for (const hours of [1, 3]) while (await finish(service, later(hours)));
  expect(await db.query(sql`select next_at from erasures where account_id = ${accountId}`)).toEqual([
    { next_at: null },
  ]);
});

test('changes under way during the erasure are erased from the history too', async () => {
  const { service } = delivering;
  const { db } = service.database;
  const client = await service.client();
  const { accountId } = client;
  const tenant = await make.tenant(client);
  const payment = await make.payment(client, { tenant_id: tenant.id, memo: 'planted-before' });
  const id = parseId('pay', payment.id);
  const { erasing } = await db.transaction(async (tx) => {
    await tx.query(sql`
      update payments set memo = 'planted-meanwhile' where account_id = ${accountId} and id = ${id}`);
    const changes = [{ field: 'memo', from: 'planted-before', to: 'planted-meanwhile' }];
    await tx.query(sql`
      insert into history (account_id, record_id, id, action, changes, actor_type, actor_name, created_at)
      values (${accountId}, ${id}, ${newId()}, 'updated', ${JSON.stringify(changes)}, 'clock', 'Clock', now())`);
    const answer = erase(client, tenant.id);
    await until(async () => (await countLockWaits(db)) > 0);
    return { erasing: answer };
  });
  expect((await erasing).status).toBe(200);
  expect(await whereFound(service, accountId, ['planted-before', 'planted-meanwhile'])).toEqual([]);
});

test('what an endpoint answers to an old event during the erasure is found by a later look', async () => {
  const { service } = delivering;
  const { db } = service.database;
  const client = await service.client();
  const { accountId } = client;
  const { id } = await make.tenant(client);
  await erase(client, id);
  // A worker whose request was running leaves such a row: its id has the time of the event.
  const old = lowestIdAt(new Date(Date.now() - days(2)));
  await db.query(sql`
    insert into deliveries (account_id, id, endpoint_id, event_id, event, kind, status, attempts, response_body,
      created_at, finished_at)
    select ${accountId}, ${old}, ${newId()}, id, event, 'event', 'succeeded', 2, 'planted-answer', now(), now()
    from events where account_id = ${accountId} and event = 'tenant.created'`);
  await db.query(sql`
    insert into delivery_attempts (account_id, delivery_id, attempt, outcome, response_body, started_at)
    values (${accountId}, ${old}, 1, 'rejected', 'planted-answer', now())`);
  expect(await whereFound(service, accountId, ['planted-answer'])).toHaveLength(2);
  while (await finish(service, new Date(Date.now() + minutes(2))));
  expect(await whereFound(service, accountId, ['planted-answer'])).toEqual([]);
});

test("an account whose erasure fails does not hold up another's", async () => {
  const { service } = delivering;
  const { db } = service.database;
  const broken = await service.client();
  const client = await service.client();
  for (const { accountId, ...own } of [broken, client]) {
    const { id } = await make.tenant({ accountId, ...own }, { first_name: 'planted-either' });
    await erase({ accountId, ...own }, id);
    const body =
      accountId === broken.accountId ? `{${id}` : JSON.stringify({ id, first_name: 'planted-late' });
    await db.query(sql`
      insert into events (account_id, id, event, body, created_at)
      values (${accountId}, ${newId()}, 'tenant.created', ${body}, now())`);
  }
  while (await finish(service, new Date(Date.now() + minutes(2))));
  expect(await whereFound(service, client.accountId, ['planted-late'])).toEqual([]);
  const left = await db.query(sql`
    select from erasures where account_id = ${broken.accountId} and step = 'events' and looks = 1`);
  expect(left).toHaveLength(1);
  await db.query(sql`delete from events where account_id = ${broken.accountId}`);
});

test.each(['erased', 'deleted'])(
  'nor what was noted on a lease that was deleted before they were %s',
  async (how) => {
    const { service } = delivering;
    const client = await service.client();
    const [person, other] = [await make.tenant(client), await make.tenant(client)];
    const planted = async (name: string, tenant_ids: string[]) => {
      const start_date = day(-40);
      const lease = await make.lease(client, { tenant_ids, start_date, ledger_from: start_date });
      const texts = ['note', 'memo', 'changed', 'charge'].map((field) => `planted-${name}-${field}`);
      const [note, memo, changed, ofCharge] = texts;
      await client.post(`/leases/${lease.id}/notes`, { note }, { 'idempotency-key': `note-of-${name}` });
      const pets = {
        lease_id: lease.id,
        kind: 'pet',
        amount_cents: 100,
        every: 'month',
        starts_on: day(-35),
        memo,
      };
      const recurring = await client.post('/recurring-charges', pets, {
        'idempotency-key': `pets-of-${name}`,
      });
      expect(recurring.status, recurring.text).toBe(201);
      await client.patch(`/recurring-charges/${recurring.body.data.id}`, { memo: changed });
      const [charge] = (await client.get(`/charges?lease_id=${lease.id}`)).body.data;
      await client.post(`/charges/${charge.id}/notes`, { note: ofCharge });
      expect((await client.delete(`/leases/${lease.id}`)).status).toBe(200);
      return texts;
    };
    const own = await planted('own', [person.id]);
    const shared = await planted('shared', [person.id, other.id]);
    const left = async (texts: string[]) =>
      (await whereFound(service, client.accountId, texts)).map((each) => each.split(': ')[1]);
    expect(new Set(await left(own))).toEqual(new Set(own));
    const go = ({ id }: { id: string }) =>
      how === 'erased' ? erase(client, id) : client.delete(`/tenants/${id}`);

    expect((await go(person)).status).toBe(200);
    while (await finish(service));
    expect(await left(own)).toEqual([]);
    expect(new Set(await left(shared))).toEqual(new Set(shared));
    expect((await go(other)).status).toBe(200);
    while (await finish(service));
    expect(await left(shared)).toEqual([]);
  },
);

test('nor in the history of a request that was theirs, up to the change that gave it to somebody else', async () => {
  const { service } = delivering;
  const client = await service.client();
  const [person, other] = [await make.tenant(client), await make.tenant(client)];
  const { id: property_id } = await make.property(client);
  const title = 'planted-request';
  const later = 'planted-for-the-other';
  for (const tenant_id of [other.id, null]) {
    const asked = { property_id, tenant_id: person.id, title, description: title };
    const { id } = (await client.post('/maintenance', asked)).body.data;
    await client.post(
      `/maintenance/${id}/notes`,
      { note: title },
      { 'idempotency-key': `note-for-${tenant_id}` },
    );
    await client.patch(`/maintenance/${id}`, { tenant_id, title: 'Something else', description: null });
    await client.post(`/maintenance/${id}/notes`, { note: later });
  }
  expect((await whereFound(service, client.accountId, [title])).join()).toContain('history');
  expect((await erase(client, person.id)).status).toBe(200);
  while (await finish(service));
  expect(await whereFound(service, client.accountId, [title, later])).toEqual([`history: ${later}`]);
});

test('nothing personal is left of a tenant who was deleted', async () => {
  const { service } = delivering;
  const client = await service.client();
  const [early, late, note] = ['planted-deleted', 'planted-changed', 'planted-noted'];
  const sent = { first_name: early, last_name: early, email: `${early}@example.com` };
  const { id } = (await client.post('/tenants', sent, { 'idempotency-key': 'once' })).body.data;
  await client.patch(`/tenants/${id}`, { first_name: late, notes: late });
  await client.post(`/tenants/${id}/notes`, { note }, { 'idempotency-key': 'once-more' });
  await client.get(`/tenants?format=csv&q=${early}`);
  expect((await client.delete(`/tenants/${id}`)).status).toBe(200);
  const texts = [early, late, note];
  expect((await whereFound(service, client.accountId, texts)).join()).not.toContain('history');
  while (await finish(service));
  expect(await whereFound(service, client.accountId, texts)).toEqual([]);
  const history = (await client.get(`/tenants/${id}/history`)).body.data;
  expect(history.map(({ action }: { action: string }) => action)).toEqual([
    'deleted',
    'noted',
    'updated',
    'created',
  ]);
});

test('a key needs the scopes of all that is taken out or erased', async () => {
  const { service } = delivering;
  const { accountId, ...all } = await service.client();
  const { id } = await make.tenant({ accountId, ...all });
  const limited = await service.client({ accountId, scopes: ['tenants', 'leases'] });
  for (const answer of [await limited.get(`/tenants/${id}/export`), await erase(limited, id)])
    expectError(answer, 403, 'This key lacks the scope payments.');
  const reading = await service.client({ accountId, permission: 'read' });
  expectError(await erase(reading, id), 403, 'Forbidden');
  expect((await reading.get(`/tenants/${id}/export`)).status).toBe(200);
});
