import { raw, type Sql, sql } from '../sql.ts';

/**
 * When a row changed, for its updated_at. It is always later than the previous change, so that it shows which of two
 * states is the later one. `now` alone may be earlier: changes queue up at the row, imports wait for files, and
 * machines' clocks differ.
 */
export const changedAt = (alias: string, now: Date): Sql =>
  sql`greatest(${now}::timestamptz, ${raw(`(${alias}.updated_at at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC'`)})`;

/**
 * What every update sets on a record that is listed by its changes: when it changed, and in which transaction
 * (written-in.ts).
 */
export const setChanged = (alias: string, now: Date): Sql =>
  sql`updated_at = ${changedAt(alias, now)}, written_in = default`;
