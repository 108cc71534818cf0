import type { Rows } from '../records/shape.ts';
import { all, join, literal, raw, type Sql, sql } from '../sql.ts';
import { type Bounded, highestId, notOlder, olderThan } from './bounds.ts';

/**
 * Rows found by the values of columns. An index has these columns, in this order, between the account and the id. Each
 * combination of the streams' values is read from that index in id order. With `= any(…)`, Postgres would sort all that
 * matches.
 */
export type Selection = readonly Column[];

type Column = Fixed | Stream;

interface Fixed extends Kind {
  column: string;
  value: unknown;
}

interface Kind {
  /** The column has many values with few rows each, so Postgres chooses its index anyway. */
  selective?: true;
}

export interface Stream extends Kind {
  column: string;
  type: 'text' | 'integer' | 'date';
  /** A set of values, such as unnest(…) or generate_series(…). */
  values: Sql;
  /** The rows with the highest value are probably the newest. */
  rising?: true;
}

export const isStream = (column: Column): column is Stream => 'values' in column;
export const streamsOf = (selection: Selection): Stream[] => selection.filter(isStream);

/** A filter by one value or several. */
export const oneOf = (column: string, values: readonly string[]): Column =>
  values.length === 1
    ? { column, value: values[0] }
    : { column, type: 'text', values: sql`unnest(${values}::text[])` };

export const chosenBy = ({ alias }: Rows, selection: Selection): Sql =>
  all(
    selection.map((each) => {
      const column = raw(`${alias}.${each.column}`);
      return isStream(each)
        ? sql`${column} in (select chosen.value from ${each.values} as chosen(value))`
        : sql`${column} = ${each.value}`;
    }),
  );

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
export function newestOf(shape: Rows, query: Bounded, selection: Selection, wanted: Wanted): Sql {
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

function byValues(shape: Rows, { accountId, bounds }: Bounded, columns: Equality[], wanted: Wanted): Sql {
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
 * Reads the index from the newest entry of the selection on, in the index's own order, and drops the entries that are
 * no longer in the selection. With `status = … order by id`, Postgres may go through all rows by id instead, and does
 * if it has seen only one status: to find the one failed payment, it reads a million paid ones. No other index has the
 * order requested here. (The end cannot be part of the index condition, because Postgres would then read to the end of
 * the first column's value.)
 */
function byIndexOrder(shape: Rows, { accountId, bounds }: Bounded, columns: Equality[], wanted: Wanted): Sql {
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

function impossible(): never {
  throw new Error('A stream has no single value.');
}

export function setsOf(streams: Stream[]): Sql {
  if (streams.length === 0) return raw('(values (1)) one');
  return join(
    streams.map(({ values }, at) => sql`${values} as ${raw(`stream${at}(value)`)}`),
    ' cross join ',
  );
}

export const valueIn = (streams: Stream[]) => (stream: Stream) =>
  raw(`stream${streams.indexOf(stream)}.value`);
