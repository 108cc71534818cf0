import type { Db } from '../db/connect.ts';
import { literal, sql } from '../db/sql.ts';

/*
 * The clock's statements for all accounts. They read and write account_clocks, which is one table for all of them.
 */

/** Accounts whose next day has begun, longest ago first. */
export async function findDue(db: Db, now: Date, except: string[], most: number): Promise<string[]> {
  const rows = await db.query<{ account_id: string }>(sql`/* across accounts */
    select account_id from account_clocks where next_turn_at <= ${now} and account_id <> all(${except}::uuid[])
    order by next_turn_at limit ${literal(most)}`);
  return rows.map(({ account_id }) => account_id);
}

/** Accounts made by a release that knew of no clocks. */
export const findWithoutClock = (db: Db): Promise<{ id: string; time_zone: string }[]> =>
  db.query(sql`/* across accounts */
    select id, time_zone from accounts a
    where not exists (select from account_clocks c where c.account_id = a.id)`);

export interface Behind {
  accounts: number;
  /** Of the account that is furthest behind. */
  throughDay: string | null;
}

/** Accounts whose day began before a moment and is not done. */
export async function findBehind(db: Db, before: Date): Promise<Behind> {
  const [row] = await db.query<Behind>(sql`/* across accounts */
    select count(*)::integer as accounts, min(through_day)::text as "throughDay" from account_clocks
    where next_turn_at <= ${before}`);
  return row ?? { accounts: 0, throughDay: null };
}

/** Null if the account has no day to turn, or somebody else is turning it. Otherwise nobody else will until we commit. */
export async function takeClock(tx: Db, accountId: string, now: Date): Promise<string | null> {
  const [clock] = await tx.query<{ through_day: string }>(sql`
    select through_day::text from account_clocks where account_id = ${accountId} and next_turn_at <= ${now}
    for update skip locked`);
  return clock?.through_day ?? null;
}

export interface Settings {
  time_zone: string;
  post_days_before_due: number;
}

/** Read when the clock is taken: a change of the time zone sets the clock as well. */
export async function findSettings(tx: Db, accountId: string): Promise<Settings> {
  const [row] = await tx.query<Settings>(
    sql`select time_zone, post_days_before_due from accounts where id = ${accountId}`,
  );
  if (row === undefined) throw new Error('A clock has no account.');
  return row;
}

export async function setClock(
  tx: Db,
  accountId: string,
  throughDay: string,
  nextTurnAt: Date,
): Promise<void> {
  await tx.query(sql`
    update account_clocks set through_day = ${throughDay}::date, next_turn_at = ${nextTurnAt}
    where account_id = ${accountId}`);
}

/** Unless another worker was faster. */
export async function insertClock(
  db: Db,
  accountId: string,
  throughDay: string,
  nextTurnAt: Date,
): Promise<void> {
  await db.query(sql`
    insert into account_clocks (account_id, through_day, next_turn_at)
    values (${accountId}, ${throughDay}::date, ${nextTurnAt}) on conflict (account_id) do nothing`);
}
