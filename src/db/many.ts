import type { Db } from './connect.ts';
import { join, raw, type Sql, sql } from './sql.ts';

/*
 * Many rows in one statement: an array for each column, so that the text, and with it the prepared statement,
 * is the same for any number of rows.
 */

/** A table of an account's records: the columns that are written, with their Postgres types. */
export interface ManyTable<Row> {
  table: string;
  columns: { [Name in keyof Row & string]: string };
}

export type WithId<Row> = Row & { id: string };

/** `unnest(…) as n(…)`. */
export function unnested(rows: object[], columns: Record<string, string>): Sql {
  const entries = Object.entries(columns);
  const arrays = entries.map(([name, type]) => {
    const values = rows.map((row) => (row as Record<string, unknown>)[name]);
    return sql`${values}::${raw(type)}[]`;
  });
  return sql`unnest(${join(arrays, ', ')}) as n(${raw(entries.map(([name]) => name).join(', '))})`;
}

export function insertMany<Row extends object>(
  { table, columns }: ManyTable<Row>,
  accountId: string,
  rows: (WithId<Row> & { at: string })[],
): Sql {
  const names = Object.keys(columns);
  const all = { id: 'uuid', ...columns, at: 'timestamptz' };
  return sql`
    insert into ${raw(table)} (account_id, id, ${raw(names.join(', '))}, created_at, updated_at)
    select ${accountId}, n.id, ${raw(names.map((name) => `n.${name}`).join(', '))}, n.at, n.at
    from ${unnested(rows, all)} returning *`;
}

export function updateMany<Row extends object>(
  { table, columns }: ManyTable<Row>,
  accountId: string,
  rows: WithId<Row>[],
  now: Date,
): Sql {
  const set = Object.keys(columns).map((name) => `${name} = n.${name}`);
  const all = { id: 'uuid', ...columns };
  return sql`
    update ${raw(table)} r set ${raw(set.join(', '))}, updated_at = ${now}
    from ${unnested(rows, all)} where r.account_id = ${accountId} and r.id = n.id returning r.*`;
}

/** As the driver should give them: numbers and dates as the schemas have them. */
const readAs: Record<string, string> = { bigint: 'float8', numeric: 'float8', date: 'text' };

export async function findMany<Row extends object>(
  db: Db,
  { table, columns }: ManyTable<Row>,
  accountId: string,
  ids: string[],
  lock: boolean,
): Promise<WithId<Row>[]> {
  if (ids.length === 0) return [];
  const fields = Object.entries<string>(columns).map(
    ([name, type]) => `${name}${type in readAs ? `::${readAs[type]} as ${name}` : ''}`,
  );
  return db.query<WithId<Row>>(sql`
    select id, ${raw(fields.join(', '))} from ${raw(table)}
    where account_id = ${accountId} and id = any(${ids}::uuid[]) ${raw(lock ? 'for update' : '')}`);
}
