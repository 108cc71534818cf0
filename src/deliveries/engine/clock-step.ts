import type { Database } from '../../db/connect.ts';
import { clockToleranceMs, mendPart } from './queue.store.ts';

/**
 * Notices when the database's clock is set back, because it was wrong or because another machine took over. It is
 * compared with our monotonic clock, which nobody can set. The first look counts as a step too, because nobody knows
 * what happened while no worker ran. The database read its clock at some moment between the question and its answer, so
 * a slow answer alone is never taken for a step.
 */
export class ClockWatch {
  /** How far the database's clock was ahead of ours at least. */
  #aheadMs = Number.POSITIVE_INFINITY;

  wentBack(databaseMs: number, { askedMs, answeredMs }: { askedMs: number; answeredMs: number }): boolean {
    const wentBack = databaseMs - askedMs < this.#aheadMs - clockToleranceMs;
    this.#aheadMs = databaseMs - answeredMs;
    return wentBack;
  }
}

/**
 * When the clock is set back by an hour, a lease of ten seconds lasts an hour and ten seconds, and a retry due in half
 * a minute comes an hour late. Such times give themselves away: no lease is longer than ours are, and nothing was
 * attempted in the future. They start again from now. That makes them late by the time that had already passed, but
 * never early. A retry whose wait began before the time to which the clock went back stays as it is, and is late by the
 * step at most.
 *
 * Returns how many were repaired. Every worker may do this, because repeating it does no harm. No index covers such
 * times, so the whole queue is read by id, one part at a time.
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
