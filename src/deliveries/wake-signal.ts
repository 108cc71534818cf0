import type { Database } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';

export const wakeChannel = 'tenure_deliveries';

/** Says who is calling, so that a process does not wake itself: it does that directly. */
export const thisProcess = newId();

/**
 * Each NOTIFY is a commit of its own behind a lock that all of them share; too many would slow the writes they announce.
 * So there are at most a hundred a second. A few may follow each other at once: with a fixed distance, writes that come
 * about as often as signals may go each wait for the one before.
 */
const msPerSignal = 10;
const burst = 10;

/**
 * Tells the workers of other processes that something may be due, outside of any transaction and without ever
 * failing the caller. It is a hint only; they look by themselves every second.
 */
export function createWakeSignal(db: Database, log: Log, { afterMs = 0 } = {}): () => void {
  let timer: NodeJS.Timeout | undefined;
  /** When the bucket of signals will be full again; each takes it further by one. */
  let fullAt = 0;

  function send(): void {
    timer = undefined;
    fullAt = Math.max(fullAt, performance.now()) + msPerSignal;
    // Not flushed to disk: a hint needs not survive a crash, and would wait for the disk before it is heard.
    db.query(
      sql`select set_config('synchronous_commit', 'off', true), pg_notify(${wakeChannel}, ${thisProcess})`,
    ).catch((error) => log.debug({ err: error }, 'workers of other processes could not be woken'));
  }
  return () => {
    if (timer !== undefined) return;
    const wait = Math.max(afterMs, fullAt - burst * msPerSignal - performance.now());
    if (wait > 0) timer = setTimeout(send, wait).unref();
    else send();
  };
}
