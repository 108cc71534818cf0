import { setTimeout as sleep } from 'node:timers/promises';

/** Today's calendar date in UTC, as the API writes dates. */
export function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

export const minutes = (count: number): number => count * 60_000;
export const hours = (count: number): number => count * 3_600_000;
export const days = (count: number): number => count * 86_400_000;

/** Waits for work that may never end, but no longer than this. Tells whether it has ended. */
export const endsWithin = (ms: number, work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => true), sleep(ms, false, { ref: false })]);
