import type { Db } from './connect.ts';
import { type Sql, sql } from './sql.ts';

/**
 * Runs a statement with a plan made for its values. All others share one plan (connect.ts). This is for sums over much
 * of an account: the right plan depends on how much, and planning is a small part of the work.
 */
export function queryWithCustomPlan<Row>(db: Db, query: Sql): Promise<Row[]> {
  return db.transaction(async (tx) => {
    await tx.query(sql`set local plan_cache_mode = force_custom_plan`);
    return tx.query<Row>(query);
  });
}
