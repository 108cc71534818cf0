import { formatId, type IdPrefix, idTime, newId } from '../../ids.ts';
import { raw, type Sql, sql } from '../sql.ts';
import * as fields from './json.ts';
import { noJoins, type RecordShape } from './shape.ts';

/*
 * Each noun has one table of its columns. The row's type, its insert and update, the read before a change and the JSON
 * all come from it. So a new column is named once here, besides its migration and its schema.
 */

/** A column that is filled when a record is created. */
export interface Column<Value> {
  /** Its type in Postgres. */
  type: string;
  /** An expression for the value in the form of the noun's schema. */
  read(name: string): Sql;
  /** Null if the record does not show the column. */
  json: ((column: string) => fields.Field) | null;
  /** For TypeScript only; never set. */
  value?: Value;
}

type Columns = Readonly<Record<string, Column<unknown>>>;

export type RowOf<Of extends { columns: Columns }> = {
  [Name in keyof Of['columns']]: Of['columns'][Name] extends Column<infer Value> ? Value : never;
};

export type WithId<Row> = Row & { id: string };

export interface Table<Of extends Columns = Columns> {
  name: string;
  alias: string;
  prefix: IdPrefix;
  columns: Of;
  /** Types of the columns in a statement that inserts or updates rows. */
  inserted: Record<string, string>;
  updated: Record<string, string>;
}

export function table<Of extends Columns>(
  name: string,
  { alias, prefix }: { alias: string; prefix: IdPrefix },
  columns: Of,
): Table<Of> {
  const types = Object.fromEntries(Object.entries(columns).map(([column, { type }]) => [column, type]));
  const updated = { id: 'uuid', ...types };
  return { name, alias, prefix, columns, updated, inserted: { ...updated, at: 'timestamptz' } };
}

function column<Value>(
  type: string,
  toJson: (column: string) => fields.Field,
  read: (name: string) => Sql = raw,
): Column<Value> {
  return { type, read, json: (name) => fields.present(toJson(name)) };
}

const castTo = (type: string) => (name: string) => raw(`${name}::${type}`);

export const text = column<string>('text', fields.text);
/** One of a few words, or digits: text that never needs escaping in JSON. */
export const word = <Word extends string = string>(): Column<Word> => column('text', fields.word);
export const integer = column<number>('integer', fields.number);
export const smallint = column<number>('smallint', fields.number);
export const bigint = column<number>('bigint', fields.number, castTo('float8'));
export const numeric = column<number>('numeric', fields.number, castTo('float8'));
export const boolean = column<boolean>('boolean', fields.number);
export const date = column<string>('date', fields.date, castTo('text'));
export const time = column<string>('timestamptz', fields.time, fields.timestamp);
export const reference = (prefix: IdPrefix): Column<string> =>
  column('uuid', (name) => fields.id(prefix, name));

/** Ids of other records, as a list. */
export const references = (prefix: IdPrefix): Column<string[]> =>
  column(
    'uuid[]',
    (name) =>
      fields.json(
        sql`select coalesce(json_agg(${fields.publicId(prefix, 'one')}), '[]') from unnest(${raw(name)}) one`,
        name.slice(name.indexOf('.') + 1),
      ),
    castTo('text[]'),
  );

/** A list or an object. */
export const json = <Value>(): Column<Value> => column('jsonb', (name) => fields.json(name));

export const orNull = <Value>({ type, read, json }: Column<Value>): Column<Value | null> => ({
  type,
  read,
  json: json && ((name) => ({ ...json(name), nullable: true })),
});

export const notShown = <Value>(of: Column<Value>): Column<Value> => ({ ...of, json: null });

/** The record's JSON: its id, its columns, each followed by the fields that are shown after it, and its times. */
export function shapeOf<Of extends Columns>(
  { name, alias, prefix, columns }: Table<Of>,
  behind: { [Name in keyof Of | 'id']?: fields.Field[] } = {},
  joins: Sql = noJoins,
): RecordShape {
  const shown: Record<string, fields.Field> = { id: fields.present(fields.id(prefix, `${alias}.id`)) };
  for (const [key, { json }] of Object.entries(columns)) if (json) shown[key] = json(`${alias}.${key}`);
  return {
    table: name,
    alias,
    joins,
    own: (as) => Object.entries(columns).flatMap(([key, { json }]) => (json ? [json(`${as}.${key}`)] : [])),
    fields: [
      ...Object.entries(shown).flatMap(([key, field]) => [field, ...(behind[key] ?? [])]),
      ...['created_at', 'updated_at'].map((key) => fields.present(fields.time(`${alias}.${key}`))),
    ],
  };
}

/** A new record's values. Nullable ones may be left out. */
type Input<Row> = { [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name] } & {
  [Name in keyof Row as null extends Row[Name] ? Name : never]?: Row[Name] | undefined;
};

/** The row of a new record, with a new id, and null for whatever was left out. */
export function newRow<Of extends Columns>(
  { columns }: Table<Of>,
  input: Input<RowOf<{ columns: Of }>>,
): WithId<RowOf<{ columns: Of }>> {
  const row: Record<string, unknown> = { id: newId() };
  for (const name in columns) row[name] = (input as Record<string, unknown>)[name] ?? null;
  return row as WithId<RowOf<{ columns: Of }>>;
}

/** The JSON of written rows in the order of `rows`. Statements that write return it in another order. */
export function inOrderOf({ prefix }: Table, rows: { id: string }[], written: string[]): string[] {
  if (rows.length === 1) return written;
  const byId = new Map(written.map((json) => [JSON.parse(json).id, json]));
  return rows.map(({ id }) => byId.get(formatId(prefix, id)) as string);
}

/** Adds created_at, which is the time in the id. */
export const withTime = <Row extends { id: string }>(row: Row): Row & { at: string } => ({
  ...row,
  at: idTime(row.id).toISOString(),
});
