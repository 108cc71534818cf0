import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Delivering, testDelivering } from '../../../test/support/delivering.ts';
import { spawnServer, until } from '../../../test/support/process.ts';
import { claimDeliveries, queueDeliveries, succeeded } from '../../../test/support/queue.ts';
import { acknowledge, hang, type Receiver, startReceiver } from '../../../test/support/receiver.ts';
import { sql } from '../../db/sql.ts';
import { formatId, newId, parseId } from '../../ids.ts';
import { cancelQueued } from '../../webhooks/cancel-queued.ts';
import type { OutcomeKind } from '../sending/outcome.ts';
import { settle } from './across-accounts.store.ts';
import { ClaimLeases } from './claim-leases.ts';
import { type Delivery, laneIdOf } from './delivery.ts';
import { renewLeases } from './queue.store.ts';

let receiver: Receiver;
let delivering: Delivering;

const claimAll = (claimId: string, leaseMs?: number) =>
  claimDeliveries(delivering.service.database.db, { claimId, ...(leaseMs !== undefined && { leaseMs }) });

const tryAgain = (delivery: Delivery, kind: OutcomeKind = 'http_error'): Delivery => {
  const { outcome, settlement, ...rest } = succeeded(delivery);
  return {
    ...rest,
    outcome: outcome && { ...outcome, kind },
    settlement: settlement && { ...settlement, status: null, waitMs: 1_000 },
  };
};

async function everything() {
  const { db } = delivering.service.database;
  return {
    queue: await db.query(sql`select * from delivery_queue order by id`),
    log: await db.query(sql`select * from deliveries order by id`),
    attempts: await db.query(sql`select * from delivery_attempts order by delivery_id, attempt`),
    endpoints: await db.query(sql`select * from webhook_endpoints order by id`),
  };
}

