import type { App } from '../app.ts';
import { days, minutes, startOfDay, todayIn } from '../clock.ts';
import { isUnavailable } from '../db/database-errors.ts';
import { earlierOfClocks } from '../db/earlier-clock.ts';
import { addDays } from '../ledger/rules/calendar.ts';
import { createChores } from '../system/chores.ts';
import { untilAborted } from '../system/until-aborted.ts';
import { adoptWrites } from './adopt.ts';
import { findDue, findWithoutClock, insertClock } from './days.store.ts';
import { measureDays } from './days-behind.ts';
import { turnNextDay } from './turn-day.ts';

const everyMs = 1_000;
const adoptEveryMs = minutes(1);
/** How many days are turned at the same time, so that a large account's long day does not make the others wait. */
const daysAtOnce = 2;
/**
 * How many accounts are handled per look. Each gets one day, so that one with many missed days does not hold up the
 * others.
 */
const atOnce = 100;
const firstWaitMs = 1_000;
const longestWaitMs = minutes(5);

/** Turns the days of all accounts. Other processes do the same. */
export function createDayClock(app: App) {
  const { db, log } = app;
  /** Accounts whose last turn failed. */
  const failed = new Map<string, { times: number; againAt: number }>();
  measureDays(app);

  /** Turns one day of each account that has one due. Returns whether any was. */
  async function turnSome(signal: AbortSignal): Promise<boolean> {
    const now = await earlierOfClocks(db, app.now());
    const waiting = [...failed].filter(([, { againAt }]) => againAt > performance.now()).map(([id]) => id);
    let turned = 0;
    for (const accountId of shuffled(await findDue(db, now, waiting, atOnce)))
      if (!signal.aborted && (await turn(accountId, now, signal))) turned++;
    // Deliveries of the day's events may be due.
    if (turned > 0) app.workers.wake();
    return turned > 0;
  }

  /** A failure in one account must not stop the others. */
  async function turn(accountId: string, now: Date, signal: AbortSignal): Promise<boolean> {
    try {
      const day = await turnNextDay(untilAborted(db, signal), accountId, now);
      failed.delete(accountId);
      return day !== null;
    } catch (error) {
      if (signal.aborted) return false;
      const times = (failed.get(accountId)?.times ?? 0) + 1;
      const waitMs = Math.min(firstWaitMs * 2 ** (times - 1), longestWaitMs);
      failed.set(accountId, { times, againAt: performance.now() + waitMs });
      log[isUnavailable(error) ? 'warn' : 'error']({ err: error, accountId, times }, 'a day was not turned');
      return false;
    }
  }

  /** Starts the clocks of accounts made by an older release, and corrects what its processes wrote elsewhere. */
  async function adopt(): Promise<false> {
    const now = await earlierOfClocks(db, app.now());
    for (const { id, time_zone } of await findWithoutClock(db)) {
      const today = todayIn(time_zone, now);
      const until = new Date(now.getTime() + days(1));
      await insertClock(db, id, addDays(today, -1), startOfDay(today, time_zone), until);
    }
    await adoptWrites(db, now);
    return false;
  }

  const turning = { everyMs, work: turnSome, failure: 'days could not be turned' };
  return createChores(log, [
    { everyMs: adoptEveryMs, work: adopt, failure: 'what an older release left could not be adopted' },
    // A day that is being turned when the process stops is rolled back.
    ...Array.from({ length: daysAtOnce }, () => turning),
  ]);
}

/** Processes that look at the same accounts should not queue up behind each other. */
function shuffled<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
