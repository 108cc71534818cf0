import type { Db } from './connect.ts';
import { type Field, objectJson } from './json.ts';
import { all, join, literal, none, raw, type Sql, sql } from './sql.ts';

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
  /** Further conditions, for the few rows that the others leave: no index is to be chosen for them. */
  filters?: Sql[];
  /**
   * What each of the rows is one of, and none of two. Where these have several streams, the streams are merged.
   */
  selections?: Selection[];
}

/**
 * Rows found by values of columns. Each combination of the streams' values is read in id order from its index; an
 * `= any(…)` would make Postgres sort everything that matches.
 */
export interface Selection {
  conditions: Sql[];
  streams: Stream[];
}

export interface Stream {
  column: string;
  type: 'text' | 'integer' | 'date';
  /** A set of values, such as unnest(…) or generate_series(…). */
  values: Sql;
  /** The rows with its highest value are the newest, most likely. */
  rising?: true;
}

/** A filter by one value or several. */
export function oneOf(column: string, values: readonly string[]): Selection {
  if (values.length === 1) return { conditions: [sql`${raw(column)} = ${values[0]}`], streams: [] };
  return { conditions: [], streams: [{ column, type: 'text', values: sql`unnest(${values}::text[])` }] };
}

/** All of these filters together. */
export const both = (...selections: Selection[]): Selection => ({
  conditions: selections.flatMap(({ conditions }) => conditions),
  streams: selections.flatMap(({ streams }) => streams),
});

/** One row more than the page is read, to know whether there is a next one; only the page becomes JSON. */
export async function listRecords(db: Db, shape: RecordShape, query: ListQuery): Promise<Page> {
  const { limit } = query.bounds;
  const alias = raw(shape.alias);
  const [row] = await db.query<{ data: string; found: number; last: string | null }>(sql`
    with page as materialized (${newestRows(shape, query)})
    select coalesce((select '[' || string_agg(json, ',') || ']' from (
             select ${recordJson(shape)} as json from (select * from page limit ${limit}::integer) ${alias} ${shape.joins}
             order by ${alias}.id desc) records), '[]') as data,
           (select count(*)::integer from page) as found,
           (select id from page offset ${limit - 1}::integer limit 1) as last`);
  if (!row) throw new Error('A list statement returned no row.');
  const more = row.found > limit;
  return { data: row.data, count: more ? limit : row.found, nextAfter: more ? row.last : null };
}

const rooms = [1, 10, 25, 50, 100, 200, 500, 1000];

/**
 * The next of a few sizes that this many fit into. A page's size is given twice: exactly, as a value, and so, as part of the
 * statement's text. From the value alone, which a plan for all callers does not know, Postgres would take a page for a
 * tenth of the table.
 */
export const roomFor = (limit: number): number => rooms.find((room) => room >= limit) ?? limit;

/** A page of rows, and one more. */
export function newestRows(shape: RecordShape, query: ListQuery): Sql {
  const { limit } = query.bounds;
  return sql`select * from (${roughly(shape, query)}) ${raw(shape.alias)} limit ${limit + 1}::integer`;
}

/** The same for all limits of about the same size. */
function roughly(shape: RecordShape, query: ListQuery): Sql {
  const { selections = [], filters = [] } = query;
  const [only, ...others] = selections;
  if (only && (others.length > 0 || only.streams.length > 0)) return mergedRows(shape, query, selections);
  const alias = raw(shape.alias);
  const wanted = literal(roomFor(query.bounds.limit) + 1);
  const found = sql`select * from ${raw(shape.table)} ${alias} where ${matching(shape, query, only)} order by ${alias}.id desc`;
  // `offset 0` keeps Postgres from pulling the filters inside: with millions of rows it would look through all payments
  // of a status rather than through the hundred of a tenant.
  return filters.length === 0
    ? sql`${found} limit ${wanted}`
    : sql`select * from (${found} offset 0) ${alias} where ${all(filters)} order by ${alias}.id desc limit ${wanted}`;
}

function matching(shape: RecordShape, query: ListQuery, selection?: Selection): Sql {
  const { accountId, bounds, conditions } = query;
  const alias = raw(shape.alias);
  return all([
    sql`${alias}.account_id = ${accountId}`,
    ...(bounds.before === null ? [] : [sql`${alias}.id < ${bounds.before}`]),
    ...(bounds.since === null ? [] : [sql`${alias}.id >= ${bounds.since}`]),
    ...conditions,
    ...(selection?.conditions ?? []),
  ]);
}

