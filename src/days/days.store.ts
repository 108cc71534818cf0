import type { Db } from '../db/connect.ts';
import { join, literal, raw, type Sql, sql } from '../db/sql.ts';

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

/**
 * Null if the account has no day to turn, or somebody else is turning it. Otherwise nobody else will until we commit.
 */
export async function takeClock(tx: Db, accountId: string, now: Date): Promise<Clock | null> {
  const [clock] = await tx.query<Clock>(sql`
    select through_day::text as "throughDay", ahead_ms::float8 as "aheadMs" from account_clocks
    where account_id = ${accountId} and next_turn_at <= ${now} for update skip locked`);
  return clock ?? null;
}

interface Clock {
  throughDay: string;
  /** In test mode: how far it is ahead of ours. */
  aheadMs: number;
}

export interface Agenda {
  time_zone: string;
  post_days_before_due: number;
  /** The account's newest event. */
  newest: string | null;
  /** Whether the day brings anything at all. */
  isBusy: boolean;
}

/**
 * What there is to do on a day. Most days bring nothing, which one statement finds out: after a long outage, and when
 * a test clock is moved, there are hundreds of them. Read when the clock is taken: a change of the time zone sets it
 * as well.
 */
export async function findAgenda(tx: Db, accountId: string, day: string): Promise<Agenda> {
  const some = (from: string, condition: Sql) =>
    sql`exists (select from ${raw(from)} x where x.account_id = ${accountId} and ${condition})`;
  const ahead = sql`x.next_charge_on <= ${day}::date + a.post_days_before_due`;
  const openYesterday = sql`x.kind = 'charge' and daterange(x.from_day, x.to_day) @> ${day}::date - 1`;
  const turning = sql`x.kind = 'charge' and ${day}::date in (x.from_day, x.to_day)
    and daterange(x.from_day, x.to_day) && daterange(${day}::date - 1, ${day}::date, '[]')`;
  const expiring = sql`x.until = any (select ${day}::date + n + 1 from unnest(a.lease_expiring_days) n)`;
  const busy = [
    some('lease_schedules', ahead),
    some('recurring_charges', ahead),
    some('ledger_changes', sql`x.from_day <= ${day}::date`),
    some('charges', sql`x.due_on = ${day}::date`),
    some('charges', sql`x.overdue_from = ${day}::date and x.voided_on is null`),
    sql`(${some('late_fee_policies', sql`true`)} and ${some('open_spans', openYesterday)})`,
    some('open_spans', turning),
    some('leases', sql`x.start_date = ${day}::date`),
    some('leases', sql`x.until = ${day}::date`),
    some('leases', sql`x.notice_given_on = ${day}::date`),
    some('leases', expiring),
  ];
  const [row] = await tx.query<Agenda>(sql`
    select a.time_zone, a.post_days_before_due, ${join(busy, ' or ')} as "isBusy",
      (select e.id from events e where e.account_id = ${accountId} order by e.id desc limit 1) as newest
    from accounts a where a.id = ${accountId}`);
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
  adoptsUntil: Date,
): Promise<void> {
  await db.query(sql`
    insert into account_clocks (account_id, through_day, next_turn_at, adopts_until)
    values (${accountId}, ${throughDay}::date, ${nextTurnAt}, ${adoptsUntil}) on conflict (account_id) do nothing`);
}
