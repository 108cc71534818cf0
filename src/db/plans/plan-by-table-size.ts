import type { Database } from '../connect.ts';
import { raw, type Sql, sql } from '../sql.ts';

/*
 * Statements on tables whose size changes by orders of magnitude within minutes, such as the delivery queue.
 *
 * A named statement keeps the plan it got on its connection. A plan made while the queue was empty reads the whole
 * table for every row it wants. That is right for a page and ruinous for a million rows a minute later, until
 * autovacuum comes by and makes Postgres plan again. Planning every time is safe, but for small batches it costs more
 * than the work itself (measured in batches of 30: 76 instead of 46 µs per delivery claimed, 148 instead of 85 per
 * delivery settled). So each statement has a name, and with it a plan, for every fourfold of size.
 */

const sizes = new WeakMap<Database, string>();

/** The sizes for noteSizes(), as an SQL expression: one look into the file system for each table. */
export const sizesOf = (...tables: string[]): Sql =>
  raw(`array[${tables.map((table) => `pg_relation_size('${table}')::float8`).join(', ')}]`);

/** Notes the tables' present sizes. Called about once a second. */
export function noteSizes(db: Database, bytes: number[]): void {
  const fourfold = (size: number) => Math.floor(Math.log2(size / 8192 + 1) / 2);
  sizes.set(db, bytes.map(fourfold).join('.'));
}

/** Runs the statement with a plan made for tables of roughly their present size. */
export function queryBySize<Row>(db: Database, query: Sql): Promise<Row[]> {
  const comment = raw(` /* sizes ${sizes.get(db) ?? 'unknown'} */`);
  return db.query<Row>(sql`${query}${comment}`);
}
