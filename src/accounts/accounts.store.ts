import type { Db } from '../db/connect.ts';
import { changedAt } from '../db/records/changed-at.ts';
import { publicId, timestamp } from '../db/records/json.ts';
import { type Sql, sql } from '../db/sql.ts';
import type { AccountChange } from './accounts.schema.ts';

export interface AccountSummary {
  id: string;
  name: string;
  email: string | null;
  isClosed: boolean;
}

export async function insertAccount(
  tx: Db,
  account: { id: string; name: string; slug: string; currency: string; timeZone: string; createdAt: Date },
): Promise<void> {
  const { id, name, slug, currency, timeZone, createdAt } = account;
  await tx.query(sql`
    insert into accounts (id, name, slug, currency, time_zone, created_at, updated_at)
    values (${id}, ${name}, ${slug}, ${currency}, ${timeZone}, ${createdAt}, ${createdAt})`);
}

/** Locks the person, so that two accounts opened at once cannot both be the last one allowed. */
export async function countOwnedForCreate(tx: Db, userId: string): Promise<number> {
  await tx.query(sql`select from users where id = ${userId} for no key update`);
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from members where user_id = ${userId} and role = 'owner'`,
  );
  return row?.count ?? 0;
}

/** Finds an account by its id, or all accounts whose owner has this e-mail address. */
export function findAccounts(db: Db, by: { id: string } | { email: string }): Promise<AccountSummary[]> {
  const condition = 'id' in by ? sql`a.id = ${by.id}` : sql`u.email = ${by.email}`;
  return db.query<AccountSummary>(sql`
    select distinct on (a.id) a.id, a.name, u.email, a.closed_at is not null as "isClosed" from accounts a
    left join members m on m.account_id = a.id and m.role = 'owner'
    left join users u on u.id = m.user_id
    where a.test_of is null and ${condition} order by a.id, m.created_at`);
}

interface ListedAccount {
  id: string;
  name: string;
  /** Their e-mail addresses, oldest owner first. */
  owners: string[];
  closed_at: string | null;
}

/** All accounts, oldest first, without their test accounts. */
export function listAccounts(db: Db): Promise<ListedAccount[]> {
  return db.query<ListedAccount>(sql`
    select a.id, a.name, ${timestamp('a.closed_at')} as closed_at, array_remove(array_agg(u.email order by m.created_at, m.id), null) as owners
    from accounts a left join members m on m.account_id = a.id and m.role = 'owner'
    left join users u on u.id = m.user_id
    where a.test_of is null group by a.id order by a.id`);
}

const json: Sql = sql`
  select row_to_json(account)::text as json from (
    select ${publicId('acct', 'a.id')} as id, a.name, a.currency, a.time_zone, a.post_days_before_due, a.late_fees,
      a.lease_expiring_days, ${timestamp('a.created_at')} as created_at, ${timestamp('a.updated_at')} as updated_at
    from a) account`;

/** The account's JSON, or null if there is no such account. */
export async function getAccount(db: Db, id: string): Promise<string | null> {
  const [row] = await db.query<{ json: string }>(sql`
    with a as (select * from accounts where id = ${id}) ${json}`);
  return row?.json ?? null;
}

export type AccountSettings = Required<AccountChange>;

/** The account's settings. They are locked until the transaction ends. */
export async function findForChange(tx: Db, id: string): Promise<AccountSettings | null> {
  const [row] = await tx.query<AccountSettings>(sql`
    select name, currency, time_zone, post_days_before_due, late_fees, lease_expiring_days
    from accounts where id = ${id} for no key update`);
  return row ?? null;
}

/** Returns the account's JSON. */
export async function updateAccount(tx: Db, id: string, next: AccountSettings, now: Date): Promise<string> {
  const [row] = await tx.query<{ json: string }>(sql`
    with a as (
      update accounts set name = ${next.name}, currency = ${next.currency}, time_zone = ${next.time_zone},
        post_days_before_due = ${next.post_days_before_due}, lease_expiring_days = ${next.lease_expiring_days},
        late_fees = ${next.late_fees && JSON.stringify(next.late_fees)}, updated_at = ${changedAt('accounts', now)}
      where id = ${id} returning *)
    ${json}`);
  return row?.json ?? '';
}
