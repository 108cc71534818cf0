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
  conditions?: Sql[];
  /** What only a few rows have in common: those are read, and looked through for what the conditions leave of them. */
  few?: Sql;
  /** What each of the rows is one of, and none of two. Where these have several streams, the streams are merged. */
  selections?: Selection[];
}

/**
 * Rows found by the values of columns: these, in this order, are what an index has between the account and the id. Each
 * combination of the streams' values is read in id order from that index; an `= any(…)` would make Postgres sort everything
 * that matches.
 */
export type Selection = readonly Column[];

type Column = Fixed | Stream;

interface Fixed {
  column: string;
  value: unknown;
}

export interface Stream {
  column: string;
  type: 'text' | 'integer' | 'date';
  /** A set of values, such as unnest(…) or generate_series(…). */
  values: Sql;
  /** The rows with its highest value are the newest, most likely. */
  rising?: true;
}

const isStream = (column: Column): column is Stream => 'values' in column;
const streamsOf = (selection: Selection): Stream[] => selection.filter(isStream);

/** A filter by one value or several. */
export const oneOf = (column: string, values: readonly string[]): Column =>
  values.length === 1
    ? { column, value: values[0] }
    : { column, type: 'text', values: sql`unnest(${values}::text[])` };

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
  const { accountId, bounds, conditions = [], few, selections = [] } = query;
  const [only = [], ...others] = selections;
  if (others.length > 0 || only.some(isStream)) return mergedRows(shape, query, selections);
  const alias = raw(shape.alias);
  const rows = sql`select * from ${raw(shape.table)} ${alias} where`;
  const page = sql`limit ${literal(roomFor(bounds.limit) + 1)}`;
  if (few === undefined) {
    const { where, order } = slice(shape, query, only);
    return sql`${rows} ${all([where, ...conditions])} ${order} ${page}`;
  }
  // `offset 0` keeps Postgres from pulling the conditions inside: with millions of rows it would look through all payments
  // of a status rather than through the hundred of a tenant.
  const found = sql`${rows} ${alias}.account_id = ${accountId} and ${few} offset 0`;
  const kept = all([...stretch([], `${shape.alias}.id`, endsOf(bounds)).where, ...conditions]);
  return sql`select * from (${found}) ${alias} where ${kept} order by ${alias}.id desc ${page}`;
}

/** What its newest and its oldest row may be: of each end one, or Postgres does not notice where to stop. */
interface Ends {
  before?: Sql | undefined;
  /** This one included. */
  since?: Sql | undefined;
}

export const endsOf = ({ before, since }: Bounds): Ends => ({
  before: before === null ? undefined : sql`${before}::uuid`,
  since: since === null ? undefined : sql`${since}::uuid`,
});

/** The rows of a selection, from the newest on. */
function slice(
  shape: RecordShape,
  { accountId, bounds }: ListQuery,
  selection: Selection,
  streamValue: (stream: Stream) => Sql = impossible,
  ends = endsOf(bounds),
): { where: Sql; order: Sql } {
  const columns = selection.map((each) => ({
    name: `${shape.alias}.${each.column}`,
    value: isStream(each) ? streamValue(each) : sql`${each.value}`,
  }));
  const { where, order } = stretch(columns, `${shape.alias}.id`, ends);
  return { where: all([sql`${raw(`${shape.alias}.account_id`)} = ${accountId}`, ...where]), order };
}

/**
 * What an index has of these columns' values, by id. Written as what lies between two of its entries, and not as
 * `column = value … order by id`: that leaves Postgres the choice to go through all rows by id. It does so where it has seen
 * one value only, and then a look for the one failed payment reads a million paid ones.
 */
export function stretch(
  columns: { name: string; value: Sql }[],
  id: string,
  { before, since }: Ends,
): { where: Sql[]; order: Sql } {
  const names = [...columns.map(({ name }) => name), id];
  const row = raw(`(${names.join(', ')})`);
  const entry = (last: Sql) => sql`(${join([...columns.map(({ value }) => value), last], ', ')})`;
  const isAll = columns.length === 0;
  const last = isAll ? undefined : highestId;
  const first = since ?? (isAll ? undefined : lowestId);
  return {
    where: [
      ...(before ? [sql`${row} < ${entry(before)}`] : last ? [sql`${row} <= ${entry(last)}`] : []),
      ...(first ? [sql`${row} >= ${entry(first)}`] : []),
    ],
    order: raw(`order by ${names.map((name) => `${name} desc`).join(', ')}`),
  };
}

