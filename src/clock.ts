/** Today's calendar date in UTC, as the API writes dates. */
export function dateOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

export const minutes = (count: number): number => count * 60_000;
export const hours = (count: number): number => count * 3_600_000;
export const days = (count: number): number => count * 86_400_000;
