import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { isUnavailable } from './database-errors.ts';

/** Longer than a failover takes, or a database that starts with us at boot. */
const waitAtMostMs = 60_000;
const againAfterMs = 250;
const tellEveryMs = 10_000;

/**
 * What a process does first, repeated while the database is away: a service that gives up at once would make its
 * manager start it over and over through every failover. Only for what may be done twice.
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