/**
 * The newest rows of several streams, reading hardly more of them than are shown. First the newest id of each stream;
 * then, beginning with the stream whose newest is newest of all, one stream after the other is merged into the page,
 * from its newest down to the last id that the page has by then. When the page is full and the next stream begins
 * behind it, so do all the others. A page out of each stream would be as right, but reads and sorts all of them:
 * 25,000 rows for a range of 42 months with six statuses.
 *
 * Where one stream is likely to fill the page alone, it is asked first how far down a page goes: a stream whose newest is
 * behind that is passed over at the first look, instead of after reading a page of its index.
 */
function mergedRows(shape: RecordShape, query: ListQuery, selections: Selection[]): Sql {
  const alias = raw(shape.alias);
  const table = raw(shape.table);
  const wanted = literal(roomFor(query.bounds.limit) + 1);
  const behind = sql`coalesce(merged.ids[${wanted}], ${lowestId}::uuid)`;
  const columns = Array.from(
    { length: Math.max(...selections.map(({ streams }) => streams.length)) },
    (_, at) => at,
  );
  const list = (write: (at: number) => string) => raw(columns.map((at) => `, ${write(at)}`).join(''));
  const floor = floorOf(shape, query, selections);
  const heads = selections.map((selection, number) => {
    const sets = setsOf(selection.streams);
    const value = (at: number) => (at < selection.streams.length ? `stream${at}.value::text` : 'null::text');
    return sql`
      select ${raw(String(number))} as selection, head.id ${list((at) => `${value(at)} as value${at}`)}
      from ${join(sets, ' cross join ')} cross join lateral (
        select ${alias}.id from ${table} ${alias}
        where ${matching(shape, query, selection)} and ${inStream(shape, selection, (at) => `stream${at}.value`)}
          ${floor ? raw(`and ${shape.alias}.id >= (select id from floor)`) : none}
        order by ${alias}.id desc limit 1) head`;
  });
  const rest = selections.map(
    (selection, number) => sql`
      (select ${alias}.id from ${table} ${alias}
       where heads.selections[merged.turn + 1] = ${raw(String(number))} and ${matching(shape, query, selection)}
         and ${inStream(shape, selection, (at, type) => `heads.values${at}[merged.turn + 1]::${type}`)} and ${alias}.id > ${behind}
       order by ${alias}.id desc limit ${wanted})`,
  );
  // One row of arrays: as rows, all heads would be read again for every stream.
  return sql`
    with recursive ${floor ? sql`floor as materialized (${floor}), ` : none}heads as materialized (
      select array_agg(id) as ids, array_agg(selection) as selections ${list((at) => `array_agg(value${at}) as values${at}`)}
      from (select * from (${join(heads, ' union all ')}) found order by id desc) newest),
    merged as (
      select 0 as turn, array[]::uuid[] as ids
      union all
      select merged.turn + 1, array(
        select candidate.id from (select unnest(merged.ids) as id union all ${join(rest, ' union all ')}) candidate
        order by candidate.id desc limit ${wanted})
      from merged cross join heads where heads.ids[merged.turn + 1] > ${behind})
    select shown.* from unnest((select ids from merged order by turn desc limit 1)) with ordinality as place(id, n)
    cross join lateral (
      select * from ${table} ${alias} where ${alias}.account_id = ${query.accountId} and ${alias}.id = place.id limit 1) shown
    order by place.n`;
}

/** The last id of a page out of the newest streams alone; null where nobody knows which those are. */
function floorOf(shape: RecordShape, query: ListQuery, selections: Selection[]): Sql | null {
  const selection = selections.find(({ streams }) => streams.some(({ rising }) => rising));
  if (selection === undefined) return null;
  const alias = raw(shape.alias);
  const newest = selection.streams.map((stream) =>
    stream.rising
      ? { ...stream, values: sql`(select max(value) as value from ${stream.values} as all_of_them(value))` }
      : stream,
  );
  return sql`
    select coalesce((
      select page.id from ${join(setsOf(newest), ' cross join ')} cross join lateral (
        select ${alias}.id from ${raw(shape.table)} ${alias}
        where ${matching(shape, query, selection)} and ${inStream(shape, selection, (at) => `stream${at}.value`)}
        order by ${alias}.id desc offset ${literal(roomFor(query.bounds.limit))} limit 1) page
      order by page.id desc limit 1), ${lowestId}::uuid) as id`;
}

function setsOf(streams: Stream[]): Sql[] {
  if (streams.length === 0) return [raw('(values (1)) one')];
  return streams.map(({ values }, at) => sql`${values} as ${raw(`stream${at}(value)`)}`);
}

function inStream(
  shape: RecordShape,
  { streams }: Selection,
  value: (at: number, type: string) => string,
): Sql {
  return all(streams.map(({ column, type }, at) => raw(`${shape.alias}.${column} = ${value(at, type)}`)));
}

const lowestId = '00000000-0000-0000-0000-000000000000';

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
