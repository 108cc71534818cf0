import type { Db } from './connect.ts';
import { type Field, objectJson } from './json.ts';
import { all, join, none, raw, type Sql, sql } from './sql.ts';

/**
 * How a noun's rows become its public JSON: exactly the public fields, in order, over one row named by
 * the alias. The response, the list and the frozen event body are all made by this one expression.
 */
export interface RecordShape {
  table: string;
  alias: string;
  fields: readonly Field[];
  /** Lateral joins that the fields read from. */
  joins: Sql;
}

/** The text of the record's JSON, for a statement that has the row under its alias (and the joins behind it). */
export const recordJson = (shape: RecordShape): Sql => objectJson(shape.fields);

export interface Page {
  /** JSON array. */
  data: string;
  count: number;
  /** Id of the last record shown, when there are more behind it. */
  nextAfter: string | null;
}

interface Bounds {
  limit: number;
  before: string | null;
  since: string | null;
}

export interface ListQuery {
  accountId: string;
  bounds: Bounds;
  conditions: Sql[];
  /**
   * Filters of several values. Each combination of values is read in id order from its index and the
   * streams are merged: an `= any(…)` would make Postgres sort everything that matches.
   */
  streams?: Stream[];
}

export interface Stream {
  column: string;
  /** A set of values, such as unnest(…) or generate_series(…). */
  values: Sql;
}

/** A filter by one value or several. */
export function oneOf(column: string, values: readonly string[]): { conditions: Sql[]; streams: Stream[] } {
  if (values.length === 1) return { conditions: [sql`${raw(column)} = ${values[0]}`], streams: [] };
  return { conditions: [], streams: [{ column, values: sql`unnest(${values}::text[])` }] };
}

/** One row more than the page is read, to know whether there is a next one; only the page becomes JSON. */
export async function listRecords(db: Db, shape: RecordShape, query: ListQuery): Promise<Page> {
  const { limit } = query.bounds;
  const alias = raw(shape.alias);
  const [row] = await db.query<{ data: string; found: number; last: string | null }>(sql`
    with page as materialized (${newestRows(shape, query)})
    select coalesce((select '[' || string_agg(json, ',') || ']' from (
             select ${recordJson(shape)} as json from (select * from page limit ${limit}) ${alias} ${shape.joins}
             order by ${alias}.id desc) records), '[]') as data,
           (select count(*)::integer from page) as found,
           (select id from page offset ${limit - 1} limit 1) as last`);
  if (!row) throw new Error('A list statement returned no row.');
  const more = row.found > limit;
  return { data: row.data, count: more ? limit : row.found, nextAfter: more ? row.last : null };
}

function newestRows(shape: RecordShape, { accountId, bounds, conditions, streams = [] }: ListQuery): Sql {
  const alias = raw(shape.alias);
  const where = all([
    sql`${alias}.account_id = ${accountId}`,
    ...(bounds.before === null ? [] : [sql`${alias}.id < ${bounds.before}`]),
    ...(bounds.since === null ? [] : [sql`${alias}.id >= ${bounds.since}`]),
    ...streams.map(({ column }, at) => sql`${alias}.${raw(column)} = ${raw(`stream${at}.value`)}`),
    ...conditions,
  ]);
  const rows = sql`select * from ${raw(shape.table)} ${alias} where ${where} order by ${alias}.id desc limit ${bounds.limit + 1}`;
  if (streams.length === 0) return rows;
  const values = streams.map((stream, at) => sql`${stream.values} as ${raw(`stream${at}(value)`)}`);
  return sql`select merged.* from ${join(values, ' cross join ')}
    cross join lateral (${rows}) merged order by merged.id desc limit ${bounds.limit + 1}`;
}

/** One record's JSON, or null where the account has none with this id. */
export async function findRecord(
  db: Db,
  shape: RecordShape,
  accountId: string,
  id: string,
): Promise<string | null> {
  const alias = raw(shape.alias);
  const [row] = await db.query<{ json: string }>(sql`
    select ${recordJson(shape)} as json from ${raw(shape.table)} ${alias} ${shape.joins}
    where ${alias}.account_id = ${accountId} and ${alias}.id = ${id}`);
  return row?.json ?? null;
}

export const noJoins = none;
