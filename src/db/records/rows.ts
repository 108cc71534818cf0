import type { Db } from '../connect.ts';
import { join, none, raw, type Sql, sql } from '../sql.ts';
import { setChanged } from './changed-at.ts';
import { type RowOf, type Table, type WithId, withTime } from './columns.ts';
import { rowsAsTable } from './rows-as-table.ts';

/*
 * Statements that write or read any number of an account's rows at once. A single row goes the same way.
 */

/** Columns that are not simply taken from the rows `n`, and the joins that their expressions read from. */
export interface Computed {
  values?: Record<string, Sql>;
  joins?: Sql;
  /** Such as `on conflict do nothing`. */
  onConflict?: Sql;
}

export function insertRows<Of extends Table>(
  table: Of,
  accountId: string,
  rows: WithId<object>[],
  { values = {}, joins = none, onConflict = none }: Computed = {},
): Sql {
  const names = Object.keys({ ...table.columns, ...values });
  return sql`
    insert into ${raw(table.name)} (account_id, id, ${raw(names.join(', '))}, created_at, updated_at)
    select ${accountId}, n.id, ${join(
      names.map((name) => values[name] ?? raw(`n.${name}`)),
      ', ',
    )}, n.at, n.at
    from ${rowsAsTable(rows.map(withTime), table.inserted)} ${joins} ${onConflict} returning *`;
}

export function updateRows<Of extends Table>(
  table: Of,
  accountId: string,
  rows: WithId<RowOf<Of>>[],
  now: Date,
  { values = {}, joins = none }: Computed = {},
): Sql {
  const alias = raw(table.alias);
  const names = Object.keys({ ...table.columns, ...values });
  const set = names.map((name) => sql`${raw(name)} = ${values[name] ?? raw(`n.${name}`)}`);
  return sql`
    update ${raw(table.name)} ${alias} set ${join(set, ', ')}, ${setChanged(table.alias, now)}
    from ${rowsAsTable(rows, table.updated)} ${joins}
    where ${alias}.account_id = ${accountId} and ${alias}.id = n.id returning ${alias}.*`;
}

/**
 * Values are as the schemas have them, to be compared with a patch. With `lock`, nobody else changes the rows until the
 * transaction ends.
 */
export async function findRows<Of extends Table>(
  db: Db,
  { name, columns }: Of,
  accountId: string,
  ids: string[],
  lock: boolean,
): Promise<WithId<RowOf<Of>>[]> {
  const fields = Object.entries(columns).map(([key, { read }]) => sql`${read(key)} as ${raw(key)}`);
  return db.query(sql`
    select id, ${join(fields, ', ')} from ${raw(name)}
    where account_id = ${accountId} and id = any(${ids}::uuid[]) ${raw(lock ? 'for no key update' : '')}`);
}
