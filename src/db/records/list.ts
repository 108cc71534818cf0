import { notFound } from '../../errors.ts';
import type { Db } from '../connect.ts';
import { all, join, literal, none, raw, type Sql, sql } from '../sql.ts';
import { type ChangeBounds, changedRows, changePlace, findStart, orderOfChanges } from './changed-rows.ts';
import { type Field, objectJson } from './json.ts';
import type { Search } from './search.ts';
import { rowsInOrder, searchedRows, type TextInOrder } from './searched-rows.ts';
import {
  type PlaceOfRow,
  type SortBounds,
  type Sorting,
  sortedRows,
  sortOrder,
  sortPlace,
} from './sorted-rows.ts';

/**
 * How a noun's rows become its public JSON: exactly the public fields, in order, over one row named by the alias.
 * Responses, lists and event bodies are all made by this one expression.
 */
export interface RecordShape {
  table: string;
  alias: string;
  fields: readonly Field[];
  /** Lateral joins that the fields read from. */
  joins: Sql;
  /** Those of the fields that are columns of the row, under an alias. */
  own?: (alias: string) => readonly Field[];
}

/** The text of the record's JSON, for a statement that has the row under its alias (and the joins behind it). */
export const recordJson = (shape: RecordShape): Sql => objectJson(shape.fields);

type Rows = Pick<RecordShape, 'table' | 'alias'>;

export interface Page {
  /** JSON array. */
  data: string;
  count: number;
  /** Id of the last record shown, or its place in another order, when there are more behind it. */
  nextAfter: string | null;
  /** How many match on all pages, if it was asked for; null if too many would have to be looked through. */
  total?: number | null;
}

interface Bounds {
  limit: number;
  before: string | null;
  since: string | null;
  total?: boolean;
  /** What was changed since some time, in the order of commits, instead of the newest records. */
  changes?: ChangeBounds | undefined;
  /** The order of a field. */
  sort?: SortBounds | undefined;
}

export interface ListQuery {
  accountId: string;
  bounds: Bounds;
  /** For lists without selections. */
  conditions?: Sql[];
  /** The same conditions in a form for all rows at once, for a total. */
  countConditions?: Sql[];
  /** A condition that few rows meet: those are read first, then filtered by the other conditions. */
  few?: Sql | undefined;
  /** For lists without selections. */
  search?: Search | undefined;
  /** The ids of all rows that may meet the conditions, for a search. */
  among?: Sql | undefined;
  textInOrder?: TextInOrder;
  /** Each row belongs to exactly one of these. Where they have several streams, the streams are merged. */
  selections?: Selection[];
  /** How it is read in the order of a field. */
  sorting?: Sorting;
}

/**
 * Rows found by the values of columns. An index has these columns, in this order, between the account and the id. Each
 * combination of the streams' values is read from that index in id order. With `= any(…)`, Postgres would sort
 * everything that matches.
 */
export type Selection = readonly Column[];

type Column = Fixed | Stream;

interface Fixed extends Kind {
  column: string;
  value: unknown;
}

interface Kind {
  /** The column has many values, each in few rows, so Postgres chooses its index unasked. */
  selective?: true;
}

export interface Stream extends Kind {
  column: string;
  type: 'text' | 'integer' | 'date';
  /** A set of values, such as unnest(…) or generate_series(…). */
  values: Sql;
  /** The rows with the highest value are most likely the newest. */
  rising?: true;
}

const isStream = (column: Column): column is Stream => 'values' in column;
const streamsOf = (selection: Selection): Stream[] => selection.filter(isStream);

/** A filter by one value or several. */
export const oneOf = (column: string, values: readonly string[]): Column =>
  values.length === 1
    ? { column, value: values[0] }
    : { column, type: 'text', values: sql`unnest(${values}::text[])` };

/** Reads one row more than the page, to know whether there is a next page. */
export async function listRecords(db: Db, shape: RecordShape, query: ListQuery): Promise<Page> {
  const { limit, changes, sort, total } = query.bounds;
  if (changes !== undefined) return listChanges(db, shape, query, changes);
  if (sort !== undefined) return listSorted(db, shape, query, sort);
  return readPage(db, shape, limit, {
    rows: roughly(shape, query),
    order: raw(`${shape.alias}.id desc`),
    place: { columns: raw(`${shape.alias}.id`), text: raw('page.id') },
    last: sql`${limit - 1}::integer`,
    total: total ? totalOf(shape, query) : undefined,
  });
}

