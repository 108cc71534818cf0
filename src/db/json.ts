import type { IdPrefix } from '../ids.ts';
import { raw, type Sql, sql } from './sql.ts';

/*
 * How values look in public JSON, as SQL expressions over column names (never over input).
 * Calendar dates need nothing: Postgres writes a date into JSON as YYYY-MM-DD.
 */

/** `encode` takes a quarter of the time of `translate(id::text, '-', '')`, and every record has several ids. */
export const publicId = (prefix: IdPrefix, column: string): Sql =>
  raw(`'${prefix}_' || encode(uuid_send(${column}), 'hex')`);

export const timestamp = (column: string): Sql =>
  raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** An object inside the record, or null where its row is not there. (json_build_object would add blanks.) */
export const publicObject = (alias: string, fields: Sql): Sql =>
  sql`case when ${raw(alias)}.id is not null then (select row_to_json(inside) from (select ${fields}) inside) end`;
