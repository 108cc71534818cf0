import { addDays, addMonths, daysBetween } from './calendar.ts';

/*
 * When a recurring charge is due, and for how much.
 */

export const intervals = ['week', 'two_weeks', 'month', 'quarter', 'year'] as const;
export type Interval = (typeof intervals)[number];

export interface Recurring {
  every: Interval;
  starts_on: string;
  /** The last day on which a charge may be due. */
  ends_on: string | null;
  amount_cents: number;
  amount_changes: readonly { from: string; amount_cents: number }[];
}

interface Recurrences {
  charges: { due_on: string; amount_cents: number }[];
  /** When the next charge is due; null if there is none. */
  next: string | null;
}

const daysEach: Partial<Record<Interval, number>> = { week: 7, two_weeks: 14 };
const monthsEach: Partial<Record<Interval, number>> = { month: 1, quarter: 3, year: 12 };

/** The charges due from one day to another, both included. `last` is the last day of the lease. */
export function recurrences(
  recurring: Recurring,
  { from, through, last }: { from: string; through: string; last: string | null },
): Recurrences {
  const charges: Recurrences['charges'] = [];
  for (let repetition = repetitionBefore(recurring, from); ; repetition++) {
    const due_on = dueOn(recurring, repetition);
    const { ends_on } = recurring;
    if ((ends_on !== null && due_on > ends_on) || (last !== null && due_on > last))
      return { charges, next: null };
    if (due_on < from) continue;
    if (due_on > through) return { charges, next: due_on };
    charges.push({ due_on, amount_cents: amountOn(recurring, due_on) });
  }
}

/** A repetition due on that day or shortly before, so that we need not step through years. */
function repetitionBefore({ every, starts_on }: Recurring, day: string): number {
  const days = daysEach[every];
  const months = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
  const repetitions =
    days === undefined
      ? (months(day) - months(starts_on)) / (monthsEach[every] ?? 1)
      : daysBetween(starts_on, day) / days;
  return Math.max(0, Math.floor(repetitions));
}

/** Counted from the first day, so that what began on the 31st is due on the 31st again after a shorter month. */
function dueOn({ every, starts_on }: Recurring, repetition: number): string {
  const days = daysEach[every];
  return days === undefined
    ? addMonths(starts_on, repetition * (monthsEach[every] ?? 1))
    : addDays(starts_on, repetition * days);
}

const amountOn = (
  { amount_cents, amount_changes }: Pick<Recurring, 'amount_cents' | 'amount_changes'>,
  day: string,
): number => amount_changes.findLast(({ from }) => from <= day)?.amount_cents ?? amount_cents;
