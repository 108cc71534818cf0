import type { Db } from '../connect.ts';
import { join, none, raw, type Sql, sql } from '../sql.ts';
import { setChanged } from './changed-at.ts';
import { type RowOf, type Table, type WithId, withTime } from './columns.ts';
import { rowsAsTable } from './rows-as-table.ts';

/* Statements that write or read any number of an account's rows at once. Single rows use them too. */

/** Columns that are not simply taken from the rows `n`, and the joins that their expressions read from. */
export interface Computed {
  values?: Record<string, Sql>;
  joins?: Sql;
  /** For example `on conflict do nothing`. */
  onConflict?: Sql;
  /** When inserted rows change last, by their ids, if not when they are made. */
  changing?: ReadonlyMap<string, Date> | undefined;
}

/** An insert of selected rows, and its parts. */
export interface InsertOfRows extends Sql {
  insert: Insert;
}

interface Insert {
  table: string;
  columns: string[];
  select: Sql;
  onConflict: Sql;
}

export function insertRows<Of extends Table>(
  table: Of,
  accountId: string,
  rows: WithId<object>[],
  { values = {}, joins = none, onConflict = none, changing }: Computed = {},
): InsertOfRows {
  const names = Object.keys({ ...table.columns, ...values });
  const columns = ['account_id', 'id', ...names, 'created_at', 'updated_at'];
  const made = rows.map(withTime);
  const timed = changing
    ? made.map((row) => ({ ...row, changed_at: changing.get(row.id)?.toISOString() ?? row.at }))
    : made;
  const types = changing ? { ...table.inserted, changed_at: 'timestamptz' } : table.inserted;
  const select = sql`
    select ${accountId}, n.id, ${join(
      names.map((name) => values[name] ?? raw(`n.${name}`)),
      ', ',
    )}, n.at, ${raw(changing ? 'n.changed_at' : 'n.at')}
    from ${rowsAsTable(timed, types)} ${joins}`;
  const whole = sql`
    insert into ${raw(table.name)} (${raw(columns.join(', '))})${select} ${onConflict} returning *`;
  return Object.assign(whole, { insert: { table: table.name, columns, select, onConflict } });
}

/**
 * The same insert for a distributed database, of values that are read first. For both statements Citus takes half as
 * long as for one insert that selects (docs/decisions/0043-one-connection-to-each-node.md). Returns the ids of the rows
 * that were written.
 */
export async function insertAsValues(
  tx: Db,
  { table, columns, select, onConflict }: Insert,
): Promise<string[]> {
  const texts = raw(columns.map((name) => `n.${name}::text`).join(', '));
  const rows = await tx.query<Record<string, string | null>>(
    sql`select ${texts} from (${select}) n(${raw(columns.join(', '))})`,
  );
  if (rows.length === 0) return [];
  const written = await tx.query<{ id: string }>(
    sql`${insertValues(table, columns, rows)} ${onConflict} returning id`,
  );
  return written.map(({ id }) => id);
}

/**
 * An insert for a distributed database, of rows that the program already has, with the columns `alike` that are the
 * same in all of them. A single row goes as values, which takes Citus less than half as long as an insert that selects.
 */
export function insertGiven(
  table: string,
  types: Record<string, string>,
  rows: object[],
  alike: Record<string, unknown>,
): Sql {
  const columns = [...Object.keys(alike), ...Object.keys(types)];
  if (rows.length === 1) return insertValues(table, columns, [{ ...rows[0], ...alike }]);
  return sql`
    insert into ${raw(`${table} (${columns.join(', ')})`)}
    select ${join(
      columns.map((name) => (name in alike ? sql`${alike[name]}` : raw(`n.${name}`))),
      ', ',
    )} from ${rowsAsTable(rows, types)}`;
}

/** PostgreSQL infers the types of values from the columns. SQL expressions stay as they are. */
function insertValues(table: string, columns: string[], rows: Record<string, unknown>[]): Sql {
  const tuples = rows.map(
    (row) =>
      sql`(${join(
        columns.map((name) => sql`${row[name] ?? null}`),
        ', ',
      )})`,
  );
  return sql`insert into ${raw(`${table} (${columns.join(', ')})`)} values ${join(tuples, ', ')}`;
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
 * The values have the form of the schemas, so that they can be compared with a patch. With `lock`, nobody else can
 * change the rows until the transaction ends.
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