function listSorted(db: Db, shape: RecordShape, query: ListQuery, sort: SortBounds): Promise<Page> {
  const { accountId, few, search, sorting = { keys: {} } } = query;
  const { limit, total } = query.bounds;
  const conditions = sorting.conditions
    ? [...notOlder(shape, query.bounds), ...sorting.conditions]
    : allConditions(shape, { ...query, few: undefined, search: undefined });
  const rows = sortedRows(shape, {
    accountId,
    sort,
    sorting,
    few,
    search,
    conditions,
    most: roomFor(limit) + 1,
  });
  return readPage(db, shape, limit, {
    rows,
    order: sortOrder(shape.alias, sort, sorting.keys),
    place: sortPlace(shape.alias, sort, sorting.keys),
    last: sql`${limit - 1}::integer`,
    total: total ? totalOf(shape, query) : undefined,
  });
}

/** The last page says where to go on too, as long as it shows anything: more changes may come. */
async function listChanges(
  db: Db,
  shape: RecordShape,
  query: ListQuery,
  changes: ChangeBounds,
): Promise<Page> {
  const { accountId, search, ...unsearched } = query;
  const { limit, total } = query.bounds;
  const { since, behind } = changes;
  const start = behind === null || total ? await findStart(db, shape, accountId, since) : null;
  const from = behind ?? start;
  if (from === null) return { data: '[]', count: 0, nextAfter: null, ...(total ? { total: 0 } : {}) };
  const conditions = allConditions(shape, { ...unsearched, accountId });
  const page = changedRows(shape, { accountId, from, search, conditions, most: roomFor(limit) + 1 });
  const whole = {
    accountId,
    from: start ?? from,
    conditions: allConditions(shape, query),
    most: mostCounted + 1,
  };
  return readPage(db, shape, limit, {
    rows: page,
    order: orderOfChanges(shape.alias),
    place: changePlace(shape.alias),
    last: sql`least(${limit}::integer, (select count(*)::integer from page)) - 1`,
    goesOn: true,
    total: total ? countOf(changedRows(shape, whole)) : undefined,
  });
}

interface Reading {
  /** A page of the rounded size (see roomFor). */
  rows: Sql;
  order: Sql;
  place: PlaceOfRow;
  /** How many rows of the page are before that one. */
  last: Sql;
  /** Whether the last page has a place too. */
  goesOn?: true;
  total: Sql | undefined;
}

/**
 * The rows are kept as JSON, one more than is shown: kept as they are, with all their columns, a list of a hundred
 * payments took a tenth longer.
 */
async function readPage(
  db: Db,
  shape: RecordShape,
  limit: number,
  { rows, order, place, last, goesOn, total }: Reading,
): Promise<Page> {
  const [row] = await db.query<FoundPage>(sql`
    with page as materialized (
      select ${place.columns}, ${recordJson(shape)} as json
      from (${rows}) ${raw(shape.alias)} ${shape.joins} order by ${order} limit ${limit + 1}::integer)
    select coalesce((select '[' || string_agg(json, ',') || ']'
             from (select json from page limit ${limit}::integer) records), '[]') as data,
           (select count(*)::integer from page) as found,
           (select ${place.text} from page offset greatest(0, ${last}) limit 1) as last
           ${total ? sql`, (${total}) as total` : none}`);
  if (!row) throw new Error('A list statement returned no row.');
  const page = pageOf(row, limit);
  return goesOn ? { ...page, nextAfter: row.last } : page;
}

/** A page as a statement returns it. */
export interface FoundPage {
  data: string;
  /** The page, and one more if there are more. */
  found: number;
  last: string | null;
  total?: number | null;
}

export function pageOf({ data, found, last, total }: FoundPage, limit: number): Page {
  const more = found > limit;
  const page = { data, count: more ? limit : found, nextAfter: more ? last : null };
  return total === undefined ? page : { ...page, total };
}

/** So many records are counted, or looked through, and no more. This number stands for itself and for all above it. */
export const mostCounted = 100_000;

/** Rows of an expression, counted as far as that. */
export const countOf = (rows: Sql): Sql => sql`
  select count(*)::integer from (select from (${rows}) counted limit ${literal(mostCounted)}) counted`;