describe('claims', () => {
  beforeEach(async () => {
    receiver = await startReceiver();
    delivering = await testDelivering({}, { workers: 0 });
  });
  afterEach(async () => {
    await delivering.close();
    await receiver.close();
  });

  test('a settle that comes after the lease was lost changes nothing', async () => {
    const { db } = delivering.service.database;
    const webhook = await delivering.subscribe(receiver.url());
    await delivering.enqueue(3, [webhook.id]);
    const [late, inTime] = [newId(), newId()];
    const [lost, alsoLost, kept] = await claimAll(late, 0);
    if (!lost || !alsoLost || !kept) throw new Error('nothing was claimed');
    // Their leases have expired, and another worker takes two of them.
    await db.query(
      sql`update delivery_queue set lease_until = now() + interval '1 minute' where id = ${kept.id}`,
    );
    const again = await claimAll(inTime);
    expect(again.map(({ id, attempt }) => [id, attempt])).toEqual([
      [lost.id, 2],
      [alsoLost.id, 2],
    ]);
    const before = await everything();

    expect(await settle(db, [succeeded(lost), tryAgain(alsoLost)], new Date())).toEqual({
      count: 0,
      lost: [lost.id, alsoLost.id],
      disabled: [],
    });
    expect(await renewLeases(db, [lost])).toEqual(new Set());
    expect(await everything()).toEqual(before);

    // A stale claim does not disturb valid ones beside it.
    const batch = [lost, kept, ...again.slice(1)].map(succeeded);
    expect(await settle(db, batch, new Date())).toEqual({ count: 2, lost: [lost.id], disabled: [] });
    const after = await everything();
    expect(after.queue).toHaveLength(1);
    expect(after.log).toHaveLength(2);

    // Recording it again changes nothing.
    await settle(db, batch, new Date());
    expect(await everything()).toEqual(after);
  });

  test('of a batch of results, failures before the last success of their endpoint are forgiven', async () => {
    const { db } = delivering.service.database;
    const webhooks = [];
    for (const path of ['/mends', '/breaks', '/other'])
      webhooks.push(await delivering.subscribe(receiver.url(path)));
    const ids = webhooks.map(({ id }) => id);
    await delivering.enqueue(9, ids);
    const rows = await claimAll(newId());
    const [mends = '', breaks = '', other = ''] = ids.map((id) => parseId('we', id) ?? '');
    const results = [
      [mends, 'http_error'],
      [breaks, 'success'],
      [other, 'timeout'],
      [breaks, 'http_error'],
      [mends, 'http_error'],
      [mends, 'success'],
      [breaks, 'timeout'],
    ] as const;
    const batch = results.map(([endpoint, outcome]) => {
      const at = rows.findIndex(({ endpointId }) => endpointId === endpoint);
      const [row] = rows.splice(at, 1);
      if (row === undefined) throw new Error('Nothing was claimed for it.');
      return outcome === 'success' ? succeeded(row) : tryAgain(row, outcome);
    });
    expect(await settle(db, batch, new Date())).toMatchObject({ count: batch.length });
    const counts = await db.query<{ id: string; failure_count: number }>(
      sql`select id, failure_count, failing_since is not null as failing from webhook_endpoints`,
    );
    expect(new Map(counts.map(({ id, ...health }) => [id, health]))).toEqual(
      new Map([
        [mends, { failure_count: 0, failing: false }],
        [breaks, { failure_count: 2, failing: true }],
        [other, { failure_count: 1, failing: true }],
      ]),
    );
  });

  test('each goes round all lanes, takes a quota from each and passes over lanes without room', async () => {
    const { db } = delivering.service.database;
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push((await delivering.subscribe(receiver.url(`/${i}`))).id);
    await delivering.enqueue(5, ids);
    const lanes = (await db.query<{ id: string }>(sql`select id from webhook_endpoints order by id`)).map(
      (row) => row.id,
    );
    const take = async (after: string | undefined, most: number, rooms: Record<string, number>) => {
      const taken = await claimDeliveries(db, { after: after ?? '', most, perLane: 2, rooms });
      return taken.map((delivery) => lanes.indexOf(laneIdOf(delivery)));
    };
    expect(await take(lanes[1], 5, {})).toEqual([2, 2, 3, 3, 0]);
    expect(await take(lanes[0], 100, { [lanes[2] ?? '']: 0, [lanes[3] ?? '']: 3 })).toEqual([
      1, 1, 3, 3, 3, 0, 0,
    ]);
    expect(await take(lanes[3], 100, {})).toEqual([0, 0, 1, 1, 2, 2]);
    expect(await take(lanes[3], 100, {})).toEqual([1, 2]);
    expect(await take(lanes[3], 100, {})).toEqual([]);
  });

  test('whose lease has run out are renewed before anything else is claimed, or were lost', async () => {
    const { app } = delivering.service;
    const webhook = await delivering.subscribe(receiver.url());
    await delivering.enqueue(2, [webhook.id]);
    const leases = new ClaimLeases(app, 10);
    expect(leases.isUnsure).toBe(false);
    const now = performance.now();
    const deliveries = (await claimAll(newId(), 0)).map((delivery) => ({
      ...delivery,
      claimedAt: now - 11_000,
      leasedUntil: now - 1_000,
    }));
    for (const delivery of deliveries) leases.add(delivery);
    expect(leases.isUnsure).toBe(true);

    const away = { ...app, db: { ...app.db, query: () => Promise.reject(new Error('away')) } };
    const withoutDatabase = new ClaimLeases(away, 10);
    for (const delivery of deliveries) withoutDatabase.add({ ...delivery });
    await withoutDatabase.renew(performance.now());
    expect(withoutDatabase.isUnsure).toBe(true);

    // Another worker has taken one of them in the meantime. Nobody has to wait for that.
    await app.db.query(
      sql`update delivery_queue set claim_id = ${newId()} where id = ${deliveries[0]?.id ?? ''}`,
    );
    await leases.renew(performance.now());
    expect(leases.isUnsure).toBe(false);
    expect(deliveries.map(({ leasedUntil }) => leasedUntil > now)).toEqual([false, true]);
    expect((await claimAll(newId())).map(({ id }) => id)).toEqual([deliveries[0]?.id]);
  });

  test('a result that waits for the database keeps its lease, however long; what was forgotten does not', async () => {
    const { app } = delivering.service;
    const webhook = await delivering.subscribe(receiver.url());
    await delivering.enqueue(2, [webhook.id]);
    const leases = new ClaimLeases(app, 10);
    const longAgo = performance.now() - 3_600_000;
    for (const [n, delivery] of (await claimAll(newId())).entries())
      leases.add({
        ...(n === 0 ? succeeded(delivery) : delivery),
        claimedAt: longAgo,
        leasedUntil: longAgo + 10_000,
      });
    await leases.renew(performance.now());
    expect(leases.room(0)).toBe(9);
  });

  test("a worker's cancelling of a disabled endpoint's queue ends when the owner enables it again", async () => {
    const { db } = delivering.service.database;
    const webhook = await delivering.subscribe(receiver.url());
    const cancel = () =>
      cancelQueued(db, delivering.client.accountId, webhook.id.replace('we_', ''), new Date(), 'waiting');
    await delivering.enqueue(2, [webhook.id]);
    expect(await cancel()).toBe(0);
    await db.query(sql`update webhook_endpoints set status = 'disabled', disabled_reason = 'gone'`);
    expect(await cancel()).toBe(2);
    await delivering.client.patch(`/webhooks/${webhook.id}`, { status: 'active' });
    await delivering.enqueue(3, [webhook.id]);
    expect(await cancel()).toBe(0);
    await db.query(sql`delete from webhook_endpoints`);
    expect(await cancel()).toBe(3);
  });

  test('an attempt is counted when it is claimed; the last one is not repeated after a crash', async () => {
    const { db } = delivering.service.database;
    const webhook = await delivering.subscribe(receiver.url());
    await delivering.enqueue(2, [webhook.id]);
    const rows = await claimAll(newId());
    // One worker died during the last attempt, one during an earlier one.
    await db.query(
      sql`update delivery_queue set attempts = 5, lease_until = now() where id = ${rows[0]?.id}`,
    );
    await db.query(
      sql`update delivery_queue set attempts = 2, lease_until = now() where id = ${rows[1]?.id}`,
    );
    delivering.addWorker();
    const last = await delivering.finished(`dlv_${rows[0]?.id.replaceAll('-', '')}`);
    expect(last).toMatchObject({
      status: 'failed',
      attempt_count: 5,
      last_error: expect.stringContaining('last attempt'),
    });
    expect(last.attempts).toMatchObject([
      { attempt: 5, outcome: 'interrupted', request: null, duration_ms: null },
    ]);
    const earlier = await delivering.finished(`dlv_${rows[1]?.id.replaceAll('-', '')}`);
    expect(earlier).toMatchObject({ status: 'succeeded', attempt_count: 3 });
    expect(earlier.attempts).toMatchObject([
      { attempt: 2, outcome: 'interrupted' },
      { attempt: 3, outcome: 'success' },
    ]);
    expect(receiver.received.length).toBe(1);
  });
});

