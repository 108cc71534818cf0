import type { Db } from '../db/connect.ts';
import { join, literal, raw, type Sql, sql } from '../db/sql.ts';
import { later } from '../ledger/rules/calendar.ts';

/* The clock's statements across accounts. They read and write account_clocks, one table for all of them. */

/** Accounts whose next day has begun, longest ago first. */
export async function findDue(db: Db, now: Date, except: string[], most: number): Promise<string[]> {
  const rows = await db.query<{ account_id: string }>(sql`/* across accounts */
    select account_id from account_clocks where next_turn_at <= ${now} and account_id <> all(${except}::uuid[])
    order by next_turn_at limit ${literal(most)}`);
  return rows.map(({ account_id }) => account_id);
}

/** Accounts made by a release without clocks. */
export const findWithoutClock = (db: Db): Promise<{ id: string; time_zone: string }[]> =>
  db.query(sql`/* across accounts */
    select id, time_zone from accounts a
    where not exists (select from account_clocks c where c.account_id = a.id)`);

interface Behind {
  accounts: number;
  /** Since when the account furthest behind has been behind. */
  throughDay: string | null;
}

/** Accounts whose day began before this moment and is not done. */
export async function findBehind(db: Db, before: Date): Promise<Behind> {
  const [row] = await db.query<Behind>(sql`/* across accounts */
    select count(*)::integer as accounts, min(through_day)::text as "throughDay" from account_clocks
    where next_turn_at <= ${before}`);
  return row ?? { accounts: 0, throughDay: null };
}

/**
 * Locks the account's clock until the transaction ends. Returns null if no day is due, or somebody else is turning it.
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

/** The kinds of work that a day may have, one for each step of turnDay(). */
export const occasions = [
  'posting',
  'changes',
  'fees',
  'turning',
  'due',
  'overdue',
  'starting',
  'ending',
  'expiring',
] as const;
export type Occasion = (typeof occasions)[number];
export type Brought = ReadonlySet<Occasion>;

export interface Agenda {
  time_zone: string;
  post_days_before_due: number;
  /** The account's newest event. */
  newest: string | null;
  /** The first day with anything to do, if one is known. */
  next: { day: string; brings: Brought } | null;
}

type Found = Omit<Agenda, 'next'> & Record<Occasion, string | null>;

/**
 * The first day, from a given one on, that brings anything. Many days bring nothing: after a long outage, or when a
 * test clock is moved, there are hundreds of them. Each occasion looks for what its step of turnDay() finds. It may
 * name a day on which the step finds nothing after all, but it never misses one, and it stays right until something is
 * written. It is read after the clock is locked, because a change of the time zone also sets the clock.
 */
export async function findAgenda(tx: Db, accountId: string, from: string): Promise<Agenda> {
  const day = sql`${from}::date`;
  const mine = sql`x.account_id = ${accountId}`;
  const first = (column: string, table: string, condition: Sql): Sql =>
    sql`(select min(x.${raw(column)}) from ${raw(table)} x where ${mine} and ${condition})`;
  const coming = (column: string, table: string): Sql =>
    first(column, table, sql`x.${raw(column)} >= ${day}`);
  const always = raw('true');
  const rent = sql`x.kind = 'rent' and x.voided_on is null`;
  const open = sql`x.kind = 'charge' and daterange(x.from_day, x.to_day)`;
  const days: Record<Occasion, Sql> = {
    posting: sql`
      least(
        ${first('next_charge_on', 'lease_schedules', always)},
        ${first('next_charge_on', 'recurring_charges', always)}) - a.post_days_before_due`,
    changes: first('from_day', 'ledger_changes', always),
    // A daily fee falls while anything is open; other fees once for each rent, by any policy that was ever set.
    fees: sql`(
      select min(case
        when p.is_daily then (select ${day} from open_spans x where ${mine} and ${open} @> ${day} - 1 limit 1)
        else ${first('due_on', 'charges', sql`${rent} and x.due_on >= ${day} - 1 - p.grace_days`)}
          + p.grace_days + 1 end)
      from (
        select distinct (x.policy ->> 'grace_days')::integer as grace_days,
          jsonb_typeof(x.policy -> 'daily') = 'object' as is_daily
        from late_fee_policies x where ${mine} and jsonb_typeof(x.policy) = 'object') p)`,
    turning: sql`(
      select least(min(x.from_day) filter (where x.from_day >= ${day}), min(x.to_day) filter (where x.to_day >= ${day}))
      from open_spans x where ${mine} and ${open} && daterange(${day} - 1, null))`,
    due: coming('due_on', 'charges'),
    overdue: first('overdue_from', 'charges', sql`x.overdue_from >= ${day} and x.voided_on is null`),
    starting: coming('start_date', 'leases'),
    ending: sql`least(${coming('until', 'leases')}, ${coming('notice_given_on', 'leases')})`,
    expiring: sql`(
      select min(${first('until', 'leases', sql`x.until > ${day} + ahead`)} - ahead - 1)
      from unnest(a.lease_expiring_days) ahead)`,
  };
  const columns = occasions.map((name) => sql`(${days[name]})::text as ${raw(name)}`);
  const [row] = await tx.query<Found>(sql`
    select a.time_zone, a.post_days_before_due, ${join(columns, ', ')},
      (select e.id from events e where e.account_id = ${accountId} order by e.id desc limit 1) as newest
    from accounts a where a.id = ${accountId}`);
  if (row === undefined) throw new Error('A clock has no account.');
  const { time_zone, post_days_before_due, newest } = row;
  // What should have happened earlier happens on the first day.
  const firsts = occasions.flatMap((name) => {
    const on = row[name];
    return on === null ? [] : [{ name, on: later(on, from) }];
  });
  const [soonest] = firsts.map(({ on }) => on).sort();
  const brings = new Set(firsts.filter(({ on }) => on === soonest).map(({ name }) => name));
  const next = soonest === undefined ? null : { day: soonest, brings };
  return { time_zone, post_days_before_due, newest, next };
}

interface Workload {
  /** About how many charges a month brings. */
  monthly: number;
  /** How many late fees a day may bring, if any is charged day by day. */
  finedDaily: number | null;
}

/** About how much work the days of an account are. */
export async function workloadOf(tx: Db, accountId: string): Promise<Workload> {
  const leases = sql`(select count(*) from leases where account_id = ${accountId})`;
  const [workload] = await tx.query<Workload>(sql`
    select (${leases} + coalesce((
        select sum(case every when 'week' then 4 when 'two_weeks' then 2 else 1 end)
        from recurring_charges where account_id = ${accountId}), 0))::float8 as monthly,
      case when exists (
        select from late_fee_policies where account_id = ${accountId} and jsonb_typeof(policy -> 'daily') = 'object')
      then (${leases} + (
        select count(*) from open_spans where account_id = ${accountId} and kind = 'charge' and to_day is null
      ))::float8 end as "finedDaily"
    from accounts where id = ${accountId}`);
  return workload ?? { monthly: 0, finedDaily: null };
}

/** Notes the day through which the account is done, and when its next day begins, in real time. */
export async function setClock(
  tx: Db,
  accountId: string,
  { throughDay, aheadMs }: Clock,
  nextTurnAt: Date,
): Promise<void> {
  await tx.query(sql`
    update account_clocks
    set through_day = ${throughDay}::date, ahead_ms = ${aheadMs}::bigint, next_turn_at = ${nextTurnAt}
    where account_id = ${accountId}`);
}

/** Does nothing if another worker was faster. */
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