/**
 * How many rows match on all pages. They are read as for a page, by the account's own index entries, so that it costs
 * the same with ten million rows, and whatever others have. What no index knows is looked for among the newest: if there
 * are older ones, the total is unknown, unless so many match among these already.
 */
function totalOf(shape: Rows, query: ListQuery): Sql {
  const { accountId, conditions = [], countConditions = conditions, few, search, selections = [] } = query;
  const whole = { ...query, bounds: { ...query.bounds, before: null } };
  const most = mostCounted + 1;
  if (selections.some((selection) => selection.length > 0))
    return countOf(
      join(
        selections.map((selection) => {
          const streams = streamsOf(selection);
          const wanted = { columns: 'id', most, streamValue: valueIn(streams) };
          const rows = newestOf(shape, whole, selection, wanted);
          return sql`select matching.id from ${setsOf(streams)} cross join lateral (${rows}) matching`;
        }),
        ' union all ',
      ),
    );
  const alias = raw(shape.alias);
  const own = all([
    sql`${alias}.account_id = ${accountId}`,
    ...notOlder(shape, whole.bounds),
    ...(few ? [few] : []),
  ]);
  const order = few ? none : sql`order by ${alias}.id desc`;
  const looked = (columns: string): Sql =>
    sql`select ${raw(columns)} from ${raw(shape.table)} ${alias} where ${own} ${order} limit ${literal(most)}`;
  const kept = [...(search ? [search.matches] : []), ...countConditions];
  if (kept.length === 0) return countOf(looked('1'));
  return sql`
    select case when matching.count >= ${literal(mostCounted)} then ${literal(mostCounted)}
      when (select count(*) from (${looked('1')}) looked) < ${literal(most)} then matching.count end
    from (select count(*)::integer as count from (${looked('*')}) ${alias} where ${all(kept)}) matching`;
}

/** Every way of choosing rows as a condition, for a list in another order. */
const allConditions = (
  shape: Rows,
  { bounds, conditions = [], few, search, selections = [] }: ListQuery,
): Sql[] => [
  ...notOlder(shape, bounds),
  ...(few === undefined ? [] : [few]),
  ...(search === undefined ? [] : [search.byIndex ?? search.matches]),
  ...(selections.length === 0 || selections.some((each) => each.length === 0)
    ? []
    : [
        sql`(${join(
          selections.map((each) => chosenBy(shape, each)),
          ' or ',
        )})`,
      ]),
  ...conditions,
];

const chosenBy = ({ alias }: Rows, selection: Selection): Sql =>
  all(
    selection.map((each) => {
      const column = raw(`${alias}.${each.column}`);
      return isStream(each)
        ? sql`${column} in (select chosen.value from ${each.values} as chosen(value))`
        : sql`${column} = ${each.value}`;
    }),
  );

const rooms = [1, 10, 25, 50, 100, 200, 500, 1000];

/**
 * Rounds a page's size up to one of a few. The statement has the exact size as a value, and the rounded one in its
 * text: a plan made for all callers does not know the value, and Postgres would then expect a page to be a tenth of the
 * table.
 */
export const roomFor = (limit: number): number => rooms.find((room) => room >= limit) ?? limit;

/** A page of rows, and one more. */
export function newestRows(shape: Rows, query: ListQuery): Sql {
  const { limit } = query.bounds;
  return sql`select * from (${roughly(shape, query)}) ${raw(shape.alias)} limit ${limit + 1}::integer`;
}

/** A page of the rounded size. */
function roughly(shape: Rows, query: ListQuery): Sql {
  const { accountId, bounds, conditions = [], few, search, selections = [] } = query;
  const [only = [], ...others] = selections;
  if (others.length > 0 || only.some(isStream)) return mergedRows(shape, query, selections);
  const alias = raw(shape.alias);
  const wanted = roomFor(bounds.limit) + 1;
  if (only.length > 0) return newestOf(shape, query, only, { columns: '*', most: wanted });
  const rows = sql`select * from ${raw(shape.table)} ${alias} where ${alias}.account_id = ${accountId}`;
  // The few are looked through for a text; its index is not asked.
  const inBounds = [...olderThan(shape, bounds), ...notOlder(shape, bounds)];
  if (few === undefined && search !== undefined) {
    const { among, textInOrder } = query;
    const searching = { ...shape, accountId, search, inBounds, conditions, among, textInOrder, most: wanted };
    if (search.byIndex || search.found) return searchedRows(searching);
    if (textInOrder && conditions.length === 0) return rowsInOrder(searching, textInOrder, inBounds);
  }
  const found = search ? [search.matchesAlone ?? search.matches] : [];
  const kept = all([...inBounds, ...found, ...conditions]);
  const page = sql`${kept} order by ${alias}.id desc limit ${literal(wanted)}`;
  // `offset 0` keeps Postgres from moving the conditions inside. With millions of rows it would read all payments of a
  // status rather than the hundred of a tenant.
  return few === undefined
    ? sql`${rows} and ${page}`
    : sql`select * from (${rows} and ${few} offset 0) ${alias} where ${page}`;
}

