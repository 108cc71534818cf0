import type { IdPrefix } from '../../ids.ts';
import { join, raw, type Sql, sql } from '../sql.ts';

/*
 * How rows become public JSON, as SQL expressions over columns (never over input).
 *
 * The text is put together with `||`. row_to_json and json_agg look up the type of every column for every row, which
 * made a list of a hundred payments take two thirds longer.
 */

/** One field of a record: its name, and its JSON as literal text around an expression. */
export interface Field {
  name: string;
  open: string;
  value: Sql;
  close: string;
  /** Whether the value may be SQL's null, which becomes JSON's. */
  nullable: boolean;
}

/** An expression, or a column such as `p.memo`. The field has the column's name unless another is given. */
type Value = string | Sql;

/** Cached by their fields, because most records have the same fields in every request. */
const objects = new WeakMap<readonly Field[], Sql>();

export function objectJson(fields: readonly Field[]): Sql {
  let text = objects.get(fields);
  if (text === undefined) {
    text = concatenated(partsOf(fields));
    objects.set(fields, text);
  }
  return text;
}

/**
 * Expressions, with the literals between them. What follows a nullable value is part of both of its cases, which saves
 * one `||` for each of them. With those, a list of a hundred payments took a tenth longer.
 */
function partsOf(fields: readonly Field[]): Sql[] {
  const starts = fields.map(
    ({ name, open, nullable }, at) => `${at === 0 ? '{' : ','}"${name}":${nullable ? '' : open}`,
  );
  const parts = [raw(`'${starts[0]}'`)];
  for (const [at, { open, value, close, nullable }] of fields.entries()) {
    const next = starts[at + 1] ?? '}';
    if (nullable) parts.push(orNull(open, value, close, next));
    else parts.push(value, raw(`'${close}${next}'`));
  }
  return parts;
}

/** An array with the JSON of each row. `from` is the SQL after the keyword `from`. */
export const rowsOf = (json: Sql, from: Sql): Sql =>
  sql`coalesce((select '[' || string_agg(${json}, ',') || ']' from ${from}), '[]')`;

/** The JSON text of a field's value, without its name. */
export const valueJson = ({ open, value, close }: Field): Sql => orNull(open, value, close);

function orNull(open: string, value: Sql, close: string, next = ''): Sql {
  const before = raw(open && `'${open}' || `);
  const behind = raw(close || next ? ` || '${close}${next}'` : '');
  return sql`coalesce(${before}${value}${behind}, ${raw(`'null${next}'`)})`;
}

/** Joined in groups, because each `||` copies everything to its left. */
function concatenated(parts: Sql[]): Sql {
  const groups: Sql[] = [];
  for (let at = 0; at < parts.length; at += 8) groups.push(sql`(${join(parts.slice(at, at + 8), ' || ')})`);
  return join(groups, ' || ');
}

export const id = (prefix: IdPrefix, column: string, name?: string): Field =>
  field(column, name, [`"${prefix}_`, raw(hex(column)), '"']);

/** Text that may contain anything. */
export const text = (value: Value, name?: string): Field =>
  field(value, name, ['', sql`to_json(${toSql(value)})::text`, '']);

/** Text that never needs escaping: one of the few words that a constraint allows, or digits. */
export const word = (value: Value, name?: string): Field => field(value, name, ['"', toSql(value), '"']);

/** An id as it is stored. */
export const uuid = (column: string, name?: string): Field =>
  word(sql`${raw(column)}::text`, name ?? column.slice(column.indexOf('.') + 1));

/** Numbers and booleans. */
export const number = (value: Value, name?: string): Field =>
  field(value, name, ['', sql`(${toSql(value)})::text`, '']);

/** A calendar date. All our database sessions write dates in this form (connect.ts). */
export const date = (value: Value, name?: string): Field =>
  field(value, name, ['"', sql`(${toSql(value)})::text`, '"']);

/**
 * A time with milliseconds, always three digits. to_json takes three quarters of the time of to_char, but drops
 * trailing zeros. Adding a microsecond keeps them, and its digits are then cut off. `left` would take a fifth longer
 * than the cast, because it goes through the text twice.
 */
export const time = (column: string, name?: string): Field => {
  const utc = `${column} at time zone interval '0'`;
  const exact = `date_bin('1 millisecond', ${utc}, '2000-01-01') + interval '1 microsecond'`;
  return field(column, name, ['', raw(`to_json(${exact})::varchar(24)`), 'Z"']);
};

/** A value that is already JSON. */
export const json = (value: Value, name?: string): Field => number(value, name);

/** An object inside the record, or null if its row is missing. */
export const object = (name: string, alias: string, fields: readonly Field[]): Field => ({
  name,
  open: '',
  value: sql`case when ${raw(alias)}.id is null then 'null' else ${objectJson(fields)} end`,
  close: '',
  nullable: false,
});

/** A field whose column is `not null`, which is a little quicker. */
export const present = (field: Field): Field => ({ ...field, nullable: false });

/** The same as a value of type json, for rows that are not records. */
export const publicObject = (alias: string, fields: readonly Field[]): Sql =>
  sql`case when ${raw(alias)}.id is not null then (${objectJson(fields)})::json end`;

/** `encode` takes a quarter of the time of `translate(id::text, '-', '')`, and every record has several ids. */
const hex = (column: string): string => `encode(uuid_send(${column}), 'hex')`;

export const publicId = (prefix: IdPrefix, column: string): Sql => raw(`'${prefix}_' || ${hex(column)}`);

export const timestamp = (column: string): Sql =>
  raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

function field(value: Value, name: string | undefined, [open, text, close]: [string, Sql, string]): Field {
  const own = typeof value === 'string' ? value.slice(value.indexOf('.') + 1) : undefined;
  const known = name ?? own;
  if (known === undefined) throw new Error('An expression has no name of its own.');
  return { name: known, open, value: text, close, nullable: true };
}

const toSql = (value: Value): Sql => (typeof value === 'string' ? raw(value) : value);
