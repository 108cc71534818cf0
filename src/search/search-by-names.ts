import { hasScope } from '../api-keys/scopes.ts';
import type { Caller } from '../caller.ts';
import { type Search, searchFor, searchIn } from '../db/lists/search.ts';
import { all, join, literal, raw, type Sql, sql } from '../db/sql.ts';

/** Records that people search by the names of other records: of tenants, units and properties. */
export interface Searched {
  table: string;
  alias: string;
  /** The row's own text in lower case after a space, as the index has it, for the row under the alias. */
  text: string;
  /** Without this condition there is no such text, and the row is not in the index. */
  hasText?: string;
  /** Whose names count: those of the tenant in tenant_id, or of all tenants of the lease in this column. */
  tenants: 'tenant_id' | 'lease_id' | 'id';
  /** Which index finds the records of a unit or a property: the record's own, or that of the lease. */
  unitsVia: 'own' | 'lease_id';
}

/** The text of columns that may be empty, and whether there is any, as the index of a table has it. */
export const textOf = (alias: string, ...columns: string[]): Pick<Searched, 'text' | 'hasText'> => ({
  text: `lower(${columns.map((name) => `' ' || coalesce(${alias}.${name}, '')`).join(' || ')})`,
  hasText: `(${columns.map((name) => `${alias}.${name} is not null`).join(' or ')})`,
});

/** How many words a text is split into. The words after these are searched for as they are, together. */
const mostWords = 4;
/** How many of the newest records are examined to see which word is the rarest. */
const mostCompared = 100;
/**
 * If words are equally rare there, this many of the names with each word are counted, because reading all of them would
 * take long.
 */
const mostNamesCounted = 1_000;

/**
 * Every word of the text must be in the record or in a name that belongs to it: "okafor 2b" finds what Ada Okafor owes
 * for that unit. A name that the caller may not read finds nothing. Names are in tables of their own and change, so no
 * index has them beside the record: the indexes of names find tenants, units and properties, and then the records of
 * these are looked up. The search begins with the word that has the fewest records.
 */
export function searchByNames(searched: Searched, caller: Caller, text: string): Search {
  const words = wordsOf(text).map((word, at) => wordIn(searched, caller, word, `word${at}`));
  const matches = all(words.map((word) => word.matches));
  const conditions = {
    matches,
    mayMatch: matches,
    matchesAlone: all(words.map((word) => word.matchesAlone)),
    matchesBySets: all(words.map((word) => word.matchesBySets)),
    matchesAtOnce: all(words.map((word) => word.matchesAtOnce)),
    byIndex: null,
  };
  // A word that no index knows is searched for among the records that have the other words.
  const known = words.filter((word) => word.isInIndex);
  const [first, ...others] = known.length > 0 ? known : words;
  if (first === undefined) return conditions;
  const rarest = others.length > 0 ? [rarestOf(searched, caller.accountId, [first, ...others])] : [];
  const sets = [...words.flatMap((word) => word.sets), ...rarest];
  return {
    ...conditions,
    ...(sets.length > 0 && { sets: join(sets, ', ') }),
    found: others.length === 0 ? first.found : ofRarest([first, ...others]),
    isExact: words.length === 1,
  };
}

