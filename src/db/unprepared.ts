import type { Database } from './connect.ts';
import { type Sql, toStatement } from './sql.ts';

/**
 * Runs a statement that Postgres plans anew each time, for its size of today. A named statement keeps the
 * plan it got on its connection: one made while the delivery queue was empty reads the whole table for
 * every row wanted, when a minute later it holds a million. Planning costs a few tenths of a millisecond,
 * so this is for statements that work on many rows.
 */
export async function unprepared<Row>(db: Database, query: Sql): Promise<Row[]> {
  const { name, text, values } = toStatement(query);
  return (await db.pool.query({ name, text, values })).rows as Row[];
}
