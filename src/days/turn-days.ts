import { startOfDay, todayIn } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import type { Writing } from '../events/writer.ts';
import { continueAfter, idsByDay, inTimeAhead } from '../ids.ts';
import { findLeasesByDay, tellLeasesOf } from '../leases/lease-days.ts';
import { earlier, later } from '../ledger/account-clocks.ts';
import { findChargesByDay, tellChargesOf } from '../ledger/charges/due-charges.ts';
import { postDays, tellPosted } from '../ledger/posting/post-days.ts';
import { addDays, earlier as earlierDay, later as laterDay } from '../ledger/rules/calendar.ts';
import { type Agenda, findAgenda, setClock, workloadOf } from './days.store.ts';
import { turnDay, writingOn } from './turn-day.ts';

/*
 * For a clock that is moved on by months. Each day brings the same as in turn-day.ts, but the charges of many days are
 * worked out at once (ledger/posting/post-days.ts).
 */

/** What one transaction may bring, which is about a second's work. Half a year is enough for any account. */
const mostCharges = 1_300;
const mostDailyFees = 2_000;
const mostDays = 184;

interface Hands {
  /** The real time. */
  now: Date;
  /** The time to which the clock is moved: days that have begun by then are turned. */
  until: Date;
  /** How far the clock is ahead of ours on the day that begins at this time. */
  aheadAt: (begins: Date) => number;
}

/**
 * Turns the days after this one, up to the last that has begun or as many as fit into one transaction. The clock is
 * locked. Returns the last day that was turned.
 */
export async function turnDaysAfter(
  tx: Db,
  accountId: string,
  throughDay: string,
  { now, until, aheadAt }: Hands,
): Promise<string> {
  const next = addDays(throughDay, 1);
  const agenda = await findAgenda(tx, accountId, next);
  const { time_zone } = agenda;
  const aheadOn = onceForEach((day) => aheadAt(startOfDay(day, time_zone)));
  const timeOf = (day: string) => later(now, aheadOn(day));
  const inTimeOf: InTimeOf = (day, work) =>
    inTimeAhead(accountId, aheadOn(day), () => work(writingOn(accountId, day, timeOf(day))));
  let last = laterDay(next, todayIn(time_zone, until));
  if (agenda.next !== null && agenda.next.day <= last) {
    const { day: first, brings } = agenda.next;
    if (first < last) last = earlierDay(last, addDays(first, (await daysAtOnce(tx, accountId)) - 1));
    if (first === last) await inTimeOf(first, (how) => turnDay(tx, how, agenda, brings));
    else await turn(tx, agenda, { first, last, timeOf, idOn: idsByDay(aheadOn) }, inTimeOf);
  }
  const begins = startOfDay(addDays(last, 1), time_zone);
  const aheadMs = aheadOn(last);
  await setClock(tx, accountId, { throughDay: last, aheadMs }, earlier(begins, aheadMs));
  return last;
}

/** Does the clock's work in the time of a day. */
type InTimeOf = (day: string, work: (how: Writing) => Promise<void>) => Promise<void>;

async function daysAtOnce(tx: Db, accountId: string): Promise<number> {
  const { monthly, finedDaily } = await workloadOf(tx, accountId);
  const fitting = Math.min((mostCharges * 30) / monthly, mostDailyFees / (finedDaily ?? 0));
  return Math.max(1, Math.min(Math.floor(fitting), mostDays));
}

interface Days {
  first: string;
  last: string;
  timeOf(day: string): Date;
  idOn(day: string): string;
}

async function turn(
  tx: Db,
  { newest, post_days_before_due: ahead }: Agenda,
  days: Days,
  inTimeOf: InTimeOf,
): Promise<void> {
  await inTimeOf(days.first, async (first) => {
    if (newest !== null) continueAfter(newest);
    const range = { from: days.first, to: days.last };
    const { byDay: posted, dated } = await postDays(tx, first, { ...days, ahead });
    const charges = await findChargesByDay(tx, first.accountId, range);
    const leases = await findLeasesByDay(tx, first.accountId, range);
    for (const day of [...new Set([...posted.keys(), ...charges.keys(), ...leases.keys()])].sort())
      await inTimeOf(day, async (how) => {
        await tellPosted(tx, how, posted.get(day));
        await tellChargesOf(tx, how, charges.get(day), dated);
        await tellLeasesOf(tx, how, leases.get(day));
      });
  });
}

function onceForEach<Result>(work: (day: string) => Result): (day: string) => Result {
  const known = new Map<string, Result>();
  return (day) => {
    const result = known.get(day) ?? work(day);
    known.set(day, result);
    return result;
  };
}
