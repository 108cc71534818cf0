import { audit, type Doer } from '../audit/audit.ts';
import type { Db } from '../db/connect.ts';
import { conflict, invalidField } from '../errors.ts';
import { moveClock, stopClock } from '../ledger/account-clocks.ts';
import { disableWebhooks } from '../webhooks/webhooks.ts';
import * as store from './closing.store.ts';

/**
 * Closes an account. Its keys and members are refused, its webhooks are disabled, and its days are no longer turned.
 * Its data is kept for a while, so that it can be reopened, and then erased (erase-accounts.ts).
 */
export function closeAccount(db: Db, doer: Doer, now: Date): Promise<void> {
  const { accountId } = doer;
  return db.transaction(async (tx) => {
    if ((await store.setClosed(tx, accountId, now)) === null)
      throw conflict('account_closed', 'This account is already closed.');
    await stopClock(tx, accountId);
    await disableWebhooks(tx, doer, now);
    await audit(tx, doer, 'account.closed');
    // Nothing in the test account is worth keeping: a new one is made if the account is reopened.
    const testAccount = await store.findTestAccount(tx, accountId);
    if (testAccount !== null) await closeAccount(tx, { ...doer, accountId: testAccount }, now);
  });
}

/** The days that have passed since are turned in order. Webhooks stay disabled until somebody enables them. */
export function reopenAccount(db: Db, doer: Doer): Promise<void> {
  const { accountId } = doer;
  return db.transaction(async (tx) => {
    const timeZone = await store.setOpen(tx, accountId);
    if (timeZone === null)
      throw conflict('account_not_closed', 'This account is not closed, or is being erased.');
    await moveClock(tx, accountId, timeZone);
    await audit(tx, doer, 'account.reopened');
  });
}

export async function confirmName(db: Db, accountId: string, name: string): Promise<void> {
  if (name !== (await store.nameOf(db, accountId)))
    throw invalidField('name', 'Is not the name of this account; type it as it is shown.');
}
