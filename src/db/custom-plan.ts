import type { Db } from './connect.ts';
import { type Sql, sql } from './sql.ts';

/**
 * Runs a statement with a plan made for its values, unlike all others (connect.ts): for sums over much of an account,
 * where the right plan depends on how much that is, and planning is little of the work.
 */
export function queryWithCustomPlan<Row>(db: Db, query: Sql): Promise<Row[]> {
  return db.transaction(async (tx) => {
    await tx.query(sql`set local plan_cache_mode = force_custom_plan`);
    return tx.query<Row>(query);
  });
}
