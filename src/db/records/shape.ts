import { notFound } from '../../errors.ts';
import type { Db } from '../connect.ts';
import { none, raw, type Sql, sql } from '../sql.ts';
import { type Field, objectJson } from './json.ts';

/**
 * How a noun's rows become its public JSON: exactly the public fields, in order, of one row under the alias. Responses,
 * lists and event bodies are all made by this one expression.
 */
export interface RecordShape {
  table: string;
  alias: string;
  fields: readonly Field[];
  /** Lateral joins that the fields read from. */
  joins: Sql;
  /** The fields that are columns of the row, under an alias. */
  own?: (alias: string) => readonly Field[];
}

/** The text of the record's JSON, for a statement that has the row under its alias, followed by the joins. */
export const recordJson = (shape: RecordShape): Sql => objectJson(shape.fields);

export type Rows = Pick<RecordShape, 'table' | 'alias'>;

/** One record's JSON. */
export async function getRecord(db: Db, shape: RecordShape, accountId: string, id: string): Promise<string> {
  const alias = raw(shape.alias);
  const [row] = await db.query<{ json: string }>(sql`
    select ${recordJson(shape)} as json from ${raw(shape.table)} ${alias} ${shape.joins}
    where ${alias}.account_id = ${accountId} and ${alias}.id = ${id}`);
  if (row === undefined) throw notFound();
  return row.json;
}

export const noJoins = none;
