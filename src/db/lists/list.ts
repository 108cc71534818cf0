import type { Db } from '../connect.ts';
import { type RecordShape, type Rows, recordJson } from '../records/shape.ts';
import { all, join, literal, none, raw, type Sql, sql } from '../sql.ts';
import { notOlder, olderThan, roundedSize } from './bounds.ts';
import { type ChangeBounds, changedRows, changePosition, findStart, orderOfChanges } from './changed-rows.ts';
import { mergedRows } from './merged-rows.ts';
import type { ListQuery } from './query.ts';
import { rowsInOrder, searchedRows } from './searched-rows.ts';
import { chosenBy, isStream, newestOf } from './selections.ts';
import { type PositionOfRow, type SortBounds, sortedRows, sortOrder, sortPosition } from './sorted-rows.ts';
import { countOf, mostCounted, totalOf } from './totals.ts';

export interface Page {
  /** JSON array. */
  data: string;
  count: number;
  /** If there are more records: the id of the last one shown, or its position in another order. */
  nextAfter: string | null;
  /** How many records match on all pages, if requested; null if counting would examine too many. */
  total?: number | null;
}

/** Reads one row more than the page shows, to know whether there is a next page. */
export async function listRecords(db: Db, shape: RecordShape, query: ListQuery): Promise<Page> {
  const { limit, changes, sort, total } = query.bounds;
  if (changes !== undefined) return listChanges(db, shape, query, changes);
  if (sort !== undefined) return listSorted(db, shape, query, sort);
  return readPage(db, shape, limit, {
    rows: roughly(shape, query),
    order: raw(`${shape.alias}.id desc`),
    position: { columns: raw(`${shape.alias}.id`), text: (last) => last('id') },
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
    most: roundedSize(limit) + 1,
  });
  return readPage(db, shape, limit, {
    rows,
    order: sortOrder(shape.alias, sort, sorting.keys),
    position: sortPosition(shape.alias, sort, sorting.keys),
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
  const page = changedRows(shape, { accountId, from, search, conditions, most: roundedSize(limit) + 1 });
  const whole = {
    accountId,
    from: start ?? from,
    conditions: allConditions(shape, query),
    most: mostCounted + 1,
  };
  return readPage(db, shape, limit, {
    rows: page,
    order: orderOfChanges(shape.alias),
    position: changePosition(shape.alias),
    goesOn: true,
    total: total ? countOf(changedRows(shape, whole)) : undefined,
  });
}

interface Reading {
  /** A page of the rounded size (see roundedSize). */
  rows: Sql;
  order: Sql;
  position: PositionOfRow;
  /** Whether the last page also has a position to continue from. */
  goesOn?: true;
  total: Sql | undefined;
}

/**
 * Occurs between two records and never within one: JSON escapes line feeds, and json_agg puts a blank before its own.
 */
const between = ',\n';

/**
 * The record after the page, which shows that there is a next page, comes as JSON too and is cut off here. For
 * PostgreSQL to leave it out, the rows had to be kept and read three times, and a list of a hundred payments took it
 * 1,000 instead of 890 µs.
 */
async function readPage(
  db: Db,
  shape: RecordShape,
  limit: number,
  { rows, order, position, goesOn, total }: Reading,
): Promise<Page> {
  const lastShown = sql`least(${limit}::integer, count(*)::integer)`;
  const last = position.text((column) => sql`(array_agg(page.${raw(column)}))[${lastShown}]`);
  const [row] = await db.query<FoundPage>(sql`
    select coalesce(string_agg(page.json, ${between}), '') as data,
           count(*)::integer as found, ${last} as last ${total ? sql`, (${total}) as total` : none}
    from (select ${position.columns}, ${recordJson(shape)} as json
          from (${rows}) ${raw(shape.alias)} ${shape.joins} order by ${order} limit ${limit + 1}::integer) page`);
  if (!row) throw new Error('A list statement returned no row.');
  const records = row.found > limit ? row.data.slice(0, row.data.lastIndexOf(between)) : row.data;
  const page = pageOf({ ...row, data: `[${records}]` }, limit);
  return goesOn ? { ...page, nextAfter: row.last } : page;
}

/** A page as a statement returns it. */
export interface FoundPage {
  data: string;
  /** The number of rows found: one more than the page if there is a next one. */
  found: number;
  last: string | null;
  total?: number | null;
}

export function pageOf({ data, found, last, total }: FoundPage, limit: number): Page {
  const more = found > limit;
  const page = { data, count: more ? limit : found, nextAfter: more ? last : null };
  return total === undefined ? page : { ...page, total };
}

/** All ways of choosing rows as one condition, for a list in another order. */
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

/** A page of rows, and one more row. */
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
  const wanted = roundedSize(bounds.limit) + 1;
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
  // `offset 0` keeps Postgres from moving the conditions inside. With millions of rows it would read all payments with
  // a status rather than the hundred of a tenant.
  return few === undefined
    ? sql`${rows} and ${page}`
    : sql`select * from (${rows} and ${few} offset 0) ${alias} where ${page}`;
}
