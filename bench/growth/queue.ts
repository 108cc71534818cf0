import type { Database } from '../../src/db/connect.ts';
import { sql } from '../../src/db/sql.ts';
import { type ClaimedRow, claim, laneOf, promoteDue } from '../../src/deliveries/engine/claim.ts';
import { settle } from '../../src/deliveries/engine/settle.ts';
import type { Settlement } from '../../src/deliveries/sending/settlement.ts';
import { newId } from '../../src/ids.ts';
import { spread } from '../lib/stats.ts';

/*
 * A worker's statements without the worker: claim, read what was claimed, settle. Each batch is as big as a worker
 * with its usual settings takes.
 */

const batch = 100;
const batches = 15;
const perLane = 4;
const eachEndpoint = 20;

/** Queues 20 deliveries for each of so many endpoints, and then claims and settles batches of them. */
export async function timeQueue(
  db: Database,
  endpoints: number,
): Promise<Record<'claimMs' | 'settleMs', number>> {
  await queue(db, endpoints);
  // What a worker looks at every second: how big the tables are.
  await promoteDue(db, batch);
  const claims: number[] = [];
  const settles: number[] = [];
  const done: ClaimedRow[] = [];
  let after = '00000000-0000-0000-0000-000000000000';
  for (let i = 0; i < batches; i++) {
    const claimId = newId();
    const asked = { claimId, after, most: batch, perLane, rooms: {}, leaseMs: 60_000, maxAttempts: 5 };
    const started = performance.now();
    const { rows } = await claim(db, { ...asked, now: new Date() });
    claims.push(performance.now() - started);
    if (rows.length !== batch) throw new Error(`${rows.length} deliveries were claimed instead of ${batch}.`);
    const last = rows.at(-1);
    if (last !== undefined) after = laneOf(last);
    const settlements = rows.map((row) => succeeded(row, claimId));
    const claimed = performance.now();
    const { count } = await settle(db, settlements, new Date());
    settles.push(performance.now() - claimed);
    if (count !== batch) throw new Error(`${count} deliveries were settled instead of ${batch}.`);
    done.push(...rows);
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

const succeeded = (row: ClaimedRow, claimId: string): Settlement => ({
  id: row.id,
  claim_id: claimId,
  counts_for: row,
  status: 'succeeded',
  wait_ms: null,
  unsent: false,
  error: null,
  interrupted: null,
  sent_to: null,
  attempt: {
    number: row.attempt,
    started_at: new Date(),
    duration_ms: 12,
    outcome: 'success',
    signature: `t=1790000000,v1=${'0'.repeat(64)}`,
    response_status: 200,
    response_headers: '{"content-type":"text/plain"}',
    response_body: 'ok',
  },
});

/** Puts the tables back to where they were, so that the next round finds the same. */
async function forget(db: Database, rows: ClaimedRow[]): Promise<void> {
  await db.query(sql`truncate delivery_queue`);
  const [accounts, ids] = [rows.map((row) => row.account_id), rows.map((row) => row.id)];
  const done = sql`unnest(${accounts}::uuid[], ${ids}::uuid[]) as done(account_id, id)`;
  await db.query(
    sql`delete from deliveries d using ${done} where d.account_id = done.account_id and d.id = done.id`,
  );
  await db.query(
    sql`delete from delivery_attempts a using ${done} where a.account_id = done.account_id and a.delivery_id = done.id`,
  );
}
