import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import { todayIn } from '../clock.ts';
import { findMarkedAccounts } from './freshen.store.ts';
import { freshenSome } from './freshen.ts';

const everyMs = 1_000;

/** Beyond any day, so that charges that are not due yet are worked out before they are. */
const evermore = '9999-12-31';

/**
 * Works out marked leases all the time, in every worker: an account at a time gets a batch, so that none waits for
 * another's import. Readers do the same for what they read, so nothing depends on how soon this comes.
 */
export function createFreshener(app: App) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const busy = await turn().catch((error) => {
        if (!signal.aborted) app.log.warn({ err: error }, 'working out leases failed');
        return false;
      });
      if (!busy) await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** A batch for each account that has marks. Tells whether there was any. */
  async function turn(): Promise<boolean> {
    const accounts = await findMarkedAccounts(app.db);
    for (const { account_id: accountId, time_zone } of accounts) {
      if (signal.aborted) return false;
      const now = app.now();
      await freshenSome(app.db, { accountId, now, today: todayIn(time_zone, now), events: true }, evermore);
    }
    return accounts.length > 0;
  }

  return {
    start(): void {
      running = run();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
