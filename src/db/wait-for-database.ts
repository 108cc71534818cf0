import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { isUnavailable } from './database-errors.ts';

/** Longer than a failover takes, or a database that starts together with us at boot. */
const waitAtMostMs = 60_000;
const againAfterMs = 250;
const tellEveryMs = 10_000;

/**
 * Does what a process does first, and repeats it while the database is away. A service that gave up at once would be
 * restarted by its manager over and over through every failover. Only for what may be done twice.
 */
export async function waitForDatabase<Result>(
  log: Log,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  const since = performance.now();
  let told = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const now = performance.now();
      if (!isUnavailable(error) || now - since > waitAtMostMs || signal?.aborted) throw error;
      if (now - told > tellEveryMs) {
        log.warn({ reason: (error as Error).message }, 'waiting for the database');
        told = now;
      }
    }
    await sleep(againAfterMs, undefined, { signal }).catch(() => undefined);
  }
}
