import type { Rows } from '../records/shape.ts';
import { all, literal, none, raw, type Sql, sql } from '../sql.ts';
import { nextMatching } from './matching-rows.ts';
import type { Search } from './search.ts';

/*
 * A list in the order of a field, page by page. Each page begins after the last record of the one before it: its value
 * of the field, and its id. An index has the account, the field and the id, so every page costs the same.
 */

/** A field that a list can be sorted by. */
interface SortKey {
  /**
   * The key of a row under this alias, never null, exactly as the index has it. Without one, rows are ordered by id
   * alone.
   */
  key?: (alias: string) => string;
  type?: 'date' | 'bigint' | 'integer' | 'text';
}

/** The order of creation. */
const byId: SortKey = {};

export type SortKeys<Field extends string = string> = Record<Exclude<Field, 'created_at'>, SortKey>;

/** The requested order, and where the page begins. */
export interface SortBounds {
  /** As in the URL: `-paid_on`. */
  name: string;
  behind: SortPosition | null;
}

interface SortPosition {
  id: string;
  value: string;
}

/** How the rows of a list are found in another order. */
export interface Sorting {
  keys: SortKeys;
  /** What the index has before the key and only few rows meet, such as a property. */
  fixed?: readonly Sql[];
  /** A column between those and the key, and the values wanted: each is read in order, and the results are merged. */
  oneOf?: { column: string; values: readonly string[] };
  /** The first and the last value of the key, if it is a date. */
  from?: string | undefined;
  to?: string | undefined;
  /** Replaces the list's own conditions, if those are for another order, or the index meets them. */
  conditions?: readonly Sql[];
}

interface Wanted {
  accountId: string;
  sort: SortBounds;
  sorting: Sorting;
  /** A condition that few rows meet: those are all read and sorted. */
  few: Sql | undefined;
  search?: Search | undefined;
  conditions: Sql[];
  most: number;
}

/** A page in the requested order. */
export function sortedRows(shape: Rows, wanted: Wanted): Sql {
  const { accountId, sort, sorting, few, search, conditions, most } = wanted;
  const { table, alias: name } = shape;
  const alias = raw(name);
  const order = sortOrder(name, sort, sorting.keys);
  const behind = isBehind(name, sort, sorting.keys);
  const own = (more: readonly Sql[]): Sql =>
    sql`select * from ${raw(table)} ${alias} where ${all([sql`${alias}.account_id = ${accountId}`, ...more])}`;
  const inOrder = (rows: Sql, kept: readonly Sql[], size: number): Sql => sql`
    select * from (${rows}) ${alias} where ${all(kept)} order by ${order} limit ${literal(size)}`;
  if (few !== undefined) {
    const kept = [...behind, ...conditions, ...(search ? [search.matchesAlone ?? search.matches] : [])];
    // `offset 0` keeps Postgres from going through all rows in order to find the few that match.
    return inOrder(sql`${own([few])} offset 0`, kept, most);
  }

  const next = (size: number): Sql => {
    const { fixed = [], oneOf } = sorting;
    const inside = range(name, sort, sorting);
    if (oneOf === undefined)
      return sql`${own([...fixed, ...inside, ...behind])} order by ${order} limit ${literal(size)}`;
    const column = raw(`${name}.${oneOf.column}`);
    const rows = sql`${own([...fixed, ...streamStarts(name, sort, sorting, oneOf.column)])}
      order by ${column} ${raw(isDown(sort) ? 'desc' : 'asc')}, ${order} limit ${literal(size)}`;
    const found = sql`
      select found.* from unnest(${oneOf.values}::text[]) as stream(value)
      cross join lateral (select * from (${rows}) ${alias} where ${all([sql`${column} = stream.value`, ...inside])}) found`;
    return inOrder(found, [], size);
  };
  if (conditions.length === 0 && search === undefined) return next(most);
  return nextMatching(shape, { accountId, next, order, behind, search, conditions, most });
}

