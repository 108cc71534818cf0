import type { App } from '../app.ts';
import { operator } from '../caller.ts';
import { days, hours, minutes } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { earlierOfClocks } from '../db/earlier-clock.ts';
import { AppError } from '../errors.ts';
import { formatId } from '../ids.ts';
import { createChores } from '../system/chores.ts';
import { resetTestAccount } from './reset.ts';
import * as store from './test-accounts.store.ts';

/** Empties test accounts that nobody has used for a long time, in every worker. */
export const createTestModeChore = (app: App) =>
  createChores(app.log, [
    {
      everyMs: hours(1),
      firstAfterMs: minutes(1),
      failure: 'the search for unused test accounts failed',
      async work(signal) {
        for (const id of await emptyUnused(app.db, app.now(), app.config.TEST_UNUSED_DAYS, signal))
          app.log.info({ account: formatId('acct', id) }, 'an unused test account was emptied');
        return false;
      },
    },
  ]);

/** Returns the ids of the emptied accounts. Several processes may do this at once. */
export async function emptyUnused(
  db: Db,
  now: Date,
  unusedDays: number,
  signal?: AbortSignal,
): Promise<string[]> {
  const before = new Date((await earlierOfClocks(db, now)).getTime() - days(unusedDays));
  const emptied: string[] = [];
  for (const account of await store.findUnused(db, before)) {
    if (signal?.aborted) break;
    const caller = { ...account, permission: 'write', source: 'api', actor: operator } as const;
    try {
      await resetTestAccount(db, caller, { now, demo: false, unusedSince: before });
      emptied.push(account.accountId);
    } catch (error) {
      // Another process has emptied it, or somebody uses it after all.
      if (!(error instanceof AppError)) throw error;
    }
  }
  return emptied;
}
