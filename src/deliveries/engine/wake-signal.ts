import pg from 'pg';
import type { Database } from '../../db/connect.ts';
import { sql } from '../../db/sql.ts';
import { newId } from '../../ids.ts';
import type { Log } from '../../log.ts';

export const wakeChannel = 'tenure_deliveries';

/** Identifies the sender: a process wakes its own worker directly and ignores its own signals. */
const thisProcess = newId();

/**
 * All commits with a NOTIFY share one lock, so too many of them would slow down the writes they announce. There are at
 * most a hundred a second. A few may follow each other at once: with a fixed interval, writes that come about as often
 * would each wait for the signal before.
 */
const msPerSignal = 10;
const burst = 10;

interface WakeSignal {
  /** To be called after a commit. */
  send(): void;
}

/**
 * Tells the workers of other processes that something may be due. It never fails the caller, and it is only a hint:
 * workers also look by themselves every second.
 *
 * The signal follows the commit as a statement of its own. As part of the write, it would hold a lock shared by all
 * such commits until the write is on disk: under load, writes ran at 0.71 of their rate.
 */
export function createWakeSignal(db: Database, log: Log, { afterMs = 0 } = {}): WakeSignal {
  let isScheduled = false;
  /** When the bucket of signals will be full again. Each signal moves this time on. */
  let fullAt = 0;

  function sendNow(): void {
    isScheduled = false;
    fullAt = Math.max(fullAt, performance.now()) + msPerSignal;
    // Not flushed to disk: a hint need not survive a crash, and must not wait for the disk.
    db.query(
      sql`select set_config('synchronous_commit', 'off', true), pg_notify(${wakeChannel}, ${thisProcess})`,
    ).catch((error) => log.debug({ err: error }, 'workers of other processes could not be woken'));
  }

  return {
    send() {
      if (isScheduled) return;
      isScheduled = true;
      const wait = Math.max(afterMs, fullAt - burst * msPerSignal - performance.now());
      if (wait > 0) setTimeout(sendNow, wait).unref();
      // One signal for all writes that are answered in this turn of the event loop.
      else setImmediate(sendNow);
    },
  };
}

const reconnectAfterMs = 1_000;
const listen = { text: `listen ${wakeChannel}`, query_timeout: 10_000 };

/**
 * Hears the wake-up signals of other processes on a connection of its own. If the connection is lost, it is made again;
 * until then the worker polls.
 */
export function createWakeListener(db: Database, log: Log, onWake: () => void) {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function connect(): Promise<void> {
    timer = undefined;
    // A dead connection is as silent as a live one, so the kernel checks whether the other side is still there.
    const fresh = new pg.Client({ ...db.pool.options, keepAliveInitialDelayMillis: 10_000 });
    client = fresh;
    fresh.on('error', () => again(fresh));
    fresh.on('end', () => again(fresh));
    fresh.on('notification', ({ payload }) => {
      if (payload !== thisProcess) onWake();
    });
    try {
      await fresh.connect();
      await fresh.query(listen);
      // Something may have been announced while nobody listened.
      onWake();
    } catch (error) {
      log.debug({ err: error }, 'cannot listen for wake signals');
      again(fresh);
    }
  }

  function again(lost: pg.Client): void {
    if (client !== lost) return;
    client = undefined;
    lost.end().catch(() => undefined);
    if (!stopped) timer = setTimeout(connect, reconnectAfterMs);
  }

  return {
    start: connect,
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}
