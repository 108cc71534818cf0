import type { Db } from '../db/connect.ts';

/** A database that runs no further statement after the signal, so that the transaction is rolled back. */
export function untilAborted(db: Db, signal: AbortSignal): Db {
  return {
    inTransaction: db.inTransaction,
    isDistributed: () => db.isDistributed(),
    query(query) {
      signal.throwIfAborted();
      return db.query(query);
    },
    transaction: (work) => db.transaction((tx) => work(untilAborted(tx, signal))),
  };
}
