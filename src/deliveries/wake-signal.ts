import type { Database } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';

export const wakeChannel = 'tenure_deliveries';

/** Says who is calling, so that a process does not wake itself: it does that directly. */
export const thisProcess = newId();

/** Each NOTIFY takes a lock that all commits share; more of them would slow the writes they announce. */
const leastMsBetween = 20;

/**
 * Tells the workers of other processes that something may be due: at most once every 20 ms, outside of any
 * transaction, and without ever failing the caller. It is a hint only; they look by themselves every second.
 */
export function createWakeSignal(db: Database, log: Log): () => void {
  let timer: NodeJS.Timeout | undefined;
  let last = 0;

  function send(): void {
    timer = undefined;
    last = performance.now();
    db.query(sql`select pg_notify(${wakeChannel}, ${thisProcess})`).catch((error) =>
      log.debug({ err: error }, 'workers of other processes could not be woken'),
    );
  }
  return () => {
    if (timer !== undefined) return;
    timer = setTimeout(send, Math.max(0, last + leastMsBetween - performance.now()));
    timer.unref();
  };
}
