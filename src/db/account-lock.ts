import type { Db } from './connect.ts';
import { sql } from './sql.ts';

/**
 * One transaction at a time has this lock of an account. On a cluster it is not the account's row: every node has a
 * copy of it, so a lock of it would fail while any node is away.
 */
export async function lockAccount(tx: Db, accountId: string): Promise<void> {
  await tx.query(
    tx.isDistributed()
      ? sql`select pg_advisory_xact_lock(hashtextextended(${`tenure account ${accountId}`}, 0))`
      : sql`select from accounts where id = ${accountId} for no key update`,
  );
}
