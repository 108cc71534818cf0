import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Delivering, testDelivering } from '../../test/support/delivering.ts';
import { queueDeliveries } from '../../test/support/queue.ts';
import { type Receiver, startReceiver } from '../../test/support/receiver.ts';
import { expectError, expectInvalid, make, unknownId } from '../../test/support/records.ts';
import { hours } from '../clock.ts';
import { sql } from '../db/sql.ts';
import { Event } from '../events/events.schema.ts';
import { listOf, singleOf } from '../shapes.ts';
import { Delivery, DeliveryWithAttempts } from './deliveries.schema.ts';

let delivering: Delivering;
let receiver: Receiver;

beforeAll(async () => {
  delivering = await testDelivering();
  receiver = await startReceiver();
});
afterAll(async () => {
  await delivering.close();
  await receiver.close();
});

/** Makes an endpoint with deliveries in every state, some in the queue and some in the log. */
async function withDeliveries() {
  const events = ['tenant.created', 'property.created'];
  const webhook = await delivering.subscribe(receiver.url('/listed'), ['lease.ended']);
  const { db } = delivering.service.database;
  const uuid = webhook.id.slice(3);
  let n = 0;
  const add = (table: 'log' | 'queue', status: string, event: string) => {
    const id = `019a8b2c-0000-7000-8000-${uuid.slice(-6)}${String(++n).padStart(6, '0')}`;
    const { accountId } = delivering.client;
    return table === 'queue'
      ? queueDeliveries(db, { accountId, endpointId: uuid, id, eventId: id, event, waitMs: hours(1) })
      : db.query(sql`
          insert into deliveries (id, account_id, endpoint_id, event_id, event, kind, status, attempts, created_at, finished_at)
          values (${id}, ${accountId}, ${uuid}, ${id}, ${event}, 'event', ${status}, 1, now(), now())`);
  };
  for (let round = 0; round < 3; round++) {
    for (const event of events) {
      for (const status of ['succeeded', 'failed', 'cancelled']) await add('log', status, event);
      await add('queue', 'pending', event);
    }
  }
  return webhook;
}

type Item = { id: string; status: string; event: string };
const list = async (path: string): Promise<{ data: Item[]; count: number }> =>
  (await delivering.client.get(path)).body;

