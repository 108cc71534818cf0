import { clock } from '../caller.ts';
import { startOfDay, todayIn } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import type { Writing } from '../events/writer.ts';
import { continueAfter, inTimeAhead } from '../ids.ts';
import { tellChangedByLeases, tellExpiring, tellStarting } from '../leases/lease-days.ts';
import { earlier, later } from '../ledger/account-clocks.ts';
import { tellDue, tellOverdue, turnCharges } from '../ledger/charges/due-charges.ts';
import { chargeLateFees } from '../ledger/freshen.ts';
import { postScheduled } from '../ledger/posting/schedule.ts';
import { addDays, later as laterDay } from '../ledger/rules/calendar.ts';
import { type Agenda, type Brought, findAgenda, type Occasion, setClock, takeClock } from './days.store.ts';

/**
 * Turns the days of an account that have begun and are not done, up to the first day with anything to do, in one
 * transaction. Nobody else can turn them at the same time. Returns the last of these days, or null if there was none.
 */
export const turnNextDay = (db: Db, accountId: string, now: Date): Promise<string | null> =>
  db.transaction(async (tx) => {
    const taken = await takeClock(tx, accountId, now);
    if (taken === null) return null;
    const { throughDay, aheadMs } = taken;
    const ownNow = later(now, aheadMs);
    const first = addDays(throughDay, 1);
    const agenda = await findAgenda(tx, accountId, first);
    const { time_zone } = agenda;
    // The first day has begun. But where clocks are set back across midnight, today may be the previous day again.
    const last = laterDay(first, todayIn(time_zone, ownNow));
    const { day, brings } =
      agenda.next !== null && agenda.next.day <= last ? agenda.next : { day: last, brings: nothing };
    const how = writingOn(accountId, day, ownNow);
    if (brings.size > 0) await inTimeAhead(accountId, aheadMs, () => turnDay(tx, how, agenda, brings));
    const next = startOfDay(addDays(day, 1), time_zone);
    await setClock(tx, accountId, { throughDay: day, aheadMs }, earlier(next, aheadMs));
    return day;
  });

const nothing: Brought = new Set();

/** What the clock's writes on a day are made with. */
export const writingOn = (accountId: string, day: string, now: Date): Writing => ({
  accountId,
  actor: clock,
  now,
  today: day,
  turning: true,
  events: true,
});

/**
 * Does the work of a day in this order: post charges, charge late fees, record due and overdue charges, record what
 * leases do.
 */
export async function turnDay(
  tx: Db,
  how: Writing,
  { newest, post_days_before_due }: Agenda,
  brought: Brought,
): Promise<void> {
  const day = how.today;
  const brings = (...any: Occasion[]): boolean => any.some((each) => brought.has(each));
  // Another machine, whose clock is ahead of ours, may have turned the previous day.
  if (newest !== null) continueAfter(newest);
  if (brings('posting')) await postScheduled(tx, how, addDays(day, post_days_before_due));
  // Posted charges may be due, and recalculated ones may get late fees. Both change today's charges.
  const isWritten = brings('posting', 'changes', 'fees');
  if (isWritten) await chargeLateFees(tx, how, day);
  if (isWritten || brings('turning', 'due')) await turnCharges(tx, how);
  if (isWritten || brings('due')) await tellDue(tx, how);
  if (brings('overdue')) await tellOverdue(tx, how);
  const days = { from: day, to: day };
  if (brings('starting')) await tellStarting(tx, how, days);
  if (brings('expiring')) await tellExpiring(tx, how, days);
  if (brings('starting', 'ending')) await tellChangedByLeases(tx, how);
}
