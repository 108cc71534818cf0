import type { Db } from '../db/connect.ts';
import { literal, none, raw, type Sql, sql } from '../db/sql.ts';
import { isTestAccount } from '../ids.ts';

/** Returns the account's name; null if there is no such account, or it is already closed. */
export async function setClosed(tx: Db, accountId: string, now: Date): Promise<string | null> {
  if (isTestAccount(accountId)) await awaitWriters(tx, accountId);
  const [row] = await tx.query<{ name: string }>(
    sql`update accounts set closed_at = ${now} where id = ${accountId} and closed_at is null returning name`,
  );
  return row?.name ?? null;
}

/** Waits for writers: every write into a test account locks its row (test-mode/test-accounts.ts). */
async function awaitWriters(tx: Db, accountId: string): Promise<void> {
  await tx.query(sql`select id from accounts where id = ${accountId} for update`);
}

/** Its test account, if it has one. */
export async function findTestAccount(tx: Db, accountId: string): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    sql`select id from accounts where test_of = ${accountId} and closed_at is null`,
  );
  return row?.id ?? null;
}

/** Returns the account's time zone; null unless it is closed and nothing in it has been erased yet. */
export async function setOpen(tx: Db, accountId: string): Promise<string | null> {
  const [row] = await tx.query<{ time_zone: string }>(sql`
    update accounts set closed_at = null where id = ${accountId} and closed_at is not null and not erasing
    returning time_zone`);
  return row?.time_zone ?? null;
}

export async function nameOf(db: Db, accountId: string): Promise<string | null> {
  const [row] = await db.query<{ name: string }>(sql`select name from accounts where id = ${accountId}`);
  return row?.name ?? null;
}

/**
 * Accounts that were closed before a moment, longest ago first. For test accounts the moment is later, and they come
 * before the accounts they belong to.
 */
export async function findToErase(db: Db, before: Date, testBefore: Date): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`
    select id from accounts where closed_at <= case when test_of is null then ${before}::timestamptz else ${testBefore} end
    order by test_of is null, closed_at limit 100`);
  return rows.map(({ id }) => id);
}

/** From here on the account cannot be opened again. Returns false if it was opened in the meantime. */
export async function beginErasing(db: Db, accountId: string, before: Date): Promise<boolean> {
  const rows = await db.query(
    sql`update accounts set erasing = true where id = ${accountId} and closed_at <= ${before} returning id`,
  );
  return rows.length > 0;
}

/** The last step deletes these. Members go with their account. */
const last = ['accounts', 'members', 'account_clocks'];

/**
 * The tables with an account's rows, each before the tables it refers to. They are read from the catalog, so that a new
 * one cannot be forgotten.
 */
export async function findTables(db: Db): Promise<string[]> {
  const tables = await db.query<{ name: string }>(sql`
    select c.relname::text as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`);
  const references = await db.query<{ by: string; to: string }>(sql`
    select f.relname::text as by, t.relname::text as "to" from pg_constraint c
    join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
    where c.contype = 'f' and f.relnamespace = current_schema()::regnamespace and f.oid <> t.oid`);
  const waiting = new Set(tables.map(({ name }) => name).filter((name) => !last.includes(name)));
  const ordered: string[] = [];
  while (waiting.size > 0) {
    const free = [...waiting].filter(
      (name) => !references.some(({ by, to }) => to === name && waiting.has(by)),
    );
    if (free.length === 0)
      throw new Error(`Tables refer to each other in a circle: ${[...waiting].join(', ')}.`);
    for (const name of free) waiting.delete(name);
    ordered.push(...free);
  }
  return ordered;
}

/** One worker at a time erases an account. The others find it locked and continue with the next. */
export async function lockErasure(tx: Db, accountId: string): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`tenure erase ${accountId}`}, 0)) as taken`,
  );
  return row?.taken === true;
}

/** Deletes some rows of the account. Returns how many. */
export async function deleteSome(tx: Db, table: string, accountId: string, most: number): Promise<number> {
  const among = table === 'delivery_queue' ? await ofEndpoints(tx, accountId) : none;
  const rows = await tx.query(sql`
    delete from ${raw(table)} where account_id = ${accountId} and ctid = any(array(
      select ctid from ${raw(table)} where account_id = ${accountId} ${among}
      limit ${literal(most)}))
    returning 1`);
  return rows.length;
}

/**
 * The queue is one table for all accounts, without an index by account. On a distributed database it is on another node
 * than the endpoints.
 */
async function ofEndpoints(tx: Db, accountId: string): Promise<Sql> {
  const endpoints = await tx.query<{ id: string }>(
    sql`select id from webhook_endpoints where account_id = ${accountId}`,
  );
  return sql`and endpoint_id = any(${endpoints.map(({ id }) => id)}::uuid[])`;
}

/** Deletes the account itself. Its foreign keys refuse that while anything else is left. */
export async function deleteAccount(tx: Db, accountId: string): Promise<void> {
  // Deliveries to endpoints that were deleted earlier.
  await tx.query(sql`delete from delivery_queue where account_id = ${accountId}`);
  await tx.query(sql`delete from account_clocks where account_id = ${accountId}`);
  await tx.query(sql`delete from members where account_id = ${accountId}`);
  await tx.query(sql`update sessions set active_account_id = null where active_account_id = ${accountId}`);
  await tx.query(sql`delete from accounts where id = ${accountId} and erasing`);
}
