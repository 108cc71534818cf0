import { all, literal, none, raw, type Sql, sql } from '../sql.ts';
import { highestId } from './bounds.ts';
import type { Search } from './search.ts';

/** A list to be searched. */
interface Searching {
  table: string;
  alias: string;
  accountId: string;
  search: Search;
  /** Conditions on the ids of the page. */
  inBounds: Sql[];
  conditions: Sql[];
  /** The ids of all rows that may meet the conditions. */
  among?: Sql | undefined;
  textInOrder?: TextInOrder | undefined;
  /** How many rows are wanted. */
  most: number;
}

/** An index that has the text beside the id, so that rows without a text are skipped without being read. */
export interface TextInOrder {
  /**
   * Which rows it contains, as a condition on the row under this alias. Long texts do not fit into it; another index
   * has their ids.
   */
  isIn: (alias: string) => string;
  /** An order unrelated to the time of creation, to take a sample by. */
  sampledBy: (alias: string) => string;
}

/** How many of the newest rows are examined before an index is asked for all matches. */
const lookedThrough = 1_000;
/** If a search covers names of other records, this many of the newest rows look up their own names first. */
const lookedThroughAlone = 300;
/**
 * If no more than this are found, each looks up its own names; otherwise all names with the word are looked up once.
 */
const fewFound = 2_000;
const sampled = 300;
/** If at least one in this many of the newest rows matches, older ones soon fill the page. */
const oneInMany = 10;
/** Finding a row by the index takes this many times as long as skipping one in order. */
const timesLonger = 4;
/** A record may be found by its own text and by three names: its tenant's, its unit's and its property's. */
const mostTimesFound = 4;

/**
 * The newest rows that a search finds. An index of text returns all of them, unordered, which takes long if half of an
 * account's records match. But then the newest records include a page of matches. So these are examined first, in
 * order, and the index is asked only if they do not fill the page.
 */
export function searchedRows(searching: Searching): Sql {
  const { search, inBounds, conditions, among, textInOrder, most } = searching;
  const {
    matches,
    byIndex,
    found,
    isExact,
    sets,
    matchesAlone = matches,
    matchesBySets = matches,
    matchesAtOnce = matches,
  } = search;
  const alias = raw(searching.alias);
  const rows = rowsOf(searching);
  const wanted = literal(most);
  const lookThrough = (own: Sql[], size: number, condition: Sql): Sql => sql`
    select * from (${rows(own)} order by ${alias}.id desc limit ${literal(size)}) ${alias}
    where ${all([condition, ...conditions])} order by ${alias}.id desc limit ${wanted}`;
  const isShort = (seen: string): Sql => sql`(select count(*) from ${raw(seen)}) < ${wanted}`;
  // In an account with few records, all of them have been examined by now.
  const behind = (seen: string, more: Sql): Sql[] => [
    more,
    isShort(seen),
    sql`${alias}.id < coalesce((select id from ${raw(seen)} order by id limit 1), ${highestId})`,
    ...inBounds,
  ];

  const isInOrder = textInOrder && conditions.length === 0;
  const isQuicker = raw('(select is_quicker from going_on)');
  const isMore = raw('(select is_more from beyond)');
  const newest = lookThrough(inBounds, found ? lookedThroughAlone : lookedThrough, matchesAlone);
  const goOn = found
    ? lookThrough(
        behind('newest', mayBeMoreThan(searching, lookedThroughAlone)),
        lookedThrough,
        matchesAtOnce,
      )
    : isInOrder
      ? rowsInOrder(searching, textInOrder, [...behind('newest', isMore), isQuicker])
      : rows([raw('false')]);
  const everything = found
    ? sql`select * from (${found}) ids offset 0`
    : sql`${rows([byIndex ?? matches, isMore, isShort('seen'), ...(isInOrder ? [sql`not ${isQuicker}`] : [])], 'id')} offset 0`;
  // Without further conditions, only the newest need to be sorted.
  const isAll = conditions.length === 0 && (!found || isExact);
  const enough = isAll ? sql`limit ${literal(found ? mostTimesFound * most : most)}` : none;
  const older = [...behind('seen', isMore), ...(among ? [sql`${alias}.id in (${among})`] : [])];
  const inOrder = sql`
    select ${alias}.id from (${everything}) ${alias} where ${all(older)} order by ${alias}.id desc ${enough}`;
  const ids = found ? sql`select distinct id from (${inOrder}) ids order by id desc` : inOrder;
  const areFew = sql`(select count(*) from (select from ids limit ${literal(fewFound)}) few) < ${literal(fewFound)}`;
  const matchesWell =
    isAll || !sets ? matchesAlone : sql`case when ${areFew} then ${matchesAlone} else ${matchesBySets} end`;
  const kept = [sql`${alias}.id = ids.id`, matchesWell, ...conditions];
  // Only ids are sorted, and no more rows are looked up than fill the page.
  return sql`
    with newest as materialized (${newest}),
    beyond as materialized (select ${mayBeMoreThan(searching, lookedThrough)} as is_more),
    ${sets ? sql`${sets},` : none}
    ${isInOrder ? sql`going_on as materialized (${isQuickerInOrder(searching, textInOrder)}),` : none}
    seen as materialized (select * from newest union all select * from (${goOn}) ${alias}),
    ids as materialized (${ids})
    select * from seen
    union all
    select * from (
      select kept.* from ids cross join lateral (${rows(kept)} limit 1) kept
      order by ids.id desc limit ${wanted}) ${alias}
    order by id desc limit ${wanted}`;
}

