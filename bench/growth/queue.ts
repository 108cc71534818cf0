import type { Database } from '../../src/db/connect.ts';
import { sql } from '../../src/db/sql.ts';
import { settle } from '../../src/deliveries/engine/across-accounts.store.ts';
import { type Delivery, laneIdOf } from '../../src/deliveries/engine/delivery.ts';
import { promoteDue } from '../../src/deliveries/engine/queue.store.ts';
import { claimDeliveries, succeeded } from '../../test/support/queue.ts';
import { spread } from '../lib/stats.ts';

/*
 * A worker's statements without the worker: claim, read what was claimed, settle. Each batch is as big as a worker
 * with its usual settings takes.
 */

const batch = 100;
const batches = 15;
const perLane = 4;
const eachEndpoint = 20;

/** Queues 20 deliveries for each of this many endpoints, and then claims and settles batches of them. */
export async function timeQueue(
  db: Database,
  endpoints: number,
): Promise<Record<'claimMs' | 'settleMs', number>> {
  await queue(db, endpoints);
  // What a worker looks at every second: how big the tables are.
  await promoteDue(db, batch);
  const claims: number[] = [];
  const settles: number[] = [];
  const done: Delivery[] = [];
  let after = '00000000-0000-0000-0000-000000000000';
  for (let i = 0; i < batches; i++) {
    const started = performance.now();
    const claimed = await claimDeliveries(db, { after, most: batch, perLane, leaseMs: 60_000 });
    claims.push(performance.now() - started);
    if (claimed.length !== batch)
      throw new Error(`${claimed.length} deliveries were claimed instead of ${batch}.`);
    const last = claimed.at(-1);
    if (last !== undefined) after = laneIdOf(last);
    const answered = claimed.map(succeeded);
    const settling = performance.now();
    const { count } = await settle(db, answered, new Date());
    settles.push(performance.now() - settling);
    if (count !== batch) throw new Error(`${count} deliveries were settled instead of ${batch}.`);
    done.push(...claimed);
  }
  await forget(db, done);
  return { claimMs: spread(claims).median, settleMs: spread(settles).median };
}

async function queue(db: Database, endpoints: number): Promise<void> {
  await db.query(sql`
    insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
    select gen_random_uuid(), w.account_id, w.id, gen_random_uuid(), 'payment.created', 'event', true, now(), now()
    from (select account_id, id from webhook_endpoints order by id limit ${endpoints}) w,
      generate_series(1, ${eachEndpoint}::integer)`);
  await db.query(sql`vacuum analyze delivery_queue`);
}

/** Restores the tables, so that the next round finds the same. */
async function forget(db: Database, deliveries: Delivery[]): Promise<void> {
  await db.query(sql`truncate delivery_queue`);
  const accounts = deliveries.map(({ accountId }) => accountId);
  const ids = deliveries.map(({ id }) => id);
  const done = sql`unnest(${accounts}::uuid[], ${ids}::uuid[]) as done(account_id, id)`;
  await db.query(
    sql`delete from deliveries d using ${done} where d.account_id = done.account_id and d.id = done.id`,
  );
  await db.query(
    sql`delete from delivery_attempts a using ${done} where a.account_id = done.account_id and a.delivery_id = done.id`,
  );
}
