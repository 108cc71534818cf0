import type { Db } from '../db/connect.ts';
import { sql } from '../db/sql.ts';

export interface TestAccount {
  accountId: string;
  currency: string;
  timeZone: string;
}

/** The test account of an account; null if it has none. */
export async function findTestAccount(db: Db, liveId: string): Promise<TestAccount | null> {
  const [row] = await db.query<TestAccount>(sql`
    select id as "accountId", currency, time_zone as "timeZone" from accounts
    where test_of = ${liveId} and closed_at is null`);
  return row ?? null;
}

/**
 * Only one caller at a time makes or replaces an account's test account. Nobody who works in the account waits for
 * this.
 */
export async function lockTestMode(tx: Db, liveId: string): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`tenure test mode ${liveId}`}, 0))`);
}

/** The account that a test account belongs to. */
export async function findLive(db: Db, accountId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    sql`select test_of as id from accounts where id = ${accountId} and closed_at is null`,
  );
  return row?.id ?? null;
}

/** Moves the keys, which keep working. */
export async function moveKeys(tx: Db, from: string, to: string): Promise<void> {
  await tx.query(sql`update api_keys set account_id = ${to} where account_id = ${from}`);
}

/** Keeps the record of who did what. Rows never move to another account (docs/decisions/0004), so they are copied. */
export async function copyAuditLog(tx: Db, from: string, to: string): Promise<void> {
  const [log] = await tx.query<{ entries: string }>(sql`
    select coalesce(json_agg(l), '[]')::text as entries from audit_log l where l.account_id = ${from}`);
  await tx.query(sql`
    insert into audit_log (account_id, id, action, actor_type, actor_id, actor_name, ip_address, subject, changes, created_at)
    select ${to}::uuid, id, action, actor_type, actor_id, actor_name, ip_address, subject, changes, created_at
    from json_populate_recordset(null::audit_log, ${log?.entries ?? '[]'}::json)`);
}

/** Test accounts that were last used before a moment, and that have not been emptied since. */
export const findUnused = (db: Db, before: Date): Promise<TestAccount[]> =>
  db.query<TestAccount>(sql`
    select id as "accountId", currency, time_zone as "timeZone" from accounts
    where test_of is not null and closed_at is null and test_used_at < ${before} order by test_used_at limit 100`);

/** Whether the account is still one that findUnused() would find. */
export async function isUnused(tx: Db, accountId: string, before: Date): Promise<boolean> {
  const rows = await tx.query(
    sql`select id from accounts where id = ${accountId} and test_used_at < ${before}`,
  );
  return rows.length > 0;
}

/**
 * Makes a test account with the account's settings, except for late fees. Null if there is no such account, or it is
 * closed.
 */
export async function insertTestAccount(
  tx: Db,
  liveId: string,
  { id, at, now }: { id: string; at: Date; now: Date },
): Promise<TestAccount | null> {
  const [row] = await tx.query<TestAccount>(sql`
    insert into accounts (id, name, slug, currency, time_zone, post_days_before_due, lease_expiring_days, created_at,
      updated_at, test_of, test_used_at)
    select ${id}::uuid, name, ${id}::text, currency, time_zone, post_days_before_due, lease_expiring_days, ${at}, ${at},
      id, ${now}
    from accounts where id = ${liveId} and closed_at is null and test_of is null
    returning id as "accountId", currency, time_zone as "timeZone"`);
  return row ?? null;
}

interface Use {
  aheadMs: number;
  usedAt: Date | null;
}

/** Null once the account is closed. */
export async function findUse(db: Db, accountId: string): Promise<Use | null> {
  const [row] = await db.query<Use>(sql`
    select coalesce(k.ahead_ms, 0)::float8 as "aheadMs", a.test_used_at as "usedAt"
    from accounts a left join account_clocks k on k.account_id = ${accountId}
    where a.id = ${accountId} and a.closed_at is null`);
  return row ?? null;
}

/**
 * Notes the last use; null means that it is empty and nobody has come since. Returns false once the account is closed.
 */
export async function noteUse(db: Db, accountId: string, now: Date | null): Promise<boolean> {
  const rows = await db.query(sql`
    update accounts set test_used_at = ${now}::timestamptz where id = ${accountId} and closed_at is null returning id`);
  return rows.length > 0;
}

/**
 * Whether the account is open. It stays open until the transaction ends, because closing waits for that
 * (closing/closing.store.ts).
 */
export async function holdOpen(tx: Db, accountId: string): Promise<boolean> {
  const rows = await tx.query(
    sql`select id from accounts where id = ${accountId} and closed_at is null for key share`,
  );
  return rows.length > 0;
}
