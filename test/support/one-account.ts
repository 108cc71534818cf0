/*
 * On a database that is distributed by account, a statement is one task on one node only if every mention of an
 * account's table is filtered by the account as a parameter
 * (docs/decisions/0004-one-schema-from-laptop-to-cluster.md, rule 2).
 */

/** Statements for all accounts contain this. They are few and simple. */
const acrossAccounts = '/* across accounts */';

export interface Mentions {
  /** Mentions of an account's table without `account_id = $n` beside it, as `table alias`. */
  unfiltered: string[];
  /** The parameters that account_id is compared with. All must be the same account. */
  parameters: number[];
}

/** A part of a statement that has its own list of tables: a select, or what changes rows. */
interface Query {
  tables: { table: string; alias: string }[];
  /** By alias. Under '' those without one. */
  filters: Map<string, number>;
}

/** A pair of parentheses: a query of its own, or a part of the query around it. */
interface Level {
  query: Query;
  isQuery: boolean;
  inFrom: boolean;
  /** The aliases that the condition being read filters, or null if it has an `or` beside them. */
  filtered: string[] | null;
}

const token = /--.*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$\d+|[a-z_][a-z0-9_]*|::|\d+|\S/g;
const beginsQuery = /^(select|with|insert|update|delete|values)$/;
const endsFrom =
  /^(where|group|order|having|limit|offset|returning|set|select|for|window|union|except|intersect)$/;
const noAlias =
  /^(where|on|using|join|left|right|full|inner|cross|natural|group|order|having|limit|offset|returning|set|for|window|union|except|intersect|select|values|default|\W+)$/;

export function mentionsOf(text: string, accountTables: ReadonlySet<string>): Mentions {
  const found: Mentions = { unfiltered: [], parameters: [] };
  if (text.trimStart().startsWith(acrossAccounts)) return found;
  const tokens = (text.toLowerCase().match(token) ?? []).filter((each) => !/^(--|\/\*)/.test(each));
  const at = (index: number) => tokens[index] ?? '';
  const newQuery = (): Query => ({ tables: [], filters: new Map() });
  const levels: Level[] = [{ query: newQuery(), isQuery: true, inFrom: false, filtered: [] }];

  const end = ({ tables, filters }: Query) => {
    found.parameters.push(...filters.values());
    for (const { table, alias } of tables)
      if (!filters.has(alias) && !(filters.has('') && tables.length === 1))
        found.unfiltered.push(table === alias ? table : `${table} ${alias}`);
  };

  for (let index = 0; index < tokens.length; index++) {
    const word = at(index);
    const level = levels.at(-1) as Level;
    const { query } = level;
    if (word === '(') {
      const isQuery = beginsQuery.test(at(index + 1));
      levels.push({ query: isQuery ? newQuery() : query, isQuery, inFrom: false, filtered: [] });
    } else if (word === ')') {
      levels.pop();
      if (level.isQuery) end(query);
    } else if (/^(union|except|intersect)$/.test(word) && level.isQuery) {
      end(query);
      level.query = newQuery();
    }
    if (endsFrom.test(word)) level.inFrom = false;
    if (endsFrom.test(word) || word === 'on') level.filtered = [];
    if (word === 'or') {
      for (const alias of level.filtered ?? []) query.filters.delete(alias);
      level.filtered = null;
    }

    const isTableNext =
      (word === 'from' && at(index - 1) !== 'distinct') ||
      word === 'join' ||
      word === 'using' ||
      (word === 'update' && !/^(for|key|do)$/.test(at(index - 1))) ||
      (word === ',' && level.inFrom);
    if (isTableNext) {
      level.inFrom = true;
      const table = at(index + 1);
      const next = at(index + 2) === 'as' ? at(index + 3) : at(index + 2);
      if (accountTables.has(table))
        query.tables.push({ table, alias: next === '' || noAlias.test(next) ? table : next });
    }
    if (word === 'into' && accountTables.has(at(index + 1))) {
      const parameter = insertedAccount(tokens, index + 2);
      if (parameter === null) found.unfiltered.push(`insert into ${at(index + 1)}`);
      else found.parameters.push(parameter);
    }
    if (word === 'account_id' && at(index + 1) === '=' && at(index + 2).startsWith('$')) {
      const alias = at(index - 1) === '.' ? at(index - 2) : '';
      const before = at(alias === '' ? index - 1 : index - 3);
      if (/^(where|and|on)$/.test(before) && level.filtered) {
        level.filtered.push(alias);
        query.filters.set(alias, Number(at(index + 2).slice(1)));
      }
    }
  }
  for (const { query, isQuery } of levels) if (isQuery) end(query);
  return found;
}

/** The parameter that is written into account_id, which comes first: `(account_id, …) select $1, …`, or values. */
function insertedAccount(tokens: readonly string[], open: number): number | null {
  if (tokens[open] !== '(' || tokens[open + 1] !== 'account_id') return null;
  const close = tokens.indexOf(')', open);
  const first = tokens[close + 1] === 'values' ? close + 3 : close + 2;
  const behind = tokens[first + 1] === '::' ? tokens[first + 3] : tokens[first + 1];
  const value = tokens[first] ?? '';
  return value.startsWith('$') && (behind === ',' || behind === ')') ? Number(value.slice(1)) : null;
}