interface Wanted {
  columns: string;
  /** Nothing is read unless this holds. */
  when?: Sql;
  most: number;
  /** The oldest id that counts, besides the page's own bound. */
  since?: Sql | undefined;
  streamValue?: (stream: Stream) => Sql;
}

/** The newest rows of a selection. */
function newestOf(shape: Rows, query: ListQuery, selection: Selection, wanted: Wanted): Sql {
  const { streamValue = impossible } = wanted;
  const columns = selection.map((each) => ({
    name: `${shape.alias}.${each.column}`,
    value: isStream(each) ? streamValue(each) : sql`${each.value}`,
  }));
  return selection.some(({ selective }) => selective)
    ? byValues(shape, query, columns, wanted)
    : byIndexOrder(shape, query, columns, wanted);
}

interface Equality {
  name: string;
  value: Sql;
}

function byValues(shape: Rows, { accountId, bounds }: ListQuery, columns: Equality[], wanted: Wanted): Sql {
  const alias = raw(shape.alias);
  const where = all([
    sql`${alias}.account_id = ${accountId}`,
    ...equal(columns),
    ...olderThan(shape, bounds),
    ...notOlder(shape, bounds, wanted.since),
    ...(wanted.when ? [wanted.when] : []),
  ]);
  return sql`
    select ${raw(wanted.columns)} from ${raw(shape.table)} ${alias} where ${where}
    order by ${alias}.id desc limit ${literal(wanted.most)}`;
}

/**
 * Reads the index from the newest entry of the selection on, in the index's own order, and then drops the entries that
 * are no longer in the selection. With `status = … order by id`, Postgres may go through all rows by id instead, and
 * does so where it has seen one status only: to find the one failed payment, it reads a million paid ones. No other
 * index has the order asked for here. (The end cannot be part of the index condition: Postgres would read on to the end
 * of the first column's value.)
 */
function byIndexOrder(
  shape: Rows,
  { accountId, bounds }: ListQuery,
  columns: Equality[],
  wanted: Wanted,
): Sql {
  const alias = raw(shape.alias);
  const order = [...columns.map(({ name }) => name), `${shape.alias}.id`];
  const end = bounds.before === null ? highestId : sql`${bounds.before}::uuid`;
  const where = all([
    sql`${alias}.account_id = ${accountId}`,
    sql`${raw(`(${order.join(', ')})`)} ${raw(bounds.before === null ? '<=' : '<')}
      (${join([...columns.map(({ value }) => value), end], ', ')})`,
    ...(wanted.when ? [wanted.when] : []),
  ]);
  return sql`
    select ${raw(wanted.columns)} from (
      select * from ${raw(shape.table)} ${alias} where ${where}
      order by ${raw(order.map((name) => `${name} desc`).join(', '))} limit ${literal(wanted.most)}) ${alias}
    where ${all([...equal(columns), ...notOlder(shape, bounds, wanted.since)])}`;
}

const equal = (columns: Equality[]): Sql[] => columns.map(({ name, value }) => sql`${raw(name)} = ${value}`);

const olderThan = ({ alias }: Rows, bounds: Bounds): Sql[] =>
  bounds.before === null ? [] : [sql`${raw(alias)}.id < ${bounds.before}`];

const notOlder = ({ alias }: Rows, bounds: Bounds, further?: Sql): Sql[] => [
  ...(bounds.since === null ? [] : [sql`${raw(alias)}.id >= ${bounds.since}`]),
  ...(further ? [sql`${raw(alias)}.id >= ${further}`] : []),
];

function impossible(): never {
  throw new Error('A stream has no single value.');
}