/** Whether there are at least this many rows, so that there may be more. */
const mayBeMoreThan = (searching: Searching, size: number): Sql => sql`
  exists (${rowsOf(searching)(searching.inBounds, '1')}
    order by ${raw(searching.alias)}.id desc offset ${literal(size - 1)} limit 1)`;

/**
 * The newest rows that match, read in order until there are enough: for a text that no index knows, or that many have.
 */
export function rowsInOrder(searching: Searching, { isIn }: TextInOrder, own: Sql[]): Sql {
  const { alias: name, search, most } = searching;
  const alias = raw(name);
  const rows = rowsOf(searching);
  const page = sql`order by ${alias}.id desc limit ${literal(most)}`;
  const ids = (isThere: Sql): Sql => sql`(${rows([isThere, ...own, search.matches], 'id')} ${page})`;
  const isInIndex = raw(isIn(name));
  return sql`
    select read.* from (
      select id from (${ids(isInIndex)} union all ${ids(sql`not ${isInIndex}`)}) ${alias} ${page}) ids
    cross join lateral (${rows([sql`${alias}.id = ids.id`])} limit 1) read
    order by read.id desc`;
}

/**
 * Whether going on in order is quicker than the index. It is if many of the newest rows match, though too few to fill
 * the page. Otherwise a sample decides: reading in order passes over everything newer than the newest match, and the
 * index examines everything that has the words of the text.
 */
function isQuickerInOrder(searching: Searching, { sampledBy }: TextInOrder): Sql {
  const { alias: name, search } = searching;
  const sample = sql`
    select ${raw(name)}.id, ${search.matches} as matches, ${search.mayMatch} as may_match
    from (${rowsOf(searching)([])} order by ${raw(sampledBy(name))}, ${raw(name)}.id limit ${literal(sampled)}) ${raw(name)}`;
  return sql`
    select (select count(*) from newest) >= ${literal(lookedThrough / oneInMany)}
      or count(*) filter (where passed_over) < ${literal(timesLonger)} * count(*) filter (where may_match) as is_quicker
    from (select may_match, count(*) filter (where matches) over (order by id desc) = 0 as passed_over
      from (${sample}) each_of_sample) sample`;
}

const rowsOf =
  ({ table, alias, accountId }: Searching) =>
  (own: Sql[], columns = '*'): Sql =>
    sql`
    select ${raw(columns)} from ${raw(table)} ${raw(alias)}
    where ${all([sql`${raw(alias)}.account_id = ${accountId}`, ...own])}`;