describe.concurrent('a worker that is killed', () => {
  test('leaves its deliveries to another within 30 s, without anyone doing anything', async () => {
    const [delivering, receiver] = await ownService(0);
    const webhook = await delivering.subscribe(receiver.url());
    receiver.answer(hang);
    await delivering.enqueue(10, [webhook.id]);
    const victim = spawnServer(
      {
        DATABASE_URL: delivering.service.database.url,
        SECRET_KEY: 'a secret key of at least 32 characters',
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
      },
      'worker',
    );
    await receiver.count(4);
    victim.kill('SIGKILL');
    await victim.ended;
    const killedAt = performance.now();
    const inFlight = receiver.received.map(({ headers }) => headers['x-service-delivery']);
    receiver.answer(acknowledge);
    delivering.addWorker();
    const again = () =>
      receiver.received.slice(inFlight.length).map(({ headers }) => headers['x-service-delivery']);
    await until(() => inFlight.every((id) => again().includes(id)));
    const seconds = (performance.now() - killedAt) / 1000;
    console.log(`a killed worker's deliveries went out again after ${seconds.toFixed(1)} s`);
    expect(seconds).toBeLessThan(30);
    for (const id of inFlight) {
      expect(await delivering.finished(id ?? '')).toMatchObject({ status: 'succeeded', attempt_count: 2 });
    }
    await delivering.close();
    await receiver.close();
  });

  test('is distinguished from one that waits for a slow answer, whose lease is renewed', async () => {
    const [delivering, receiver] = await ownService(2);
    const webhook = await delivering.subscribe(receiver.url());
    receiver.answer((_received, response) => void setTimeout(() => response.end(), 12_000));
    await delivering.enqueue(1, [webhook.id]);
    const { id } = await delivering.deliveryTo(webhook.id);
    // The wait is longer than any lease, and a second worker looks for something to do every second.
    expect(await delivering.finished(id)).toMatchObject({ status: 'succeeded', attempt_count: 1 });
    expect(receiver.received.length).toBe(1);
    await delivering.close();
    await receiver.close();
  });
});

