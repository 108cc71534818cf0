import type { App } from '../app.ts';
import { clock } from '../caller.ts';
import { todayIn } from '../clock.ts';
import { lookEveryMs } from '../db/distributed/look-for-work.ts';
import { createChores } from '../system/chores.ts';
import { inTimeOf } from './account-clocks.ts';
import { findMarkedAccounts } from './freshen.store.ts';
import { freshenSome } from './freshen.ts';
import { endOfTime } from './rules/calendar.ts';

/**
 * Recalculates marked leases continuously, in every worker, in batches for one account after the other, so that no
 * account waits for another's import. Readers do the same for what they read, so nothing depends on when this runs.
 */
export const createFreshener = (app: App) =>
  createChores(app.log, [
    {
      everyMs: () => lookEveryMs(app.db),
      failure: 'recalculating leases failed',
      work: (signal) => freshenAll(app, signal),
    },
  ]);

/** Does a batch for each account with marks. Returns whether anything was done. */
async function freshenAll(app: App, signal: AbortSignal): Promise<boolean> {
  let isDone = false;
  for (const { account_id: accountId, time_zone } of await findMarkedAccounts(app.db)) {
    if (signal.aborted) return false;
    try {
      const work = (now: Date) => {
        const how = { accountId, actor: clock, now, today: todayIn(time_zone, now), events: true };
        // Charges are calculated before they fall due.
        return freshenSome(app.db, how, endOfTime);
      };
      if (await inTimeOf(app.db, accountId, app.now(), work)) isDone = true;
    } catch (error) {
      // The account's leases may be locked for a while, by a large import or a long day. The others need not wait.
      if (!signal.aborted) app.log.warn({ err: error, accountId }, 'leases are not recalculated yet');
    }
  }
  return isDone;
}
