import { clock } from '../caller.ts';
import { startOfDay } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import type { Writing } from '../events/writer.ts';
import { continueAfter, inTimeAhead } from '../ids.ts';
import { tellLeaseDay } from '../leases/lease-days.ts';
import { earlier, later } from '../ledger/account-clocks.ts';
import { tellDueCharges, turnCharges } from '../ledger/charges/due-charges.ts';
import { chargeLateFees } from '../ledger/freshen.ts';
import { addDays } from '../ledger/rules/calendar.ts';
import { postScheduled } from '../ledger/schedule.ts';
import { type Agenda, findAgenda, setClock, takeClock } from './days.store.ts';

/**
 * Turns the first day of an account that is not done, if it has begun: all of it or nothing, and nobody else turns it
 * at the same time. Returns that day, or null if there was none to turn.
 */
export const turnNextDay = (db: Db, accountId: string, now: Date): Promise<string | null> =>
  db.transaction(async (tx) => {
    const taken = await takeClock(tx, accountId, now);
    if (taken === null) return null;
    const { throughDay, aheadMs } = taken;
    const day = addDays(throughDay, 1);
    const turned = () => turnDay(tx, accountId, day, later(now, aheadMs));
    const { time_zone } = await inTimeAhead(accountId, aheadMs, turned);
    await setClock(tx, accountId, day, earlier(startOfDay(addDays(day, 1), time_zone), aheadMs));
    return day;
  });

/** What a day brings, in this order: charges that are posted, late fees, what is due and overdue, what leases do. */
export async function turnDay(tx: Db, accountId: string, day: string, now: Date): Promise<Agenda> {
  const agenda = await findAgenda(tx, accountId, day);
  if (!agenda.isBusy) return agenda;
  // Another machine, whose clock is ahead of ours, may have turned the day before.
  if (agenda.newest !== null) continueAfter(agenda.newest);
  const how: Writing = { accountId, actor: clock, now, today: day, turning: true, events: true };
  await postScheduled(tx, how, addDays(day, agenda.post_days_before_due));
  await chargeLateFees(tx, how, day);
  await turnCharges(tx, how);
  await tellDueCharges(tx, how);
  await tellLeaseDay(tx, how);
  return agenda;
}
