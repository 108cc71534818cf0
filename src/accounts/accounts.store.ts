import type { Db } from '../db/connect.ts';
import { changedAt } from '../db/records/changed-at.ts';
import { publicId, timestamp } from '../db/records/json.ts';
import { sql } from '../db/sql.ts';
import type { AccountChange } from './accounts.schema.ts';

export interface AccountSummary {
  id: string;
  name: string;
  email: string | null;
}

export async function insertAccount(
  tx: Db,
  account: { id: string; name: string; slug: string; currency: string; createdAt: Date },
): Promise<void> {
  await tx.query(sql`
    insert into accounts (id, name, slug, currency, created_at, updated_at)
    values (${account.id}, ${account.name}, ${account.slug}, ${account.currency}, ${account.createdAt}, ${account.createdAt})`);
}

/** Finds by id, or by the e-mail address of an owner. Several if that person owns several. */
export function findAccounts(db: Db, by: { id: string } | { email: string }): Promise<AccountSummary[]> {
  const condition = 'id' in by ? sql`a.id = ${by.id}` : sql`u.email = ${by.email}`;
  return db.query<AccountSummary>(sql`
    select distinct on (a.id) a.id, a.name, u.email from accounts a
    left join members m on m.account_id = a.id and m.role = 'owner'
    left join users u on u.id = m.user_id
    where ${condition} order by a.id, m.created_at`);
}

export interface ListedAccount {
  id: string;
  name: string;
  /** Their e-mail addresses, the oldest owner first. */
  owners: string[];
}

/** All of them, oldest first. */
export function listAccounts(db: Db): Promise<ListedAccount[]> {
  return db.query<ListedAccount>(sql`
    select a.id, a.name, array_remove(array_agg(u.email order by m.created_at, m.id), null) as owners
    from accounts a left join members m on m.account_id = a.id and m.role = 'owner'
    left join users u on u.id = m.user_id
    group by a.id order by a.id`);
}

/** Its JSON, or null if there is no such account. */
export async function updateAccount(
  db: Db,
  id: string,
  change: AccountChange,
  now: Date,
): Promise<string | null> {
  const [row] = await db.query<{ json: string }>(sql`
    with changed as (
      update accounts set name = coalesce(${change.name ?? null}, name),
        currency = coalesce(${change.currency ?? null}, currency),
        time_zone = coalesce(${change.time_zone ?? null}, time_zone), updated_at = ${changedAt('accounts', now)}
      where id = ${id} returning *)
    select row_to_json(account)::text as json from (
      select ${publicId('acct', 'id')} as id, name, currency, time_zone, ${timestamp('created_at')} as created_at,
        ${timestamp('updated_at')} as updated_at from changed) account`);
  return row?.json ?? null;
}
