import { dateOf, days } from '../clock.ts';

/** A range of days, both ends included, as whole months and the days left over at its ends. Either end may be open. */
export interface SplitRange {
  /** Counted like paid_month; null if open. */
  firstMonth: number | null;
  /** Less than firstMonth if there is no whole month. */
  lastMonth: number | null;
  days: string[];
}

export function splitRange(from: string | undefined, to: string | undefined): SplitRange {
  const left = new Set<string>();
  let firstMonth: number | null = null;
  let lastMonth: number | null = null;
  if (from !== undefined) {
    firstMonth = monthNumber(from);
    if (from !== firstDay(from)) {
      firstMonth += 1;
      const end = lastDay(from);
      for (const day of daysBetween(from, to !== undefined && to < end ? to : end)) left.add(day);
    }
  }
  if (to !== undefined) {
    lastMonth = monthNumber(to);
    if (to !== lastDay(to)) {
      lastMonth -= 1;
      const start = firstDay(to);
      for (const day of daysBetween(from !== undefined && from > start ? from : start, to)) left.add(day);
    }
  }
  return { firstMonth, lastMonth, days: [...left] };
}

export const monthNumber = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));

const firstDay = (date: string): string => `${date.slice(0, 8)}01`;

function lastDay(date: string): string {
  const next = new Date(`${firstDay(date)}T00:00:00.000Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return dateOf(new Date(next.getTime() - days(1)));
}

function* daysBetween(first: string, last: string): Generator<string> {
  for (let day = first; day <= last; day = dateOf(new Date(Date.parse(day) + days(1)))) yield day;
}
