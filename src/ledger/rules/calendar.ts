import { dateOf, days } from '../../clock.ts';

/* Calendar dates as the API writes them, YYYY-MM-DD: text that sorts chronologically. */

/** Later than any real day. */
export const endOfTime = '9999-12-31';

/**
 * Days that every month has are counted without a calendar, because late fees ask for the next day thousands of times.
 */
export function addDays(date: string, count: number): string {
  const day = Number(date.slice(8)) + count;
  if (day >= 1 && day <= 28) return `${date.slice(0, 8)}${day < 10 ? '0' : ''}${day}`;
  return dateOf(new Date(Date.parse(date) + days(count)));
}

export const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / days(1);

export const monthOf = (date: string): string => date.slice(0, 7);

export const firstOfMonth = (date: string): string => `${date.slice(0, 7)}-01`;

/** The first day of the month after a date's. */
export const nextMonth = (date: string): string => addMonths(firstOfMonth(date), 1);

export const daysInMonth = (date: string): number => Number(addDays(nextMonth(date), -1).slice(8));

/** The same day of a later month, or that month's last day if it has no such day. */
export function addMonths(date: string, count: number): string {
  const month = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + count;
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  const first = `${year}-${String((month % 12) + 1).padStart(2, '0')}-01`;
  const day = Number(date.slice(8));
  const last = new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate();
  return `${first.slice(0, 8)}${String(Math.min(day, last)).padStart(2, '0')}`;
}

/** The earlier of two days. */
export const earlier = (one: string, other: string): string => (one < other ? one : other);

/** The later of two days. */
export const later = (one: string, other: string): string => (one > other ? one : other);
