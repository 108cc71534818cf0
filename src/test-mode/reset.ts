import { audit } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import { closeAccount } from '../closing/closing.ts';
import type { Db } from '../db/connect.ts';
import { fillWithDemo } from '../demo/demo.ts';
import type { DemoCounts } from '../demo/telling.ts';
import { conflict, notFound } from '../errors.ts';
import { inRealTime } from '../ids.ts';
import { begin } from './advance.ts';
import * as store from './test-accounts.store.ts';
import { openTestAccount } from './test-accounts.ts';

interface Reset {
  now: Date;
  /** Whether to fill it with make-believe records. */
  demo: boolean;
  /** Empties it only if nobody has used it since this time. It then counts as unused until somebody comes. */
  unusedSince?: Date;
  /** Called in the same transaction. */
  onDone?: (tx: Db, done: Done) => Promise<void>;
}

interface Done {
  account: store.TestAccount;
  counts: DemoCounts | null;
}

/**
 * Empties a test account: another one takes its place, with its keys and its audit log, in real time. This is all or
 * nothing, however much was in it. The old account is closed, and erased a little later (closing/erase-accounts.ts).
 */
export function resetTestAccount(
  db: Db,
  caller: Caller,
  { now, demo, unusedSince, onDone }: Reset,
): Promise<Done> {
  const { accountId } = caller;
  return inRealTime(() =>
    begin(db, accountId, async (_clock, tx) => {
      const liveId = await store.findLive(tx, accountId);
      if (liveId === null) throw notFound();
      await store.lockTestMode(tx, liveId);
      await closeAccount(tx, caller, now);
      // No further use can be noted: the account is closed, and earlier requests have been waited for.
      if (unusedSince && !(await store.isUnused(tx, accountId, unusedSince))) throw inUse();
      const account = await openTestAccount(tx, liveId, now);
      await store.moveKeys(tx, accountId, account.accountId);
      await store.copyAuditLog(tx, accountId, account.accountId);
      const next = { ...caller, ...account, aheadMs: 0 };
      await audit(tx, next, 'test.reset');
      if (unusedSince) await store.noteUse(tx, account.accountId, null);
      const done = { account, counts: demo ? await fillWithDemo(tx, next, now) : null };
      await onDone?.(tx, done);
      return done;
    }),
  );
}

const inUse = () => conflict('record_in_use', 'Test mode was used in the meantime.');
