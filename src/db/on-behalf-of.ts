import { LRUCache } from 'lru-cache';
import type { Database, Db } from './connect.ts';

/** More than the number of accounts that are ever active at the same time. */
const mostAccounts = 10_000;

const known = new WeakMap<Database, LRUCache<string, Db>>();

/**
 * The database as one account uses it, with the account's own share of the connections (connection-queue.ts). An
 * account gets the same object each time, because it groups payments that are written together
 * (records/batch-writes.ts).
 */
export function onBehalfOf(db: Database, accountId: string): Db {
  let accounts = known.get(db);
  if (accounts === undefined) {
    accounts = new LRUCache({ max: mostAccounts });
    known.set(db, accounts);
  }
  let own = accounts.get(accountId);
  if (own === undefined) {
    own = {
      inTransaction: false,
      isDistributed: () => db.isDistributed(),
      query: (query) => db.query(query, accountId),
      transaction: (work) => db.transaction(work, accountId),
    };
    accounts.set(accountId, own);
  }
  return own;
}