function wordsOf(text: string): string[] {
  const words = text.split(/[\s,;]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return [text];
  if (words.length <= mostWords) return words;
  return [...words.slice(0, mostWords - 1), words.slice(mostWords - 1).join(' ')];
}

/** The word that the fewest of the newest records have; among equals, the one that the fewest names have. */
function rarestOf({ table, alias }: Searched, accountId: string, words: Word[]): Sql {
  const sizes = words.map(
    ({ matchesAlone, names }, at) => sql`
      (${literal(at)}, (select count(*) from newest_of_all ${raw(alias)} where ${matchesAlone}),
        ${sizeOf(names)})`,
  );
  return sql`
    newest_of_all as materialized (
      select * from ${raw(table)} ${raw(alias)} where ${raw(alias)}.account_id = ${accountId}
      order by ${raw(alias)}.id desc limit ${literal(mostCompared)}),
    rarest as materialized (
      select word from (values ${join(sizes, ', ')}) size(word, records, names) order by records, names, word limit 1)`;
}

const sizeOf = (sets: string[]): Sql =>
  sets.length === 0
    ? raw('0')
    : raw(
        `(select count(*) from (${sets.map((set) => `select from ${set}`).join(' union all ')} limit ${mostNamesCounted}) counted)`,
      );

/** The ids of the records that have the rarest word. */
const ofRarest = (words: Word[]): Sql =>
  join(
    words.map(
      ({ found }, at) =>
        sql`select ids.id from (${found}) ids where (select word from rarest) = ${literal(at)}`,
    ),
    ' union all ',
  );

interface Word {
  /** Looks up all names with the word at once. */
  matches: Sql;
  /** Looks up only the record's own names. */
  matchesAlone: Sql;
  matchesBySets: Sql;
  /** Uses the sets if they are small, and the record's own names otherwise. */
  matchesAtOnce: Sql;
  /** The names with the word, in sets with these names. */
  sets: Sql[];
  names: string[];
  /** The ids of the records with the word. */
  found: Sql;
  isInIndex: boolean;
}

function wordIn(searched: Searched, caller: Caller, word: string, called: string): Word {
  const { table, alias, text, hasText, tenants, unitsVia } = searched;
  const { accountId } = caller;
  const own = searchIn(text, word);
  const withText = (condition: Sql): Sql => (hasText ? sql`(${raw(hasText)} and ${condition})` : condition);
  const matches = [withText(own.matches)];
  const matchesAlone = [withText(own.matches)];
  const matchesBySets = [withText(own.matches)];
  const sets: Sql[] = [];
  const setNames: string[] = [];
  const setOf = (noun: string, ids: Sql): Sql => {
    const name = `${called}_${noun}`;
    sets.push(sql`${raw(name)} as materialized (${ids})`);
    setNames.push(name);
    return raw(`select id from ${name}`);
  };
  const found = [
    sql`select ${raw(alias)}.id from ${raw(table)} ${raw(alias)}
      where ${raw(alias)}.account_id = ${accountId} and ${withText(own.byIndex ?? own.matches)}`,
  ];
  const names = searchFor('n', word);
  const named = (noun: string): Sql =>
    sql`select n.id from ${raw(noun)} n where n.account_id = ${accountId} and ${names.byIndex ?? names.matches}`;
  const column = (name: string): Sql => raw(`${alias}.${name}`);
  // Not with `exists`: Postgres might look up all of them for it, as for `in`.
  const isNamed = (noun: string, name: string): Sql =>
    sql`(select ${names.matches} from ${raw(noun)} n where n.account_id = ${accountId} and n.id = ${column(name)})`;
  const of = (ids: Sql, name: string): Sql => rowsOf(accountId, ids, table, name);

  if (hasScope(caller, 'tenants')) {
    const people = named('tenants');
    const ids = tenants === 'tenant_id' ? people : leasesOfTenants(accountId, people);
    matches.push(sql`${column(tenants)} in (${ids})`);
    matchesAlone.push(
      tenants === 'tenant_id'
        ? isNamed('tenants', tenants)
        : sql`(select bool_or(${names.matches}) from lease_tenants lt
            join tenants n on n.account_id = ${accountId} and n.id = lt.tenant_id
            where lt.account_id = ${accountId} and lt.lease_id = ${column(tenants)})`,
    );
    const set = setOf('tenants', ids);
    matchesBySets.push(sql`${column(tenants)} in (${set})`);
    found.push(tenants === 'id' ? set : of(set, tenants));
  }
  for (const [noun, name] of placeNames) {
    if (!hasScope(caller, noun)) continue;
    const ids = named(noun);
    matches.push(sql`${column(name)} in (${ids})`);
    matchesAlone.push(isNamed(noun, name));
    const set = setOf(noun, ids);
    matchesBySets.push(sql`${column(name)} in (${set})`);
    found.push(unitsVia === 'own' ? of(set, name) : of(rowsOf(accountId, set, 'leases', name), unitsVia));
  }
  const alone = sql`(${join(matchesAlone, ' or ')})`;
  const bySets = sql`(${join(matchesBySets, ' or ')})`;
  const areFew = sql`${sizeOf(setNames)} < ${literal(mostNamesCounted)}`;
  return {
    matches: sql`(${join(matches, ' or ')})`,
    matchesAlone: alone,
    matchesBySets: bySets,
    matchesAtOnce: sets.length === 0 ? alone : sql`case when ${areFew} then ${bySets} else ${alone} end`,
    sets,
    names: setNames,
    found: join(found, ' union all '),
    isInIndex: own.byIndex !== null,
  };
}

const placeNames = [
  ['units', 'unit_id'],
  ['properties', 'property_id'],
] as const;

/**
 * The ids are an array, so that Postgres goes through the index once, in the order of the ids, and not once for each of
 * them. For names that 98,000 tenants have, looking up the payments took 50 instead of 235 ms. `offset 0` keeps it from
 * reading the whole table for a few of its rows.
 */
const rowsOf = (accountId: string, ids: Sql, table: string, column: string): Sql => sql`
  select rows.id from (
    select r.id from ${raw(table)} r
    where r.account_id = ${accountId} and ${raw(`r.${column}`)} = any(${arrayOf(ids)}) offset 0) rows`;

const leasesOfTenants = (accountId: string, ids: Sql): Sql => sql`
  select rows.lease_id as id from (
    select lt.lease_id from lease_tenants lt
    where lt.account_id = ${accountId} and lt.tenant_id = any(${arrayOf(ids)}) offset 0) rows`;

const arrayOf = (ids: Sql): Sql => sql`(select array_agg(named.id) from (${ids}) named)::uuid[]`;