describe('the list of deliveries', () => {
  test('has the queue and the log in one, newest first, and pages without skipping or repeating', async () => {
    const webhook = await withDeliveries();
    const all = await list(`/webhooks/${webhook.id}/deliveries`);
    expect(listOf(Delivery).safeParse(all).error).toBeUndefined();
    expect(all.count).toBe(24);
    const ids = all.data.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    const paged: string[] = [];
    let next: string | undefined = `/webhooks/${webhook.id}/deliveries?limit=5`;
    while (next) {
      const answer = await delivering.client.get(next);
      paged.push(...answer.body.data.map(({ id }: Item) => id));
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    expect(paged).toEqual(ids);
  });

  test('can be filtered by status and by event, one or several of each', async () => {
    const webhook = await withDeliveries();
    const path = `/webhooks/${webhook.id}/deliveries`;
    const all = (await list(path)).data;
    for (const status of [['pending'], ['failed'], ['succeeded', 'cancelled'], ['pending', 'failed'], []]) {
      for (const event of [
        ['tenant.created'],
        ['tenant.created', 'property.created'],
        ['unit.created'],
        [],
      ]) {
        const query = new URLSearchParams();
        if (status.length > 0) query.set('status', status.join());
        if (event.length > 0) query.set('event', event.join());
        const wanted = all.filter(
          (item) =>
            (status.length === 0 || status.includes(item.status)) &&
            (event.length === 0 || event.includes(item.event)),
        );
        expect((await list(`${path}?${query}`)).data, String(query)).toEqual(wanted);
      }
    }
    expectInvalid(await delivering.client.get(`${path}?status=delivering`), 'status', /pending/);
    expectInvalid(await delivering.client.get(`${path}?event=tenant.eaten`), 'event', /tenant.created/);
    expect((await list(`${path}?created_since=2100-01-01T00:00:00Z`)).count).toBe(0);
  });
});

test('attempts are shown wherever they are kept: those of deliveries that ended before 0007 are all apart', async () => {
  const { db } = delivering.service.database;
  const webhook = await delivering.subscribe(receiver.url('/kept'), ['lease.ended']);
  const id = '019a8b2c-0000-7000-8000-00000000a001';
  const { accountId } = delivering.client;
  await db.query(sql`
    insert into deliveries (id, account_id, endpoint_id, event_id, event, kind, status, attempts, last_attempt_at, last_status,
      created_at, finished_at)
    values (${id}, ${accountId}, ${webhook.id.slice(3)}, ${id}, 'lease.ended', 'event', 'succeeded', 2, now(), 200, now(), now())`);
  await db.query(sql`
    insert into delivery_attempts (account_id, delivery_id, attempt, started_at, duration_ms, outcome, response_status, error)
    values (${accountId}, ${id}, 1, now(), 5, 'http_error', 500, 'The endpoint answered 500.'),
      (${accountId}, ${id}, 2, now(), 6, 'success', 200, null)`);
  const path = `/deliveries/dlv_${id.replaceAll('-', '')}`;
  const before = (await delivering.client.get(path)).body.data.attempts;
  expect(before).toMatchObject([
    { attempt: 1, outcome: 'http_error', duration_ms: 5, response: { status: 500 } },
    { attempt: 2, outcome: 'success', duration_ms: 6, response: { status: 200 } },
  ]);
  // The answer is the same where a delivery stores its last attempt itself, as it does now.
  await db.query(sql`delete from delivery_attempts where delivery_id = ${id} and attempt = 2`);
  await db.query(
    sql`update deliveries set outcome = 'success', duration_ms = 6, last_attempt_at = ${before[1].started_at} where id = ${id}`,
  );
  expect((await delivering.client.get(path)).body.data.attempts).toEqual(before);
});

describe('redelivering', () => {
  test('is refused while it is on its way, and when the endpoint is disabled or deleted', async () => {
    const { client } = delivering;
    receiver.answer((_received, response) => void response.writeHead(503, { 'retry-after': '3600' }).end());
    const webhook = await delivering.subscribe(receiver.url('/redelivered'));
    await make.tenant(client);
    const { id } = await delivering.deliveryTo(webhook.id);
    expectError(await client.post(`/deliveries/${id}/redeliver`), 409, /still on its way/);
    await client.patch(`/webhooks/${webhook.id}`, { status: 'disabled' });
    await delivering.finished(id);
    expectError(await client.post(`/deliveries/${id}/redeliver`), 409, /disabled/);
    await client.patch(`/webhooks/${webhook.id}`, { status: 'active' });
    receiver.answer((_received, response) => void response.end());
    const again = await client.post(`/deliveries/${id}/redeliver`);
    expect(again.status).toBe(201);
    expect(singleOf(DeliveryWithAttempts).safeParse(again.body).error).toBeUndefined();
    expect(await delivering.finished(again.body.data.id)).toMatchObject({
      status: 'succeeded',
      kind: 'redelivery',
    });
    await client.delete(`/webhooks/${webhook.id}`);
    expectError(await client.post(`/deliveries/${id}/redeliver`), 409, /deleted/);
  });
});

describe('events', () => {
  test('are listed as they were sent, and found by their id', async () => {
    const { client } = delivering;
    const tenant = await make.tenant(client, { first_name: 'Zoë', notes: '<&>\u2028' });
    await make.property(client);
    const answer = await client.get('/events?event=tenant.created&limit=1');
    expect(listOf(Event).safeParse(answer.body).error).toBeUndefined();
    const [event] = answer.body.data;
    expect(event).toMatchObject({ event: 'tenant.created', data: { tenant } });
    const one = await client.get(`/events/${event.id}`);
    expect(one.body).toEqual({ data: event });
    const [row] = await delivering.service.database.db.query<{ body: string }>(
      sql`select body from events where id = ${event.id.slice(4)}`,
    );
    expect(one.text).toBe(`{"data":${row?.body}}`);
    const several = (await client.get('/events?event=tenant.created,property.created')).body.data;
    expect(new Set(several.map(({ event }: Item) => event))).toEqual(
      new Set(['tenant.created', 'property.created']),
    );
    expectInvalid(await client.get('/events?event=nonsense'), 'event');
  });
});

describe("another account's", () => {
  test('deliveries, events and endpoints are not found, and ids of the wrong kind neither', async () => {
    const { client } = delivering;
    const stranger = await delivering.service.client();
    const webhook = await delivering.subscribe(receiver.url('/mine'));
    await make.tenant(client);
    const { id, event_id } = await delivering.finished((await delivering.deliveryTo(webhook.id)).id);
    for (const path of [`/webhooks/${webhook.id}/deliveries`, `/deliveries/${id}`, `/events/${event_id}`]) {
      expect((await client.get(path)).status).toBe(200);
      expectError(await stranger.get(path), 404, 'Not found');
    }
    for (const path of [`/deliveries/${id}/redeliver`, `/webhooks/${webhook.id}/test`]) {
      expectError(await stranger.post(path), 404, 'Not found');
    }
    for (const path of [`/deliveries/${event_id}`, `/deliveries/${unknownId('dlv')}`, `/events/x`]) {
      expectError(await client.get(path), 404, 'Not found');
    }
    const reader = await delivering.service.client({ permission: 'read', accountId: client.accountId });
    expect((await reader.get(`/deliveries/${id}`)).status).toBe(200);
    expectError(await reader.post(`/deliveries/${id}/redeliver`), 403, 'Forbidden');
  });
});

test('failed events are sent again at once, and asking twice sends nothing twice', async () => {
  const webhook = await withDeliveries();
  const { db } = delivering.service.database;
  // Their events are kept: six failed and six cancelled ones, of which none arrived, and six that did.
  await db.query(sql`
    insert into events (account_id, id, event, body, created_at)
    select account_id, event_id, event, '{}', created_at from deliveries
    where account_id = ${delivering.client.accountId} and endpoint_id = ${webhook.id.slice(3)}
    on conflict do nothing`);
  const again = async (body: object) => delivering.client.post(`/webhooks/${webhook.id}/redeliver`, body);
  const since = '2025-01-01T00:00:00Z';
  expect((await again({ since: new Date(Date.now() + hours(1)).toISOString() })).body.data.queued).toBe(0);
  const both = await Promise.all([again({ since }), again({ since })]);
  expect(both.map(({ body }) => body.data.queued).sort((a, b) => a - b)).toEqual([0, 12]);
  // Deliveries that have arrived since are sent once more, too.
  const all = (await again({ since, status: 'all' })).body.data;
  expect(all.queued).toBeGreaterThanOrEqual(6);
  expect(all.more).toBe(false);
  expectInvalid(await again({}), 'since');
  expectInvalid(await again({ since, status: 'pending' }), 'status');
  const other = await delivering.service.client();
  expectError(await other.post(`/webhooks/${webhook.id}/redeliver`, { since }), 404, 'Not found');
  await delivering.client.patch(`/webhooks/${webhook.id}`, { status: 'disabled' });
  expectError(await again({ since }), 409, /disabled/);
});

test('if there are more events than one request queues, each request continues after the previous one, and none is left', async () => {
  const webhook = await delivering.subscribe(receiver.url('/rest'), ['lease.ended']);
  const { accountId } = delivering.client;
  await delivering.service.database.db.query(sql`
    with arrived as (
      insert into deliveries (id, account_id, endpoint_id, event_id, event, kind, status, attempts, created_at, finished_at)
      select id, ${accountId}, ${webhook.id.slice(3)}, id, 'tenant.created', 'event', 'succeeded', 1, now(), now()
      from (select ('019a8b2c-0000-7000-a000-' || lpad(n::text, 12, '0'))::uuid as id from generate_series(1, 5600) n) each
      returning id)
    insert into events (account_id, id, event, body, created_at)
    select ${accountId}, id, 'tenant.created', '{}', now() from arrived`);
  const ask = (more: object, who = delivering.client) =>
    who.post(`/webhooks/${webhook.id}/redeliver`, { since: '2025-01-01T00:00:00Z', status: 'all', ...more });
  const first = (await ask({})).body.data;
  expect(first).toEqual({ queued: 5000, more: true, after: 'evt_019a8b2c00007000a000000000005000' });
  const second = (await ask({ after: first.after })).body.data;
  expect(second).toEqual({ queued: 600, more: false, after: 'evt_019a8b2c00007000a000000000005600' });
  expectInvalid(await ask({ after: unknownId('evt') }), 'after');
  await delivering.client.delete(`/webhooks/${webhook.id}`);
});

test('one request sends each event once, although the first arrive before the last are queued', async () => {
  const webhook = await delivering.subscribe(receiver.url('/again'), ['lease.ended']);
  const { accountId } = delivering.client;
  await delivering.service.database.db.query(sql`
    with arrived as (
      insert into deliveries (id, account_id, endpoint_id, event_id, event, kind, status, attempts, created_at, finished_at)
      select id, ${accountId}, ${webhook.id.slice(3)}, id, 'tenant.created', 'event', 'succeeded', 1, now(), now()
      from (select ('019a8b2c-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid as id from generate_series(1, 600) n) each
      returning id)
    insert into events (account_id, id, event, body, created_at)
    select ${accountId}, id, 'tenant.created', '{}', now() from arrived`);
  const again = await delivering.client.post(`/webhooks/${webhook.id}/redeliver`, {
    since: '2025-01-01T00:00:00Z',
    status: 'all',
  });
  expect(again.body.data).toMatchObject({ queued: 600, more: false });
  await delivering.client.delete(`/webhooks/${webhook.id}`);
});
