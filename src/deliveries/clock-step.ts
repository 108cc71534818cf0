import type { Database } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import { leaseMs } from './leases.ts';

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
 * Returns how many were mended. It does no harm to do it twice, so every worker may.
 */
export async function mendTimes(db: Database): Promise<number> {
  const rows = await db.query(sql`
    with absurd as (
      select id from delivery_queue
      where last_attempt_at > now() + ${toleranceMs} * interval '1 millisecond'
        or lease_until > now() + ${leaseMs + toleranceMs} * interval '1 millisecond'
      for update skip locked)
    update delivery_queue set
      next_at = case when not ready and last_attempt_at > now()
        then now() + greatest(next_at - last_attempt_at, interval '0') else next_at end,
      lease_until = case when lease_until is not null
        then least(lease_until, now() + ${leaseMs} * interval '1 millisecond') end,
      last_attempt_at = case when last_attempt_at is not null then least(last_attempt_at, now()) end
    where id = any(array(select id from absurd))
    returning id`);
  return rows.length;
}
