import type { Db } from '../connect.ts';
import { type RecordShape, type Rows, recordJson } from '../records/shape.ts';
import { all, join, literal, none, raw, type Sql, sql } from '../sql.ts';
import { notOlder, olderThan, roomFor } from './bounds.ts';
import { type ChangeBounds, changedRows, changePlace, findStart, orderOfChanges } from './changed-rows.ts';
import { mergedRows } from './merged-rows.ts';
import type { ListQuery } from './query.ts';
import { rowsInOrder, searchedRows } from './searched-rows.ts';
import { chosenBy, isStream, newestOf } from './selections.ts';
import { type PlaceOfRow, type SortBounds, sortedRows, sortOrder, sortPlace } from './sorted-rows.ts';
import { countOf, mostCounted, totalOf } from './totals.ts';

export interface Page {
  /** JSON array. */
  data: string;
  count: number;
  /** Id of the last record shown, or its position in another order, if there are more after it. */
  nextAfter: string | null;
  /** How many records match on all pages, if requested; null if too many would have to be examined. */
  total?: number | null;
}

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

/** The last page also says where to continue, unless it is empty, because more changes may come. */
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
  /** How many rows of the page come before that one. */
  last: Sql;
  /** Whether the last page has a position too. */
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
  // The few rows are searched for the text without its index.
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