function impossible(): never {
  throw new Error('A stream is read by its values, one after the other.');
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
  const ends = endsOf(query.bounds);
  /** Where the page ends by now. */
  const last = (otherwise: Sql) => sql`coalesce(merged.ids[${wanted}], ${otherwise})`;
  const columns = Array.from(
    { length: Math.max(...selections.map((selection) => streamsOf(selection).length)) },
    (_, at) => at,
  );
  const list = (write: (at: number) => string) => raw(columns.map((at) => `, ${write(at)}`).join(''));
  const floor = floorOf(shape, query, selections);
  const heads = selections.map((selection, number) => {
    const streams = streamsOf(selection);
    const value = (at: number) => (at < streams.length ? `stream${at}.value::text` : 'null::text');
    const since = floor ? raw('(select id from floor)') : ends.since;
    const { where, order } = slice(shape, query, selection, valueIn(streams), { ...ends, since });
    return sql`
      select ${raw(String(number))} as selection, head.id ${list((at) => `${value(at)} as value${at}`)}
      from ${setsOf(streams)} cross join lateral (
        select ${alias}.id from ${table} ${alias} where ${where} ${order} limit 1) head`;
  });
  const rest = selections.map((selection, number) => {
    const streams = streamsOf(selection);
    const value = (stream: Stream) =>
      raw(`heads.values${streams.indexOf(stream)}[merged.turn + 1]::${stream.type}`);
    // The page's last is of another stream.
    const { where, order } = slice(shape, query, selection, value, {
      ...ends,
      since: last(ends.since ?? lowestId),
    });
    return sql`
      (select ${alias}.id from ${table} ${alias}
       where heads.selections[merged.turn + 1] = ${raw(String(number))} and ${where} ${order} limit ${wanted})`;
  });
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
      from merged cross join heads where heads.ids[merged.turn + 1] > ${last(lowestId)})
    select shown.* from unnest((select ids from merged order by turn desc limit 1)) with ordinality as place(id, n)
    cross join lateral (
      select * from ${table} ${alias} where ${alias}.account_id = ${query.accountId} and ${alias}.id = place.id limit 1) shown
    order by place.n`;
}

/** The last id of a page out of the newest streams alone; null where nobody knows which those are. */
function floorOf(shape: RecordShape, query: ListQuery, selections: Selection[]): Sql | null {
  const selection = selections.find((columns) => streamsOf(columns).some(({ rising }) => rising));
  if (selection === undefined) return null;
  const alias = raw(shape.alias);
  const streams = streamsOf(selection);
  const newest = streams.map((stream) =>
    stream.rising
      ? { ...stream, values: sql`(select max(value) as value from ${stream.values} as all_of_them(value))` }
      : stream,
  );
  const { where, order } = slice(shape, query, selection, valueIn(streams));
  return sql`
    select coalesce((
      select page.id from ${setsOf(newest)} cross join lateral (
        select ${alias}.id from ${raw(shape.table)} ${alias} where ${where} ${order}
        offset ${literal(roomFor(query.bounds.limit))} limit 1) page
      order by page.id desc limit 1), ${endsOf(query.bounds).since ?? lowestId}) as id`;
}

function setsOf(streams: Stream[]): Sql {
  if (streams.length === 0) return raw('(values (1)) one');
  return join(
    streams.map(({ values }, at) => sql`${values} as ${raw(`stream${at}(value)`)}`),
    ' cross join ',
  );
}

const valueIn = (streams: Stream[]) => (stream: Stream) => raw(`stream${streams.indexOf(stream)}.value`);

const lowestId = raw("'00000000-0000-0000-0000-000000000000'::uuid");
const highestId = raw("'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid");

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
