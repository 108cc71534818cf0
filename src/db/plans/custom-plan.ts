import type { Db } from '../connect.ts';
import { type Sql, sql } from '../sql.ts';

/**
 * Runs a statement with a plan made for its values. All other statements share one plan (connect.ts). This is for
 * statements that read much of an account: the right plan depends on how much, and planning is a small part of the
 * work.
 */
export const queryWithCustomPlan = <Row>(db: Db, query: Sql): Promise<Row[]> =>
  queryWith(db, sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`, query);

/**
 * The same for sums over a whole account, without nested loops except those that laterals need. For an account newer
 * than the statistics, PostgreSQL expects a single row. With loops, the home page of 150 units then took up to 8 s;
 * without them it takes 20 ms.
 */
export const sumWithCustomPlan = <Row>(db: Db, query: Sql): Promise<Row[]> =>
  queryWith(
    db,
    sql`select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_nestloop', 'off', true)`,
    query,
  );

const queryWith = <Row>(db: Db, settings: Sql, query: Sql): Promise<Row[]> =>
  db.transaction(async (tx) => {
    await tx.query(settings);
    return tx.query<Row>(query);
  });
