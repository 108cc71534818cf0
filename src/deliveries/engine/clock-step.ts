import type { Database } from '../../db/connect.ts';
import { literal, sql } from '../../db/sql.ts';
import { leaseMs } from './claim-leases.ts';

/** Clocks that run side by side differ by less. */
const toleranceMs = 1_000;

/**
 * Notices that the database's clock was set back: because it had been wrong, or because another machine with another
 * clock has taken over. It is compared with our own monotonic one, which no one can set. The first look counts as
 * well: nobody knows what happened while no worker ran. When the database looked at its clock is known no better than
 * between the question and its answer, so a slow answer alone is never taken for a step.
 */
export class ClockWatch {
  /** How far it was ahead of ours, at least. */
  #aheadMs = Number.POSITIVE_INFINITY;

  wentBack(databaseMs: number, { askedMs, answeredMs }: { askedMs: number; answeredMs: number }): boolean {
    const wentBack = databaseMs - askedMs < this.#aheadMs - toleranceMs;
    this.#aheadMs = databaseMs - answeredMs;
    return wentBack;
  }
}

/**
 * After the clock was set back by an hour, a lease of ten seconds would last an hour and ten seconds, and a retry due
 * in half a minute come an hour late. Such times give themselves away: no lease is longer than ours are, and nothing
 * was attempted in the future. They begin again from now, which is late by what had passed of them, never early.
 * A retry put off before the time that the clock went back to stays as it is, and comes late by that step at most.
 * Returns how many were mended. It does no harm to do it twice, so every worker may. No index knows such times: the queue is
 * gone through by ids, a part at a time, however long it is.
 */
export async function mendTimes(db: Database, goesOn: () => boolean = () => true): Promise<number> {
  let mended = 0;
  let after: string | null = '00000000-0000-0000-0000-000000000000';
  while (after !== null && goesOn()) {
    const part = await mendPart(db, after);
    mended += part.mended;
    after = part.last;
  }
  return mended;
}

const partSize = 5_000;

async function mendPart(db: Database, after: string): Promise<{ mended: number; last: string | null }> {
  const [row] = await db.query<{ mended: number; last: string | null }>(sql`
    with part as materialized (
      select id, last_attempt_at, lease_until from delivery_queue
      where id > ${after} order by id limit ${literal(partSize)}),
    absurd as (
      select id from delivery_queue
      where id = any(array(
        select id from part
        where last_attempt_at > now() + ${toleranceMs} * interval '1 millisecond'
          or lease_until > now() + ${leaseMs + toleranceMs} * interval '1 millisecond'))
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
