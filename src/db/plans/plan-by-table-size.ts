import type { Database } from '../connect.ts';
import { raw, type Sql, sql } from '../sql.ts';

/*
 * Statements on tables whose size changes by orders of magnitude within minutes, as the delivery queue's does.
 *
 * A named statement keeps the plan it got on its connection. One made while the queue was empty reads the whole
 * table for every row it wants, which is right for a page and ruinous for a million rows a minute later, until
 * autovacuum comes by and makes Postgres plan anew. Planning every time is safe but costs more than the work
 * itself for small batches (measured: 76 instead of 46 µs per delivery claimed, 148 instead of 85 per delivery
 * settled, in batches of 30). So each statement has a name, and with it a plan, for every fourfold of size.
 */

const sizes = new WeakMap<Database, string>();

/** The sizes that noteSizes() takes, as an SQL expression: one look into the file system for each table. */
export const sizesOf = (...tables: string[]): Sql =>
  raw(`array[${tables.map((table) => `pg_relation_size('${table}')::float8`).join(', ')}]`);

/** Tells what sizes the tables have now; asked about once a second. */
export function noteSizes(db: Database, bytes: number[]): void {
  const fourfold = (size: number) => Math.floor(Math.log2(size / 8192 + 1) / 2);
  sizes.set(db, bytes.map(fourfold).join('.'));
}

/** Runs the statement with a plan made for tables of about their present size. */
export function queryBySize<Row>(db: Database, query: Sql): Promise<Row[]> {
  const comment = raw(` /* sizes ${sizes.get(db) ?? 'unknown'} */`);
  return db.query<Row>(sql`${query}${comment}`);
}
