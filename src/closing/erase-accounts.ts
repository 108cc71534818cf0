import type { App } from '../app.ts';
import { days, minutes, pause } from '../clock.ts';
import type { Database } from '../db/connect.ts';
import { earlierOfClocks } from '../db/earlier-clock.ts';
import { formatId, isTestAccount } from '../ids.ts';
import type { Log } from '../log.ts';
import { createChores } from '../system/chores.ts';
import * as store from './closing.store.ts';

const everyMs = minutes(1);
/** A test account that was emptied cannot be reopened, but requests to it may still be under way. */
const testKeptMs = minutes(1);
/** A batch takes a few milliseconds, and so do its locks. */
const batch = 500;
/** The pause between batches, so that erasing never crowds out other work. */
const pauseMs = 20;

/** Erases accounts that were closed long enough ago, in every worker. */
export const createEraser = (app: App) =>
  createChores(app.log, [
    {
      everyMs,
      failure: 'the search for closed accounts failed',
      async work(signal) {
        await eraseClosed(app.db, app.now(), app.config.ACCOUNT_KEPT_DAYS, app.log, signal);
        return false;
      },
    },
  ]);

/** Several processes may do this at once. */
export async function eraseClosed(
  db: Database,
  now: Date,
  keptDays: number,
  log: Log,
  signal?: AbortSignal,
): Promise<void> {
  const today = await earlierOfClocks(db, now);
  const before = new Date(today.getTime() - days(keptDays));
  const testBefore = new Date(today.getTime() - testKeptMs);
  for (const accountId of await store.findToErase(db, before, testBefore)) {
    if (signal?.aborted) return;
    const account = formatId('acct', accountId);
    try {
      const rows = await eraseAccount(db, accountId, isTestAccount(accountId) ? testBefore : before, signal);
      if (rows !== null) log.info({ account, rows }, 'a closed account was erased');
    } catch (error) {
      // Something, such as a long import, was still writing there. The next turn continues where this one stopped.
      if (!signal?.aborted) log.warn({ err: error, account }, 'a closed account is not erased yet');
    }
  }
}

/**
 * Erases all rows of an account, one transaction per batch, and at last the account itself. If it is interrupted, the
 * next run continues. Returns the number of rows, or null if the account is open or another process is erasing it.
 */
export async function eraseAccount(
  db: Database,
  accountId: string,
  before: Date,
  signal?: AbortSignal,
): Promise<number | null> {
  if (!(await store.beginErasing(db, accountId, before))) return null;
  let erased = 0;
  for (const table of await store.findTables(db)) {
    let count: number | null = batch;
    while (count === batch) {
      if (signal?.aborted) return null;
      count = await db.transaction(async (tx) =>
        (await store.lockErasure(tx, accountId)) ? store.deleteSome(tx, table, accountId, batch) : null,
      );
      if (count === null) return null;
      erased += count;
      if (count > 0) await pause(pauseMs, signal);
    }
  }
  return db.transaction(async (tx) => {
    if (!(await store.lockErasure(tx, accountId))) return null;
    await store.deleteAccount(tx, accountId);
    return erased;
  });
}
