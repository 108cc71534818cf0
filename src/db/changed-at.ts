import { raw, type Sql, sql } from './sql.ts';

/**
 * When a row changed, for its updated_at: always later than its last change, so that it tells which of two states is
 * the newer one. Changes wait for each other, and machines' clocks differ.
 */
export const changedAt = (alias: string, now: Date): Sql =>
  sql`greatest(${now}::timestamptz, ${raw(alias)}.updated_at + interval '1 millisecond')`;
