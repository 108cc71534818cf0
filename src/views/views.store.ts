import { lockAccount } from '../db/account-lock.ts';
import type { Db } from '../db/connect.ts';
import { timestamp } from '../db/records/json.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { SavedView } from './views.schema.ts';

export interface ViewRow {
  id: string;
  /** Null for the team's views. */
  user_id: string | null;
  list: SavedView['list'];
  name: string;
  query: string;
  created_at: string;
  updated_at: string;
}

const columns: Sql = sql`id, user_id, list, name, query, ${timestamp('created_at')} as created_at,
  ${timestamp('updated_at')} as updated_at`;

/** The person's views and the team's, oldest first. */
export const listViews = (db: Db, accountId: string, userId: string): Promise<ViewRow[]> =>
  db.query(sql`
    select ${columns} from saved_views
    where account_id = ${accountId} and (user_id = ${userId} or user_id is null) order by id`);

/**
 * Views of an account are written one at a time, so that two at once cannot both be the last one allowed, or have the
 * same name. Returns the account that has the members, because test mode has none of its own.
 */
export async function lockViews(tx: Db, accountId: string): Promise<string | null> {
  await lockAccount(tx, accountId);
  const [row] = await tx.query<{ id: string }>(
    sql`select coalesce(test_of, id) as id from accounts where id = ${accountId}`,
  );
  return row?.id ?? null;
}

/** The member cannot be removed until this transaction ends: removing one deletes everything that the member saved. */
export async function holdMember(tx: Db, accountId: string, userId: string): Promise<boolean> {
  const rows = await tx.query(
    sql`select from members where account_id = ${accountId} and user_id = ${userId} for key share`,
  );
  return rows.length > 0;
}

interface WrittenView extends Omit<ViewRow, 'created_at' | 'updated_at'> {
  accountId: string;
  now: Date;
}

export async function insertView(tx: Db, view: WrittenView): Promise<ViewRow> {
  const [row] = await tx.query<ViewRow>(sql`
    with written as (
      insert into saved_views (account_id, id, user_id, list, name, query, created_at, updated_at)
      values (${view.accountId}, ${view.id}, ${view.user_id}, ${view.list}, ${view.name}, ${view.query}, ${view.now},
        ${view.now})
      returning *)
    select ${columns} from written`);
  if (!row) throw new Error('An inserted view returned no row.');
  return row;
}

export async function updateView(tx: Db, view: WrittenView): Promise<ViewRow> {
  const [row] = await tx.query<ViewRow>(sql`
    with written as (
      update saved_views set user_id = ${view.user_id}, name = ${view.name}, query = ${view.query},
        updated_at = ${view.now}
      where account_id = ${view.accountId} and id = ${view.id} returning *)
    select ${columns} from written`);
  if (!row) throw new Error('A view that was found is gone.');
  return row;
}

export async function deleteViews(tx: Db, accountId: string, ids: string[]): Promise<void> {
  await tx.query(sql`delete from saved_views where account_id = ${accountId} and id = any(${ids}::uuid[])`);
}

/** The ids of the account and of its test account. */
export async function bothModes(tx: Db, accountId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    sql`select id from accounts where id = ${accountId} or test_of = ${accountId}`,
  );
  return rows.map(({ id }) => id);
}

export async function deleteViewsOf(tx: Db, accountId: string, userId: string): Promise<void> {
  await tx.query(sql`delete from saved_views where account_id = ${accountId} and user_id = ${userId}`);
}

/** Everybody's views. */
export const listAllViews = (tx: Db, accountId: string): Promise<Pick<ViewRow, 'id' | 'name' | 'query'>[]> =>
  tx.query(sql`select id, name, query from saved_views where account_id = ${accountId}`);