/**
 * The newest rows of several streams, reading hardly more rows than are shown. First it finds the newest id of each
 * stream. Then, beginning with the stream whose newest row is the newest of all, it merges one stream after the other
 * into the page, from the stream's newest row down to the last id that the page has by then. When the page is full and
 * the next stream begins behind it, so do all the others. Reading a page out of each stream would be as correct, but
 * reads and sorts 25,000 rows for a range of 42 months with six statuses.
 *
 * Where one stream is likely to fill the page alone, it says first how far down a page goes. A stream whose newest row
 * is behind that is skipped at the first look, instead of after reading a page of its index.
 */
function mergedRows(shape: Rows, query: ListQuery, selections: Selection[]): Sql {
  const alias = raw(shape.alias);
  const table = raw(shape.table);
  const most = roomFor(query.bounds.limit) + 1;
  const wanted = literal(most);
  const last = sql`coalesce(merged.ids[${wanted}], ${lowestId})`;
  const columns = Array.from(
    { length: Math.max(...selections.map((selection) => streamsOf(selection).length)) },
    (_, at) => at,
  );
  const list = (write: (at: number) => string) => raw(columns.map((at) => `, ${write(at)}`).join(''));
  const floor = floorOf(shape, query, selections);
  const heads = selections.map((selection, number) => {
    const streams = streamsOf(selection);
    const value = (at: number) => (at < streams.length ? `stream${at}.value::text` : 'null::text');
    const since = floor ? raw('(select id from floor)') : undefined;
    const head = newestOf(shape, query, selection, {
      columns: 'id',
      most: 1,
      since,
      streamValue: valueIn(streams),
    });
    return sql`
      select ${raw(String(number))} as selection, head.id ${list((at) => `${value(at)} as value${at}`)}
      from ${setsOf(streams)} cross join lateral (${head}) head`;
  });
  const rest = selections.map((selection, number) => {
    const streams = streamsOf(selection);
    const streamValue = (stream: Stream) =>
      raw(`heads.values${streams.indexOf(stream)}[merged.turn + 1]::${stream.type}`);
    const when = sql`heads.selections[merged.turn + 1] = ${raw(String(number))}`;
    // `last` is a row of another stream.
    return sql`(${newestOf(shape, query, selection, { columns: 'id', when, most, since: last, streamValue })})`;
  });
  // One row of arrays. As rows, all heads would be read again for every stream.
  return sql`
    with recursive ${floor ? sql`floor as materialized (${floor}), ` : none}heads as materialized (
      select array_agg(id) as ids, array_agg(selection) as selections
        ${list((at) => `array_agg(value${at}) as values${at}`)}
      from (select * from (${join(heads, ' union all ')}) found order by id desc) newest),
    merged as (
      select 0 as turn, array[]::uuid[] as ids
      union all
      select merged.turn + 1, array(
        select candidate.id from (select unnest(merged.ids) as id union all ${join(rest, ' union all ')}) candidate
        order by candidate.id desc limit ${wanted})
      from merged cross join heads where heads.ids[merged.turn + 1] > ${last})
    select shown.*
    from unnest((select ids from merged order by turn desc limit 1)) with ordinality as page(id, position)
    cross join lateral (
      select * from ${table} ${alias}
      where ${alias}.account_id = ${query.accountId} and ${alias}.id = page.id limit 1) shown
    order by page.position`;
}

/** The last id of a page read from the newest streams alone; null where it is unknown which those are. */
function floorOf(shape: Rows, query: ListQuery, selections: Selection[]): Sql | null {
  const selection = selections.find((columns) => streamsOf(columns).some(({ rising }) => rising));
  if (selection === undefined) return null;
  const streams = streamsOf(selection);
  const newest = streams.map((stream) =>
    stream.rising
      ? {
          ...stream,
          values: sql`(select max(value) as value from ${stream.values} as all_of_them(value))`,
        }
      : stream,
  );
  const page = newestOf(shape, query, selection, {
    columns: 'id',
    most: roomFor(query.bounds.limit) + 1,
    streamValue: valueIn(streams),
  });
  return sql`
    select coalesce((
      select page.id from ${setsOf(newest)} cross join lateral (
        select id from (${page}) newest offset ${literal(roomFor(query.bounds.limit))}) page
      order by page.id desc limit 1), ${lowestId}) as id`;
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
