import type { IdPrefix } from '../ids.ts';
import { join, raw, type Sql, sql } from './sql.ts';

/*
 * How rows become public JSON, as SQL expressions over columns (never over input).
 *
 * The text is put together by `||`. row_to_json and json_agg look up the type of every column of every row anew:
 * for a list of a hundred payments that took two thirds longer.
 */

/** One field of a record: its name and its JSON text, which is never SQL's null. */
export interface Field {
  name: string;
  json: Sql;
}

/** An expression, or a column such as `p.memo`; a column's own name is the field's unless another is given. */
type Value = string | Sql;

/** Kept with the fields: most records' are the same for every request. */
const objects = new WeakMap<readonly Field[], Sql>();

export function objectJson(fields: readonly Field[]): Sql {
  let text = objects.get(fields);
  if (text === undefined) {
    const members = fields.map(
      ({ name, json }, index) => sql`${raw(`'${index === 0 ? '{' : ','}"${name}":'`)} || ${json}`,
    );
    text = sql`${join(members, ' || ')} || '}'`;
    objects.set(fields, text);
  }
  return text;
}

export const id = (prefix: IdPrefix, column: string, name?: string): Field =>
  field(column, name, raw(`coalesce('"${prefix}_' || ${hex(column)} || '"', 'null')`));

/** Text that may hold anything. */
export const text = (value: Value, name?: string): Field =>
  field(value, name, sql`coalesce(to_json(${toSql(value)})::text, 'null')`);

/** Text that never needs escaping: one of a few words that a constraint lists, or digits. */
export const word = (value: Value, name?: string): Field =>
  field(value, name, sql`coalesce('"' || ${toSql(value)} || '"', 'null')`);

/** Also true and false. */
export const number = (value: Value, name?: string): Field =>
  field(value, name, sql`coalesce((${toSql(value)})::text, 'null')`);

/** A calendar date. A plain cast would follow the session's DateStyle. */
export const date = text;

export const time = (column: string, name?: string): Field =>
  field(column, name, sql`coalesce('"' || ${timestamp(column)} || '"', 'null')`);

/** What is JSON already. */
export const json = (value: Value, name?: string): Field => number(value, name);

/** An object inside the record, or null where its row is not there. */
export const object = (name: string, alias: string, fields: readonly Field[]): Field => ({
  name,
  json: sql`case when ${raw(alias)}.id is null then 'null' else ${objectJson(fields)} end`,
});

/** The same as a value of type json, for rows that are not records. */
export const publicObject = (alias: string, fields: readonly Field[]): Sql =>
  sql`case when ${raw(alias)}.id is not null then (${objectJson(fields)})::json end`;

/** `encode` takes a quarter of the time of `translate(id::text, '-', '')`, and every record has several ids. */
const hex = (column: string): string => `encode(uuid_send(${column}), 'hex')`;

export const publicId = (prefix: IdPrefix, column: string): Sql => raw(`'${prefix}_' || ${hex(column)}`);

export const timestamp = (column: string): Sql =>
  raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

function field(value: Value, name: string | undefined, json: Sql): Field {
  const own = typeof value === 'string' ? value.slice(value.indexOf('.') + 1) : undefined;
  const known = name ?? own;
  if (known === undefined) throw new Error('An expression has no name of its own.');
  return { name: known, json };
}

const toSql = (value: Value): Sql => (typeof value === 'string' ? raw(value) : value);
