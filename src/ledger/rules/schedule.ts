import { addDays, daysInMonth, firstOfMonth, monthOf, nextMonth } from './calendar.ts';

/*
 * What a lease charges by itself: rent for each calendar month it touches, and the deposit. Pure: the same lease always
 * gives the same charges.
 */

export const prorations = ['actual_days', 'thirty_days', 'none'] as const;
export type Proration = (typeof prorations)[number];

export interface RentChange {
  from: string;
  rent_cents: number;
}

export interface Terms {
  start_date: string;
  /** The first day that no longer belongs to the lease; null for month to month. */
  until: string | null;
  rent_cents: number;
  rent_changes: readonly RentChange[];
  due_day: number;
  proration: Proration;
  deposit_cents: number | null;
  ledger_from: string;
}

export interface Scheduled {
  kind: 'rent' | 'deposit';
  /** The month that a rent is for. */
  period: string | null;
  due_on: string;
  amount_cents: number;
}

interface Schedule {
  /** The charges due up to the day, in the order of their due days. */
  charges: Scheduled[];
  /** When the next charge is due; null if there is none. */
  next: string | null;
}

/** The scheduled charges of a lease that are due from one day to another, both included. */
export function scheduledCharges(terms: Terms, through: string, from = terms.ledger_from): Schedule {
  const { start_date, until, ledger_from, deposit_cents } = terms;
  const charges: Scheduled[] = [];
  if (until !== null && until <= start_date) return { charges, next: null };
  const first = ledger_from > from ? ledger_from : from;
  let next: string | null = null;
  const add = (charge: Scheduled) => {
    // A few days at a tiny rent may cost nothing.
    if (charge.due_on < first || charge.amount_cents === 0) return;
    if (charge.due_on <= through) charges.push(charge);
    else if (next === null || charge.due_on < next) next = charge.due_on;
  };
  if (deposit_cents !== null && ledger_from <= start_date)
    add({ kind: 'deposit', period: null, due_on: start_date, amount_cents: deposit_cents });
  const last = until === null ? null : addDays(until, -1);
  // A month's due day is never before the month, so no month before that of the first wanted day has one.
  const begin = first > start_date ? firstOfMonth(first) : firstOfMonth(start_date);
  for (let month = begin; last === null || month <= last; month = nextMonth(month)) {
    add(rentOf(terms, month, last));
    if (next !== null && month > through) break;
  }
  return { charges, next };
}

/** The rent for a month, given by its first day, that the lease touches. */
function rentOf(terms: Terms, month: string, last: string | null): Scheduled {
  const { start_date, due_day } = terms;
  const end = addDays(nextMonth(month), -1);
  const firstDay = start_date > month ? start_date : month;
  const lastDay = last !== null && last < end ? last : end;
  let due_on = addDays(month, due_day - 1);
  if (due_on < firstDay) due_on = firstDay;
  if (due_on > lastDay) due_on = lastDay;
  const days = Number(lastDay.slice(8)) - Number(firstDay.slice(8)) + 1;
  const amount_cents = shareOf(rentInForce(terms, firstDay), days, daysInMonth(month), terms.proration);
  return { kind: 'rent', period: monthOf(month), due_on, amount_cents };
}

/** The rent in force on a day. */
function rentInForce(
  { rent_cents, rent_changes }: Pick<Terms, 'rent_cents' | 'rent_changes'>,
  day: string,
): number {
  return rent_changes.findLast(({ from }) => from <= day)?.rent_cents ?? rent_cents;
}

function shareOf(rent: number, days: number, ofDays: number, proration: Proration): number {
  if (proration === 'none' || days === ofDays) return rent;
  if (proration === 'thirty_days') return divideHalfUp(rent * Math.min(days, 30), 30);
  return divideHalfUp(rent * days, ofDays);
}

/** Rounds a half up. This is exact, because the numbers stay far below what a double holds. */
const divideHalfUp = (dividend: number, divisor: number): number =>
  Math.floor((2 * dividend + divisor) / (2 * divisor));
