import { setTimeout as sleep } from 'node:timers/promises';
import { startOfDay } from '../clock.ts';
import { turnDaysAfter } from '../days/turn-days.ts';
import type { Db } from '../db/connect.ts';
import { conflict, invalidField, notFound, unavailable } from '../errors.ts';
import { newId } from '../ids.ts';
import { earlier, later } from '../ledger/account-clocks.ts';
import { addDays, daysBetween } from '../ledger/rules/calendar.ts';
import { analyzeGrown } from '../system/analyze-grown.ts';
import * as store from './advance.store.ts';

/**
 * With every transaction, an advance notes that it is still running. If it has not done so for this long it is dead, and
 * another may start.
 */
const silenceMs = 5_000;
const lookEveryMs = 500;
const mostYears = 2;
/** A month's charges and events may be many times what there was before. */
const analyzeEveryDays = 30;

interface Advanced {
  days: number;
  posted: Record<string, number>;
  told: Record<string, number>;
}

interface Moving {
  /** The real time. */
  now: () => Date;
  /** If it is aborted, the advance ends with the days that are under way. */
  signal?: AbortSignal;
  /** Called each time that days were turned, once that is committed. */
  onDays?: () => Promise<void>;
  /** Called in the last transaction, with what the clock shows then. */
  onArrival?: (tx: Db, at: Date, done: Advanced) => Promise<void>;
}

/**
 * Moves the clock of a test account. Each day on the way begins as in live mode, with the clock at its first moment. As
 * many days as make a second's work are turned in one transaction, which moves the clock as well
 * (days/turn-days.ts). So however an advance ends, the clock is at the beginning of a day, and the next advance
 * continues from there.
 */
export async function advanceClock(
  db: Db,
  accountId: string,
  to: Date,
  { now, signal, onDays, onArrival }: Moving,
): Promise<Advanced> {
  const advanceId = newId();
  await begin(db, accountId, (clock, tx) => {
    refuseTarget(to, later(now(), clock.aheadMs));
    return store.sayAdvancing(tx, accountId, advanceId, silenceMs);
  });
  const done: Advanced = { days: 0, posted: {}, told: {} };
  try {
    let analyzed = -analyzeEveryDays;
    const towards = { advanceId, to, onArrival };
    while ((await turnTowards(db, accountId, towards, now(), done)) !== null) {
      if (done.days >= analyzed + analyzeEveryDays) {
        await analyzeGrown(db);
        analyzed = done.days;
      }
      await onDays?.();
      if (signal?.aborted) throw unavailable();
    }
  } catch (error) {
    await give(db, accountId, advanceId);
    throw error;
  }
  return done;
}

function refuseTarget(to: Date, from: Date): void {
  if (to <= from)
    throw invalidField('to', `Must be later than the test clock, which is at ${from.toISOString()}.`);
  const latest = new Date(from);
  latest.setUTCFullYear(from.getUTCFullYear() + mostYears);
  if (to > latest)
    throw invalidField(
      'to',
      `Must be at most ${mostYears} years ahead of the test clock: ${latest.toISOString()}.`,
    );
}

/**
 * Does something with the clock if no advance is running; otherwise throws a 409. An advance that died a moment ago may
 * look alive, so this waits to see whether it reports again.
 */
export async function begin<Result>(
  db: Db,
  accountId: string,
  work: (clock: store.TestClock, tx: Db) => Promise<Result>,
): Promise<Result> {
  let heard: string | null = null;
  for (;;) {
    const result = await db.transaction(async (tx) => {
      const clock = await store.takeTestClock(tx, accountId);
      if (clock === null) throw notFound();
      if (!clock.isBusy) return { value: await work(clock, tx) };
      if (heard !== null && clock.until !== heard) throw busy();
      heard = clock.until;
      return null;
    });
    if (result !== null) return result.value;
    if (db.inTransaction) throw busy();
    await sleep(lookEveryMs);
  }
}

const busy = () =>
  conflict('advance_in_progress', 'The test clock is being moved; try again when that is done.');

/** Turns the next days. Returns null when the clock has arrived. */
function turnTowards(
  db: Db,
  accountId: string,
  { advanceId, to, onArrival }: { advanceId: string; to: Date } & Pick<Moving, 'onArrival'>,
  now: Date,
  done: Advanced,
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const clock = await store.takeTestClock(tx, accountId);
    // Another process has taken this advance for dead.
    if (clock?.advanceId !== advanceId) throw busy();
    const { throughDay } = clock;
    const begins = startOfDay(addDays(throughDay, 1), clock.timeZone);
    const aheadAt = (time: Date) => Math.max(clock.aheadMs, time.getTime() - now.getTime());
    if (begins > to) {
      const aheadMs = aheadAt(to);
      await store.moveAhead(tx, accountId, aheadMs, earlier(begins, aheadMs));
      await store.sayAdvancing(tx, accountId, null, silenceMs);
      await onArrival?.(tx, later(now, aheadMs), done);
      return null;
    }
    const day = await turnDaysAfter(tx, accountId, throughDay, { now, until: to, aheadAt });
    for (const { what, name, count } of await store.countWritten(tx, accountId, begins))
      done[what][name] = (done[what][name] ?? 0) + count;
    done.days += daysBetween(throughDay, day);
    await store.sayAdvancing(tx, accountId, advanceId, silenceMs);
    return day;
  });
}

/** Lets others start. If that fails too, they can start once nothing has been heard for a while. */
async function give(db: Db, accountId: string, advanceId: string): Promise<void> {
  await db
    .transaction(async (tx) => {
      const clock = await store.takeTestClock(tx, accountId);
      if (clock?.advanceId === advanceId) await store.sayAdvancing(tx, accountId, null, silenceMs);
    })
    .catch(() => undefined);
}
