import { startOfDay, todayIn } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import type { Writing } from '../events/writer.ts';
import { inTimeAhead, isTestAccount } from '../ids.ts';
import { addDays, earlier as earlierDay } from './rules/calendar.ts';

/*
 * The day through which an account is done (src/days/). The clock records a day's events when it turns that day. A
 * write that belongs to a day already turned records its event at once.
 */

/** Makes the clock of a new account. Its first day counts as done, because every write records its events at once. */
export async function startClock(tx: Db, accountId: string, timeZone: string, now: Date): Promise<void> {
  const today = todayIn(timeZone, now);
  await tx.query(sql`
    insert into account_clocks (account_id, through_day, next_turn_at)
    values (${accountId}, ${today}, ${startOfDay(addDays(today, 1), timeZone)})`);
}

/** Stops the clock until moveClock() starts it again. */
export async function stopClock(tx: Db, accountId: string): Promise<void> {
  await tx.query(sql`update account_clocks set next_turn_at = 'infinity' where account_id = ${accountId}`);
}

/** Days that are done stay done; the next one begins according to the new time zone. */
export async function moveClock(tx: Db, accountId: string, timeZone: string): Promise<void> {
  const [clock] = await tx.query<{ through_day: string; ahead_ms: number }>(sql`
    select through_day::text, ahead_ms::float8 from account_clocks where account_id = ${accountId} for update`);
  if (clock === undefined) return;
  const next = startOfDay(addDays(clock.through_day, 1), timeZone);
  await tx.query(sql`
    update account_clocks set next_turn_at = ${earlier(next, clock.ahead_ms)} where account_id = ${accountId}`);
}

/** `next_turn_at` is in real time for all accounts. */
export const earlier = (time: Date, ms: number): Date => new Date(time.getTime() - ms);
export const later = (time: Date, ms: number): Date => new Date(time.getTime() + ms);

/**
 * Runs the service's own work for an account in the account's time, which test mode may have moved. Requests do the
 * same with their caller's time (http/routes/mount.ts).
 */
export async function inTimeOf<Result>(
  db: Db,
  accountId: string,
  now: Date,
  work: (now: Date) => Promise<Result>,
): Promise<Result> {
  if (!isTestAccount(accountId)) return work(now);
  const [clock] = await db.query<{ ahead_ms: number }>(
    sql`select ahead_ms::float8 from account_clocks where account_id = ${accountId}`,
  );
  const aheadMs = clock?.ahead_ms ?? 0;
  return inTimeAhead(accountId, aheadMs, () => work(later(now, aheadMs)));
}

/** Null for an account whose clock has not been started. */
export async function turnedThrough(tx: Db, accountId: string): Promise<string | null> {
  const [clock] = await tx.query<{ through_day: string }>(
    sql`select through_day::text from account_clocks where account_id = ${accountId}`,
  );
  return clock?.through_day ?? null;
}

/**
 * Whether a day has been turned, so that the caller has to record events for what it adds to that day. If not, the
 * clock waits for the caller's transaction and then finds what was added.
 */
export async function hasTurned(tx: Db, accountId: string, day: string): Promise<boolean> {
  // Usually it has, and then no lock is needed.
  if (((await turnedThrough(tx, accountId)) ?? '') >= day) return true;
  const [clock] = await tx.query<{ through_day: string }>(
    sql`select through_day::text from account_clocks where account_id = ${accountId} for share`,
  );
  return clock !== undefined && clock.through_day >= day;
}

/**
 * The last day that has been turned, or is being turned by the caller. What follows from days, above all late fees, must
 * not run ahead of a clock that is behind, because rent of the missed days has yet to be posted. It may be tomorrow,
 * because the account moved to a time zone further west or the machine's clock went back. Tomorrow is not turned again,
 * so whatever changes until then must correct what it brought.
 */
export async function lastTurned(tx: Db, { accountId, today, turning }: Writing): Promise<string> {
  return (turning ? null : await turnedThrough(tx, accountId)) ?? today;
}

/** The same, up to today. */
export const turnedToday = async (tx: Db, how: Writing): Promise<string> =>
  earlierDay(await lastTurned(tx, how), how.today);
