import { days } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { conflict, notFound } from '../errors.ts';
import { idTime, newTestAccountId } from '../ids.ts';
import { startClock } from '../ledger/account-clocks.ts';
import * as store from './test-accounts.store.ts';

export type { TestAccount } from './test-accounts.store.ts';

/*
 * The test mode of an account is an account of its own, so what separates accounts separates these two. It has no
 * members: those of the account it belongs to act in it (http/auth/session-auth.ts).
 */

/** The test account of an account, made when somebody first asks for it. */
export async function testAccountOf(db: Db, liveId: string, now: Date): Promise<store.TestAccount> {
  const found = await store.findTestAccount(db, liveId);
  if (found !== null) return found;
  return db.transaction(async (tx) => {
    await store.lockTestMode(tx, liveId);
    return (await store.findTestAccount(tx, liveId)) ?? openTestAccount(tx, liveId, now);
  });
}

/** Makes a test account in real time, which it keeps until its clock is moved. */
export async function openTestAccount(tx: Db, liveId: string, now: Date): Promise<store.TestAccount> {
  const id = newTestAccountId();
  const made = await store.insertTestAccount(tx, liveId, { id, at: idTime(id), now });
  if (made === null) throw notFound();
  await startClock(tx, id, made.timeZone, now);
  return made;
}

/**
 * Notes that a test account is used, and returns how far its clock is ahead of ours. It is read again for every
 * request, because a clock that has just been moved must be found moved in every process. Null if the account is
 * closed or was replaced.
 */
export async function enterTestAccount(db: Db, accountId: string, now: Date): Promise<number | null> {
  const use = await store.findUse(db, accountId);
  if (use === null) return null;
  // Noted to a day, because unused test mode is emptied after months.
  if (use.usedAt === null || use.usedAt.getTime() < now.getTime() - days(1))
    if (!(await store.noteUse(db, accountId, now))) return null;
  return use.aheadMs;
}

const whileOpen = new WeakMap<Db, Db>();

/**
 * The database for a request that writes into a test account. Between the request's check and its first statement the
 * account may have been emptied, and anything written into the old one would be lost. So each transaction first locks
 * it open. Real accounts, which are never replaced, need no such statement.
 */
export function whileTestAccountOpen(db: Db, accountId: string): Db {
  let guarded = whileOpen.get(db);
  if (guarded === undefined) {
    const transaction: Db['transaction'] = (work) =>
      db.transaction(async (tx) => {
        if (!(await store.holdOpen(tx, accountId)))
          throw conflict(
            'test_mode_reset',
            'Test mode was reset in the meantime, so nothing was done; send the request again.',
          );
        return work(tx);
      });
    guarded = {
      inTransaction: false,
      isDistributed: () => db.isDistributed(),
      transaction,
      query: (query) => transaction((tx) => tx.query(query)),
    };
    // The same object each time, as in onBehalfOf().
    whileOpen.set(db, guarded);
  }
  return guarded;
}
