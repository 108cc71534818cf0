import type { Db } from '../connect.ts';
import { sql } from '../sql.ts';

/**
 * Runs the work. If it throws, its writes are undone and the transaction continues. Do not use it for every batch of a
 * large file: after 64 savepoints in a transaction, everybody else's reads get slower until it ends.
 */
export async function attempt<Result>(tx: Db, work: () => Promise<Result>): Promise<Result> {
  await tx.query(sql`savepoint attempt`);
  try {
    const result = await work();
    await tx.query(sql`release savepoint attempt`);
    return result;
  } catch (error) {
    await tx.query(sql`rollback to savepoint attempt`);
    await tx.query(sql`release savepoint attempt`);
    throw error;
  }
}
