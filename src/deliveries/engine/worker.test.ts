import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isCluster } from '../../../test/support/database.ts';
import { type Delivering, testDelivering } from '../../../test/support/delivering.ts';
import { until } from '../../../test/support/process.ts';
import { queueDeliveries } from '../../../test/support/queue.ts';
import {
  acknowledge,
  answerWith,
  hang,
  type Receiver,
  startReceiver,
} from '../../../test/support/receiver.ts';
import { make } from '../../../test/support/records.ts';
import { hours } from '../../clock.ts';
import { sql } from '../../db/sql.ts';
import { wakeChannel } from './wake-signal.ts';

let receiver: Receiver;
let delivering: Delivering;

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await delivering.close();
  await receiver.close();
});

const countBy = (values: (string | undefined)[]) => {
  const counts = new Map<string | undefined, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

describe('many deliveries', () => {
  // On a busy machine an answer may take long, and one that comes too late would be asked for again.
  const patient = { WEBHOOK_TIMEOUT_MS: '60000' };

  test('two workers, 5,000 deliveries: each is received exactly once', async () => {
    delivering = await testDelivering(patient, { workers: 2 });
    const webhooks = [];
    for (let i = 0; i < 10; i++) webhooks.push(await delivering.subscribe(receiver.url(`/${i}`)));
    await delivering.enqueue(
      500,
      webhooks.map(({ id }) => id),
    );
    delivering.service.app.workers.wake();
    const requests = await receiver.count(5_000);
    await until(async () => (await queueLength()) === 0);
    const times = countBy(requests.map(({ headers }) => headers['x-service-delivery']));
    expect(times.size).toBe(5_000);
    expect(Math.max(...times.values())).toBe(1);
    expect(receiver.received.length).toBe(5_000);
    const [log] = await delivering.service.database.db.query<{ succeeded: number; attempts: number }>(sql`
      select count(*) filter (where status = 'succeeded' and attempts = 1)::integer as succeeded,
        count(*) filter (where outcome = 'success' and signature <> '')::integer as attempts from deliveries`);
    expect(log).toEqual({ succeeded: 5_000, attempts: 5_000 });
  });

  test('take far fewer statements than deliveries', async () => {
    delivering = await testDelivering(patient, { workers: 0 });
    const webhook = await delivering.subscribe(receiver.url());
    await delivering.enqueue(3_000, [webhook.id]);
    const statements = countStatements();
    delivering.addWorker();
    await receiver.count(3_000);
    await until(async () => (await queueLength()) === 0);
    console.log(`${statements.count} statements for 3000 deliveries (${statements.count / 3000} each)`);
    // On a cluster a claim is three statements: the queue, the events and the endpoints are on different nodes.
    expect(statements.count / 3_000).toBeLessThan(isCluster() ? 0.4 : 0.2);
  });
});

/** Counts every statement that the process sends, through the pool's clients. */
function countStatements(): { count: number } {
  const counter = { count: 0 };
  const { pool } = delivering.service.database.db;
  pool.on('acquire', () => {
    counter.count++;
  });
  return counter;
}

async function queueLength(): Promise<number> {
  const [row] = await delivering.service.database.db.query<{ count: number }>(
    sql`select count(*)::integer as count from delivery_queue`,
  );
  return row?.count ?? 0;
}

test('tests of an endpoint that has begun to hang leave room for everybody else', async () => {
  delivering = await testDelivering({ WEBHOOK_TIMEOUT_MS: '60000' });
  const hanging = await delivering.subscribe(receiver.url('/hanging'));
  const healthy = await delivering.subscribe(receiver.url('/healthy'));
  // Both endpoints have answered before.
  await delivering.enqueue(1, [hanging.id, healthy.id]);
  await receiver.count(2);
  await until(async () => (await queueLength()) === 0);
  receiver.answer((received, response) => {
    if (received.path === '/healthy') response.end();
  });
  const { db } = delivering.service.database;
  const [event] = await db.query<{ id: string }>(sql`select id from events limit 1`);
  await queueDeliveries(db, {
    accountId: delivering.client.accountId,
    endpointId: hanging.id.replace('we_', ''),
    eventId: event?.id ?? '',
    kind: 'test',
    count: 300,
  });
  delivering.service.app.workers.wake();
  await receiver.count(30, '/hanging');
  const started = performance.now();
  await delivering.enqueue(100, [healthy.id]);
  delivering.service.app.workers.wake();
  await receiver.count(101, '/healthy');
  // They occupy their slots for 60 s.
  expect(performance.now() - started).toBeLessThan(50_000);
  await delivering.client.delete(`/webhooks/${hanging.id}`);
});

const untilListening = (workers: number) =>
  until(async () => {
    const listeners = await delivering.service.database.db.query(sql`
      select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`);
    return listeners.length === workers;
  });

describe('waking', () => {
  test('a write of this process is sent at once, and so is one announced by another process', async () => {
    delivering = await testDelivering({}, { workers: 0 });
    // By itself it would look only in an hour.
    delivering.addWorker({ pollEveryMs: hours(1) });
    const webhook = await delivering.subscribe(receiver.url());
    const { db } = delivering.service.database;
    for (let count = 1; count <= 5; count++) {
      await make.tenant(delivering.client);
      await receiver.count(count);
    }
    await untilListening(1);
    for (let count = 6; count <= 10; count++) {
      await delivering.enqueue(1, [webhook.id]);
      await db.query(sql`select pg_notify(${wakeChannel}, 'somebody else')`);
      await receiver.count(count);
    }
  });

  test('without any signal, looking every second is enough', async () => {
    delivering = await testDelivering();
    const webhook = await delivering.subscribe(receiver.url());
    await delivering.enqueue(1, [webhook.id]);
    await receiver.count(1);
  });

  test('the listener comes back after its connection was lost', async () => {
    delivering = await testDelivering();
    const webhook = await delivering.subscribe(receiver.url());
    const { db } = delivering.service.database;
    await untilListening(1);
    await db.query(sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`);
    await untilListening(1);
    await delivering.enqueue(1, [webhook.id]);
    await receiver.count(1);
  });
});

describe('a worker', () => {
  test('says that it is alive, and signs off when it stops', async () => {
    delivering = await testDelivering({}, { workers: 0 });
    const { db } = delivering.service.database;
    await db.query(
      sql`insert into workers values (gen_random_uuid(), 'dead', 1, '0', now(), now() - interval '2 minutes')`,
    );
    const worker = delivering.addWorker();
    const alive = () => db.query<{ id: string }>(sql`select id from workers`);
    await until(async () => (await alive()).map(({ id }) => id).join() === worker.id);
    expect(worker.isStuck()).toBe(false);
    await worker.stop();
    expect(await alive()).toEqual([]);
  });

  test('that makes no progress is reported as stuck, and recovers', async () => {
    delivering = await testDelivering({}, { workers: 0 });
    const webhook = await delivering.subscribe(receiver.url());
    const worker = delivering.addWorker({ stuckAfterMs: 1_500 });
    await delivering.service.database.db.transaction(async (tx) => {
      await tx.query(sql`lock table delivery_queue in access exclusive mode`);
      await until(() => worker.isStuck());
    });
    await until(() => !worker.isStuck());
    await delivering.enqueue(1, [webhook.id]);
    await receiver.count(1);
  });

  test('that is stopped lets what is in flight end and gives back the rest uncounted', async () => {
    delivering = await testDelivering({ WEBHOOK_TIMEOUT_MS: '5000' }, { workers: 0 });
    const { db } = delivering.service.database;
    const webhook = await delivering.subscribe(receiver.url());
    await delivering.enqueue(60, [webhook.id]);
    // The first answer makes the worker claim ahead. The next ones take a while, and one never comes.
    receiver.answer((received, response) => {
      const at = receiver.received.indexOf(received);
      if (at !== 5) setTimeout(() => response.end(), at < 4 ? 0 : 100);
    });
    const worker = delivering.addWorker({ graceMs: 1_000 });
    await receiver.count(8);
    await worker.stop();
    const answered = receiver.received.length - 1;
    const rows = await db.query<{ attempts: number; count: number }>(sql`
      select attempts, count(*)::integer as count from delivery_queue where lease_until is null and claim_id is null and ready
      group by attempts order by attempts`);
    // The attempt that was broken off may have been received, so it stays counted.
    expect(rows).toEqual([
      { attempts: 0, count: 60 - answered - 1 },
      { attempts: 1, count: 1 },
    ]);
    expect(await db.query(sql`select from deliveries where status = 'succeeded'`)).toHaveLength(answered);

    receiver.answer(acknowledge);
    delivering.addWorker();
    await until(async () => (await queueLength()) === 0);
    expect(countBy(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(60);
    expect(receiver.received.length).toBe(61);
  });

  test('keeps results while the database is away, and writes them down when it is back', async () => {
    delivering = await testDelivering();
    const { db } = delivering.service.database;
    const webhook = await delivering.subscribe(receiver.url());
    let breaking = true;
    const breakAll = (async () => {
      while (breaking) {
        await db
          .query(
            sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
          )
          .catch(() => undefined);
        // On a cluster everything takes longer, even opening a connection.
        await sleep(isCluster() ? 1_000 : 20);
      }
    })();
    await until(() =>
      delivering.enqueue(300, [webhook.id]).then(
        () => true,
        () => false,
      ),
    );
    await receiver.count(150);
    breaking = false;
    await breakAll;
    await receiver.count(300);
    await until(async () => (await queueLength()) === 0);
    const [log] = await db.query<{ count: number }>(
      sql`select count(*)::integer as count from deliveries where status = 'succeeded'`,
    );
    expect(log?.count).toBe(300);
    // Each result was recorded while its lease was valid, so none was sent twice.
    expect(receiver.received.length).toBe(300);
  });
});

describe('fairness', () => {
  test('healthy endpoints are served while a hanging one has 10,000 deliveries queued and ten more hang', async () => {
    delivering = await testDelivering({ WEBHOOK_TIMEOUT_MS: '60000' }, { workers: 0 });
    const hanging = await startReceiver(hang);
    const stuck = [];
    for (let i = 0; i < 11; i++)
      stuck.push((await delivering.subscribe(hanging.url(`/${i}`), ['unit.created'])).id);
    const healthy = [];
    for (let i = 0; i < 20; i++) healthy.push((await delivering.subscribe(receiver.url(`/${i}`))).id);
    await delivering.enqueue(10_000, stuck.slice(0, 1));
    await delivering.enqueue(100, stuck.slice(1));
    await delivering.enqueue(50, healthy);
    const started = performance.now();
    delivering.addWorker();
    await receiver.count(1_000);
    const ms = Math.round(performance.now() - started);
    console.log(`1000 healthy deliveries in ${ms} ms, ${hanging.received.length} hanging`);
    // This is long before any hanging attempt times out.
    expect(ms).toBeLessThan(50_000);
    expect(hanging.received.length).toBeGreaterThanOrEqual(11);
    expect(hanging.received.length).toBeLessThanOrEqual(44);
    // None of them was claimed only to wait here.
    const [leased] = await delivering.service.database.db.query<{ count: number }>(sql`
      select count(*)::integer as count from delivery_queue where lease_until > now()
      and endpoint_id = any(${stuck.map((id) => id.replace('we_', ''))}::uuid[])`);
    expect(leased?.count).toBe(hanging.received.length);
    await hanging.close();
  });

  test('a hundred hanging endpoints leave an endpoint that has answered before its slots', async () => {
    delivering = await testDelivering({ WEBHOOK_TIMEOUT_MS: '60000', WEBHOOK_CONCURRENCY: '16' });
    const hanging = await startReceiver(hang);
    const webhook = await delivering.subscribe(receiver.url());
    await delivering.client.post(`/webhooks/${webhook.id}/test`);
    await make.tenant(delivering.client);
    await receiver.count(2);
    for (let i = 0; i < 60; i++) {
      await make.webhook(delivering.client, { url: hanging.url(`/${i}`), events: ['property.created'] });
    }
    await make.property(delivering.client);
    // First eight are new, and four more are sent when those are found hanging. Then such endpoints have taken all they
    // may.
    await hanging.count(12);
    const before = performance.now();
    await make.tenant(delivering.client);
    await receiver.count(3);
    // This is long before any of those is given up.
    expect(performance.now() - before).toBeLessThan(50_000);
    expect(hanging.received).toHaveLength(12);
    await hanging.close();
  });

  test('an endpoint that asks us to wait gets fewer at a time, a quick one more', async () => {
    delivering = await testDelivering({}, { workers: 0 });
    let busy = 0;
    let most = 0;
    const quick = await startReceiver((_received, response) => {
      most = Math.max(most, ++busy);
      setTimeout(() => {
        busy--;
        response.end();
      }, 20);
    });
    receiver.answer(answerWith(429, { 'retry-after': '3600' }));
    const patient = await delivering.subscribe(receiver.url());
    const eager = await delivering.subscribe(quick.url());
    await delivering.enqueue(2_000, [eager.id]);
    await delivering.enqueue(20, [patient.id]);
    delivering.addWorker();
    await quick.count(2_000);
    // Beside others the receiver may answer late now and then, and the limit comes down again.
    for (let sent = 2_500; most <= 30; sent += 500) {
      await delivering.enqueue(500, [eager.id]);
      await quick.count(sent);
    }
    expect(most).toBeLessThanOrEqual(64);
    await receiver.count(20);
    await quick.close();
  });
});
