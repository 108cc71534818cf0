import type { Database } from '../../db/connect.ts';
import { noteSizes, queryBySize, sizesOf } from '../../db/plans/plan-by-table-size.ts';
import { literal, sql } from '../../db/sql.ts';
import type { Delivery } from './delivery.ts';

/* Statements on the queue alone. It is one table for all accounts, so they do not filter by account. */

/** A dead worker's deliveries are free again after this long. */
export const leaseMs = 10_000;

/**
 * Makes retries that have fallen due ready to be claimed, one batch at a time. Returns how many there were, and in how
 * many milliseconds the next one is due (null if none waits). It also reads the tables' sizes and the clock.
 */
export async function promoteDue(
  db: Database,
  most: number,
): Promise<{ promoted: number; nextInMs: number | null; nowMs: number }> {
  const [row] = await queryBySize<{
    promoted: number;
    nextInMs: number | null;
    nowMs: number;
    sizes: number[];
  }>(
    db,
    sql`
    with due as (
      select id from delivery_queue where not ready and next_at <= now() order by next_at limit ${literal(most)}
      for update skip locked),
    promoted as (
      update delivery_queue set ready = true where id = any(array(select id from due)) returning id)
    select (select count(*) from promoted)::integer as promoted,
      (select extract(epoch from next_at - now())::float8 * 1000 from delivery_queue
       where not ready and next_at > now() order by next_at limit 1) as "nextInMs",
      extract(epoch from now())::float8 * 1000 as "nowMs",
      ${sizesOf('delivery_queue', 'events', 'webhook_endpoints')} as sizes`,
  );
  noteSizes(db, row?.sizes ?? []);
  return { promoted: row?.promoted ?? 0, nextInMs: row?.nextInMs ?? null, nowMs: row?.nowMs ?? 0 };
}

/**
 * Extends the leases of deliveries that are still held, in one statement, and returns their ids. The others are lost,
 * or being settled at this moment: a renewal passes over locked rows, so that it never waits for a settle that is
 * waiting for it.
 */
export async function renewLeases(db: Database, deliveries: Delivery[]): Promise<Set<string>> {
  const rows = await queryBySize<{ id: string }>(
    db,
    sql`
    with held as (
      select q.id from delivery_queue q
      join unnest(${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ claimId }) => claimId)}::uuid[])
        as mine(id, claim_id) on mine.id = q.id and mine.claim_id = q.claim_id
      for update of q skip locked)
    update delivery_queue set lease_until = now() + ${leaseMs} * interval '1 millisecond'
    where id = any(array(select id from held))
    returning id`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Clocks that run side by side differ by less than this. */
export const clockToleranceMs = 1_000;

const partSize = 5_000;

/** Repairs the times in the next part of the queue. `last` is where the part after it begins. */
export async function mendPart(
  db: Database,
  after: string,
): Promise<{ mended: number; last: string | null }> {
  const [row] = await db.query<{ mended: number; last: string | null }>(sql`
    with part as materialized (
      select id, last_attempt_at, lease_until from delivery_queue
      where id > ${after} order by id limit ${literal(partSize)}),
    absurd as (
      select id from delivery_queue
      where id = any(array(
        select id from part
        where last_attempt_at > now() + ${clockToleranceMs} * interval '1 millisecond'
          or lease_until > now() + ${leaseMs + clockToleranceMs} * interval '1 millisecond'))
      for update skip locked),
    mended as (
    update delivery_queue set
      next_at = case when not ready and last_attempt_at > now()
        then now() + greatest(next_at - last_attempt_at, interval '0') else next_at end,
      lease_until = case when lease_until is not null
        then least(lease_until, now() + ${leaseMs} * interval '1 millisecond') end,
      last_attempt_at = case when last_attempt_at is not null then least(last_attempt_at, now()) end
    where id = any(array(select id from absurd))
    returning id)
    select (select count(*) from mended)::integer as mended, (select id from part order by id desc limit 1) as last`);
  return row ?? { mended: 0, last: null };
}

export interface QueueState {
  depth: number;
  oldestDueSeconds: number;
}

export async function readQueue(db: Database): Promise<QueueState | null> {
  const [row] = await queryBySize<QueueState>(
    db,
    sql`
    select count(*)::float8 as depth,
      coalesce(extract(epoch from now() - min(next_at) filter (
        where next_at <= now() and (lease_until is null or lease_until < now())))::float8, 0) as "oldestDueSeconds"
    from delivery_queue`,
  );
  return row ?? null;
}
