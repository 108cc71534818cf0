import type { Db } from './connect.ts';
import { sql } from './sql.ts';

/**
 * For what cannot be taken back, no single clock that runs ahead may decide: the earlier of ours and the database's.
 */
export async function earlierOfClocks(db: Db, now: Date): Promise<Date> {
  const [row] = await db.query<{ at: Date }>(sql`select least(${now}::timestamptz, now()) as at`);
  return row?.at ?? now;
}
