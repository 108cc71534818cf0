import type { Db } from '../db/connect.ts';

/** A database that does no further statement once the signal is given: the transaction is undone. */
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
