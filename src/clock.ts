import { setTimeout as sleep } from 'node:timers/promises';

/** The calendar date in UTC, as the API writes dates. For what people call today, use todayIn(). */
export function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** The calendar date in a time zone. */
export const todayIn = (timeZone: string, now: Date): string =>
  timeZone === 'UTC' ? dateOf(now) : calendarOf(timeZone).format(now);

/**
 * The first moment at which the date in a time zone is this day or a later one. Some days begin at 1:00, and some never
 * existed.
 */
export function startOfDay(day: string, timeZone: string): Date {
  const hasBegun = (time: number): boolean => todayIn(timeZone, new Date(time)) >= day;
  // No zone was ever 16 hours ahead, and clocks are changed at a full quarter of an hour. The steps are small because a
  // day began twice where clocks went back at 0:01.
  let begun = Date.parse(day) - hours(16);
  while (!hasBegun(begun)) begun += minutes(15);
  let before = begun - minutes(15);
  while (begun - before > 1) {
    const middle = Math.floor((before + begun) / 2);
    if (hasBegun(middle)) begun = middle;
    else before = middle;
  }
  return new Date(begun);
}

/** Making one takes a hundred times as long as using it. There are at most as many as there are time zones. */
const calendars = new Map<string, Intl.DateTimeFormat>();

function calendarOf(timeZone: string): Intl.DateTimeFormat {
  let calendar = calendars.get(timeZone);
  if (calendar === undefined) {
    // Canada writes dates as ISO 8601 does.
    const format = { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    calendar = new Intl.DateTimeFormat('en-CA', format);
    calendars.set(timeZone, calendar);
  }
  return calendar;
}

export const minutes = (count: number): number => count * 60_000;
export const hours = (count: number): number => count * 3_600_000;
export const days = (count: number): number => count * 86_400_000;

/** Ends early, and without an error, when the signal is given. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined);
}

/** Waits for work that may never end, but no longer than this. Returns whether it has ended. */
export const endsWithin = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), sleep(ms, false, { ref: false })]);
