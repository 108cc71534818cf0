import type { Db } from '../db/connect.ts';
import { setChanged } from '../db/records/changed-at.ts';
import type { Table } from '../db/records/columns.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import type { SubscribableEvent } from './catalogue.ts';
import { recordRows, type Writing } from './writer.ts';

/** What a noun's records show without storing it, because it follows from leases and from the current day. */
export interface Derived {
  table: Table;
  shape(accountId: string, today: string): RecordShape;
  updated: SubscribableEvent;
  /** What is shown on a day, as text: an expression over the row under its alias. */
  shown(accountId: string, day: string): Sql;
  /** How that changed, for the history. */
  changes(before: Sql, after: Sql): Sql[];
}

/** What records show, by their ids. */
export type Shown = Map<string, string>;

/**
 * What the records show on a day. They are locked first, always in the same order: if two transactions change derived
 * values, the second reads what the first has written, so the events of both are true.
 */
export async function lockShown(
  tx: Db,
  { table, shown }: Derived,
  accountId: string,
  ids: string[],
  day: string,
): Promise<Shown> {
  const [name, alias] = [raw(table.name), raw(table.alias)];
  const chosen = sql`${alias}.account_id = ${accountId} and ${alias}.id = any(${ids}::uuid[])`;
  await tx.query(
    sql`select ${alias}.id from ${name} ${alias} where ${chosen} order by ${alias}.id for no key update`,
  );
  const rows = await tx.query<{ id: string; shown: string }>(
    sql`select ${alias}.id, ${shown(accountId, day)} as shown from ${name} ${alias} where ${chosen}`,
  );
  return new Map(rows.map((row) => [row.id, row.shown]));
}

/**
 * Records events for records that now show something else. They count as changed, so that a later state has a later
 * updated_at.
 */
export async function tellShown(
  tx: Db,
  how: Writing,
  { table, shape, shown, changes, updated }: Derived,
  before: Shown,
): Promise<void> {
  if (before.size === 0) return;
  const alias = raw(table.alias);
  const rows = [...before].map(([id, text]) => ({ id, shown: text }));
  const told = rowsAsTable(rows, { id: 'uuid', shown: 'text' });
  await recordRows(tx, how, {
    shape: shape(how.accountId, how.today),
    rows: sql`
      update ${raw(table.name)} ${alias} set ${setChanged(table.alias, how.now)}
      from ${told}
      where ${alias}.account_id = ${how.accountId} and ${alias}.id = n.id
        and n.shown is distinct from ${shown(how.accountId, how.today)}
      returning ${alias}.*`,
    count: before.size,
    events: [updated],
    differs: {
      only: true,
      pieces: changes(raw('n.shown'), raw('now_shown.text')),
      // `offset 0` keeps Postgres from computing this again wherever it is mentioned.
      joins: sql`join ${told} on n.id = ${alias}.id
        cross join lateral (select ${shown(how.accountId, how.today)} as text offset 0) now_shown`,
    },
  });
}
