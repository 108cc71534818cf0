import type { Rows } from '../records/shape.ts';
import { all, literal, none, raw, type Sql, sql } from '../sql.ts';
import type { Search } from './search.ts';

/** For each row of the page, this many rows are examined in order before all matches are found and sorted. */
const examinedPerRow = 10;
const leastLookedThrough = 1_000;
/** If a search covers names of other records, this many of the rows examined look up their own names first. */
const lookedThroughAlone = 300;

interface Matching {
  accountId: string;
  search?: Search | undefined;
  conditions: Sql[];
  most: number;
  /** The next rows of the page, in order. */
  next: (size: number) => Sql;
  order: Sql;
  /** Conditions on where the page begins. */
  behind: readonly Sql[];
}

/**
 * A page, in any order, of rows that meet conditions which the index of that order lacks. First it examines the next
 * rows in order, which fills the page if many match. If few do, it finds all matches in any order, and sorts them.
 */
export function nextMatching({ table, alias: name }: Rows, matching: Matching): Sql {
  const { accountId, next, order, behind, search, conditions, most } = matching;
  const alias = raw(name);
  const inOrder = (size: number): Sql => sql`order by ${order} limit ${literal(size)}`;
  const size = Math.max(leastLookedThrough, examinedPerRow * most);
  const isShort = sql`(select count(*) from matching) < ${literal(most)}
    and (select count(*) from looked_through) >= ${literal(size)}`;
  const searched = search ? [search.matchesBySets ?? search.matches] : [];
  const lookThrough = (rows: Sql, kept: readonly Sql[]): Sql =>
    sql`select * from ${rows} ${alias} where ${all([...kept, ...conditions])} ${inOrder(most)}`;
  // A few rows each look up their own names, so that a very common name is not looked up for all of them.
  const first = sql`(select * from looked_through ${alias} ${inOrder(lookedThroughAlone)})`;
  const isFull = sql`(select count(*) from alone) >= ${literal(most)}`;
  const looked = search?.matchesAlone
    ? sql`alone as materialized (${lookThrough(first, [search.matchesAlone])}),
      matching as materialized (
        select * from alone where ${isFull}
        union all
        select * from (${lookThrough(raw('looked_through'), [sql`not ${isFull}`, ...searched])}) ${alias})`
    : sql`matching as materialized (${lookThrough(raw('looked_through'), searched)})`;
  const rows = (own: readonly Sql[]): Sql => sql`
    select * from ${raw(table)} ${alias}
    where ${all([sql`${alias}.account_id = ${accountId}`, ...own, ...behind, ...conditions])}`;
  const everything = search?.found
    ? sql`
      select kept.* from (select distinct ids.id from (${search.found}) ids where ${isShort}) ids
      cross join lateral (${rows([sql`${alias}.id = ids.id`, ...(search.isExact ? [] : searched)])} limit 1) kept`
    : sql`${rows([isShort, ...(search ? [search.byIndex ?? search.matches] : [])])} offset 0`;
  return sql`
    with ${search?.sets ? sql`${search.sets}, ` : none}looked_through as materialized (${next(size)}),
    ${looked}
    select * from (
      select * from matching where not (${isShort})
      union all
      select * from (select * from (${everything}) ${alias} ${inOrder(most)}) ${alias}) ${alias}
    ${inOrder(most)}`;
}
