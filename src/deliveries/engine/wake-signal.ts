import type { Database } from '../../db/connect.ts';
import { sql } from '../../db/sql.ts';
import { newId } from '../../ids.ts';
import type { Log } from '../../log.ts';

export const wakeChannel = 'tenure_deliveries';

/** Says who is calling, so that a process does not wake itself: it does that directly. */
export const thisProcess = newId();

/**
 * All NOTIFYs share a lock from their commit's beginning to its end; too many would slow the writes they announce.
 * So there are at most a hundred a second. A few may follow each other at once: with a fixed distance, writes that come
 * about as often as signals may go each wait for the one before.
 */
const msPerSignal = 10;
const burst = 10;

export interface WakeSignal {
  /** After a commit. */
  send(): void;
}

/**
 * Tells the workers of other processes that something may be due, without ever failing the caller. It is a hint only; they look by
 * themselves every second.
 *
 * The signal follows the commit as a statement of its own: inside the write, it would hold a lock that all such commits
 * share until it is on disk, and writes were 0.71 as quick under load.
 */
export function createWakeSignal(db: Database, log: Log, { afterMs = 0 } = {}): WakeSignal {
  /** One will follow by itself. */
  let isComing = false;
  /** When the bucket of signals will be full again; each takes it further by one. */
  let fullAt = 0;

  function sendNow(): void {
    isComing = false;
    fullAt = Math.max(fullAt, performance.now()) + msPerSignal;
    // Not flushed to disk: a hint needs not survive a crash, and would wait for the disk before it is heard.
    db.query(
      sql`select set_config('synchronous_commit', 'off', true), pg_notify(${wakeChannel}, ${thisProcess})`,
    ).catch((error) => log.debug({ err: error }, 'workers of other processes could not be woken'));
  }

  return {
    send() {
      if (isComing) return;
      isComing = true;
      const wait = Math.max(afterMs, fullAt - burst * msPerSignal - performance.now());
      if (wait > 0) setTimeout(sendNow, wait).unref();
      // One for all that are answered in this turn: those of one statement are.
      else setImmediate(sendNow);
    },
  };
}
