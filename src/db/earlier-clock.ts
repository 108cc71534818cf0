import type { Db } from './connect.ts';
import { sql } from './sql.ts';

/**
 * The earlier of our clock and the database's. It is used where a decision cannot be undone, so that a single clock
 * that runs ahead does no harm.
 */
export async function earlierOfClocks(db: Db, now: Date): Promise<Date> {
  const [row] = await db.query<{ at: Date }>(sql`select least(${now}::timestamptz, now()) as at`);
  return row?.at ?? now;
}
