import type { Db } from '../db/connect.ts';
import { continueAfter, idTime } from '../ids.ts';
import type { Log } from '../log.ts';
import { newestEventId } from './events.store.ts';

/**
 * Keeps new records after the existing ones even if this machine's clock was set back. Otherwise, clients who continue
 * from the last record they saw would never find the new ones. Called once, before anything is written.
 */
export async function continueOrder(db: Db, now: Date, log: Log): Promise<void> {
  const newest = await newestEventId(db, now);
  if (newest === null) return;
  continueAfter(newest);
  const aheadMs = idTime(newest).getTime() - now.getTime();
  if (aheadMs > 1_000)
    log.warn({ aheadMs }, 'the clock of this machine is behind the newest record: is it right?');
}
