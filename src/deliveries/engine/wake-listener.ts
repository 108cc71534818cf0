import pg from 'pg';
import type { Database } from '../../db/connect.ts';
import type { Log } from '../../log.ts';
import { thisProcess, wakeChannel } from './wake-signal.ts';

const reconnectAfterMs = 1_000;
const listen = { text: `listen ${wakeChannel}`, query_timeout: 10_000 };

/**
 * Hears the wake signals of other processes on a connection of its own, beside the pool: it is never given
 * back. When the connection is lost it is made again, and meanwhile the worker polls.
 */
export function createWakeListener(db: Database, log: Log, onWake: () => void) {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function connect(): Promise<void> {
    timer = undefined;
    // A connection that died without a word is silent like any other: the kernel asks whether it is still there.
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
      // Whatever was announced while nobody listened.
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
