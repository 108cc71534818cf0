import { raw, type Sql, sql } from './sql.ts';

/**
 * When a row changed, for its updated_at: never before its last change nor at the same moment, so that of two states the later
 * one can be told by it. Changes wait for each other at the row and for files to be read, and machines' clocks differ.
 */
export const changedAt = (alias: string, now: Date): Sql =>
  sql`greatest(${now}::timestamptz, ${raw(alias)}.updated_at + interval '1 millisecond')`;