test('a delivery that is seen before its event waits for it, and no attempt is counted', async () => {
  const [early, receiver] = await Promise.all([testDelivering(), startReceiver()]);
  const { db } = early.service.database;
  const webhook = await early.subscribe(receiver.url());
  const [id, eventId, account] = [newId(), newId(), early.client.accountId];
  await queueDeliveries(db, { accountId: account, endpointId: parseId('we', webhook.id) ?? '', id, eventId });
  early.service.app.workers.wake();
  const looked = sql`select from delivery_queue where id = ${id} and not ready and claim_id is null and next_at > created_at`;
  await until(async () => (await db.query(looked)).length === 1);
  await db.query(sql`
    insert into events (account_id, id, event, body, created_at)
    values (${account}, ${eventId}, 'tenant.created', '{}', now())`);
  expect(await early.finished(formatId('dlv', id))).toMatchObject({ status: 'succeeded', attempt_count: 1 });
  await early.close();
  await receiver.close();
});

test("an endpoint locked in the database does not hold up others' deliveries", async () => {
  const [held, receiver] = await Promise.all([
    testDelivering({ WEBHOOK_CONCURRENCY: '4', DATABASE_TIMEOUT_MS: '3000' }),
    startReceiver(),
  ]);
  const [stuck, other] = [
    await held.subscribe(receiver.url('/stuck')),
    await held.subscribe(receiver.url('/other')),
  ];
  // A change of it keeps the lock, on a machine that lost its power in the middle.
  const holder = new pg.Client(held.service.database.connection);
  await holder.connect();
  await holder.query('begin; set local idle_in_transaction_session_timeout = 0');
  await holder.query('select from webhook_endpoints where account_id = $1 and url = $2 for update', [
    held.client.accountId,
    receiver.url('/stuck'),
  ]);
  // These are enough to fill every slot if the endpoint were served on and on.
  await held.enqueue(60, [stuck.id]);
  await receiver.count(1, '/stuck');
  await held.enqueue(12, [other.id]);
  // There are many more than may be in flight or held. They are claimed only as the results of others are recorded.
  await until(async () => {
    const { body } = await held.client.get(`/webhooks/${other.id}/deliveries?status=succeeded&limit=100`);
    return body.count === 12;
  });
  expect((await held.deliveryTo(stuck.id)).status).toBe('pending');
  await holder.query('rollback');
  await holder.end();
  const { id } = await held.deliveryTo(stuck.id);
  expect(await held.finished(id)).toMatchObject({ status: 'succeeded', attempt_count: 1 });
  await held.close();
  await receiver.close();
});

const ownService = (workers: number) =>
  Promise.all([testDelivering({ WEBHOOK_TIMEOUT_MS: '30000' }, { workers }), startReceiver()]);