export const sortOrder = (alias: string, sort: SortBounds, keys: SortKeys): Sql =>
  raw(
    orderColumns(alias, keyOf(sort, keys))
      .map((column) => `${column} ${isDown(sort) ? 'desc' : 'asc'}`)
      .join(', '),
  );

function isBehind(alias: string, sort: SortBounds, keys: SortKeys): Sql[] {
  if (sort.behind === null) return [];
  const { id, value } = sort.behind;
  const sortKey = keyOf(sort, keys);
  const columns = raw(`(${orderColumns(alias, sortKey).join(', ')})`);
  const keyPart = sortKey.key ? sql`${value}::${raw(sortKey.type ?? 'text')}, ` : none;
  return [sql`${columns} ${raw(isDown(sort) ? '<' : '>')} (${keyPart}${id}::uuid)`];
}

/** Bounds of the key itself. */
function range(alias: string, sort: SortBounds, { keys, from, to }: Sorting): Sql[] {
  const { key } = keyOf(sort, keys);
  if (key === undefined) return [];
  const column = raw(key(alias));
  return [
    ...(from === undefined ? [] : [sql`${column} >= ${from}::date`]),
    ...(to === undefined ? [] : [sql`${column} <= ${to}::date`]),
  ];
}

/**
 * Where one value's rows begin, in the index's own order; where they end is checked afterwards. Given an equality,
 * Postgres may take an index without the column, and does if it has seen only one value: to find the one failed payment
 * of a house, it reads all paid ones (see byIndexOrder in selections.ts).
 */
function streamStarts(alias: string, sort: SortBounds, { keys, from, to }: Sorting, column: string): Sql[] {
  const sortKey = keyOf(sort, keys);
  const isDownwards = isDown(sort);
  const columns = raw(`(${[`${alias}.${column}`, ...orderColumns(alias, sortKey)].join(', ')})`);
  const edge = isDownwards ? (to ?? 'infinity') : (from ?? '-infinity');
  const keyValue = (value: string) => (sortKey.key ? sql`, ${value}::${raw(sortKey.type ?? 'text')}` : none);
  const [comparison, end] = isDownwards
    ? ['<', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
    : ['>', '00000000-0000-0000-0000-000000000000'];
  return [
    sql`${columns} ${raw(`${comparison}=`)} (stream.value${keyValue(edge)}, ${raw(`'${end}'`)}::uuid)`,
    ...(sort.behind === null
      ? []
      : [
          sql`${columns} ${raw(comparison)} (stream.value${keyValue(sort.behind.value)}, ${sort.behind.id}::uuid)`,
        ]),
  ];
}

const orderColumns = (alias: string, { key }: SortKey): string[] => [
  ...(key ? [key(alias)] : []),
  `${alias}.id`,
];

const isDown = ({ name }: SortBounds): boolean => name.startsWith('-');

function keyOf({ name }: SortBounds, keys: SortKeys): SortKey {
  const field = name.replace(/^-/, '');
  const found = field === 'created_at' ? byId : keys[field];
  if (!found) throw new Error(`A list is not sorted by ${field}.`);
  return found;
}

/** A cursor's part of a row: the columns, under the row's alias, and the text made from those of the last row. */
export interface PositionOfRow {
  columns: Sql;
  text(last: (column: string) => Sql): Sql;
}

/** The cursor begins with the order, because the next page must have the same one. */
export function sortPosition(alias: string, sort: SortBounds, keys: SortKeys): PositionOfRow {
  const { key } = keyOf(sort, keys);
  return {
    columns: raw(`${alias}.id${key ? `, ${key(alias)} as key` : ''}`),
    text: (last) =>
      sql`concat_ws(' ', ${raw(`'${sort.name}'`)}, ${last('id')}${key ? sql`, ${last('key')}` : none})`,
  };
}

/** Null if it is a position in another order. */
export function readSortPosition(text: string, name: string): SortPosition | null {
  const [, order, id, value = ''] = /^(\S+) ([\da-f-]{36})(?: (.*))?$/s.exec(text) ?? [];
  return id !== undefined && order === name ? { id, value } : null;
}
