import type { Database } from '../../db/connect.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import { formatId } from '../../ids.ts';

/** Naming more would not help anybody to find the cause. */
const mostNamed = 10;

interface Disagreement {
  lease_id: string;
  /** The first day that is wrong. */
  day: string;
}

/**
 * What was open on each day is calculated once and stored. Here the entries are simply added up again: on every day,
 * open charges less unapplied credit must be the balance.
 */
export async function describeLedger(db: Database) {
  const wrong = await inAllAccounts(db, leasesThatDisagree);
  if (wrong.length === 0) return { message: 'open amounts add up to the balances, on every day' };
  throw new Error(
    `the open amounts of ${leases(wrong)} do not add up to their entries, first on the day given: ` +
      `${named(wrong)}. Please report this.`,
  );
}

/**
 * No more of a deposit can be applied or refunded than is held. Yet too much may turn out to have been taken, if the
 * deposit's payment bounces afterwards, or if a charge is made that the same money pays first. Nothing is broken then,
 * because the deposit is owed, so this is reported but is not an error. At least as much must have been charged,
 * however.
 */
export async function describeDeposits(db: Database) {
  const uncharged = await inAllAccounts(db, depositsUncharged);
  if (uncharged.length > 0)
    throw new Error(
      `of the deposits of ${leases(uncharged)} more is applied or refunded than is charged, first on the day given: ` +
        `${named(uncharged)}. Their tenants seem to have a credit: charge what is missing as a deposit due by that day`,
    );
  const overdrawn = await inAllAccounts(db, depositsOverdrawn);
  if (overdrawn.length === 0)
    return { message: 'no more of a deposit is applied or refunded than is paid, on any day' };
  return {
    message:
      `of the deposits of ${leases(overdrawn)} more is applied or refunded than is paid, first on the day given: ` +
      `${named(overdrawn)}. Look at their ledgers: a payment bounced, or was needed for something else`,
  };
}

async function inAllAccounts(
  db: Database,
  find: (db: Database, accountId: string) => Promise<Disagreement[]>,
): Promise<Disagreement[]> {
  const accounts = await db.query<{ id: string }>(
    sql`/* across accounts */ select id from accounts order by id`,
  );
  const wrong: Disagreement[] = [];
  for (const { id } of accounts) wrong.push(...(await find(db, id)));
  return wrong;
}

const leases = ({ length }: Disagreement[]): string => (length === 1 ? '1 lease' : `${length} leases`);

function named(wrong: Disagreement[]): string {
  const names = wrong
    .slice(0, mostNamed)
    .map(({ lease_id, day }) => `${formatId('lease', lease_id)} (${day})`);
  return `${names.join(', ')}${wrong.length > mostNamed ? ', …' : ''}`;
}

/**
 * Entries change the balance of a lease on certain days, and the spans of open amounts must change it by the same
 * amounts. No more may be open than was charged. A marked lease has yet to be recalculated from the mark's day on.
 */
export function leasesThatDisagree(db: Database, accountId: string): Promise<Disagreement[]> {
  return db.query<Disagreement>(sql`
    with entries as (
      select lease_id, due_on as dated, due_on as day, amount_cents as cents, currency from charges
      where account_id = ${accountId} and voided_on is null
      union all
      select lease_id, credited_on, credited_on, -amount_cents, currency from credits
      where account_id = ${accountId} and voided_on is null
      union all
      select lease_id, paid_on, paid_on, -amount_cents, currency from payments
      where account_id = ${accountId} and status in ('paid', 'returned', 'refunded')
      union all
      select lease_id, paid_on, reversed_on, amount_cents, currency from payments
      where account_id = ${accountId} and status in ('returned', 'refunded') and reversed_on is not null),
    changes as (
      select id as lease_id, ledger_from as day, opening_balance_cents as cents
      from leases where account_id = ${accountId}
      union all
      select e.lease_id, e.day, e.cents from entries e
      join leases l on l.account_id = ${accountId} and l.id = e.lease_id
      where e.dated >= l.ledger_from and e.currency = l.currency
      union all
      select lease_id, from_day, case when kind = 'credit' then amount_cents else -amount_cents end
      from open_spans where account_id = ${accountId}
      union all
      select lease_id, to_day, case when kind = 'credit' then -amount_cents else amount_cents end
      from open_spans where account_id = ${accountId} and to_day is not null),
    wrong as (
      select lease_id, day from changes group by lease_id, day having sum(cents) <> 0
      union all
      select s.lease_id, s.from_day from open_spans s
      left join charges c on c.account_id = ${accountId} and c.id = s.item_id and c.voided_on is null
      where s.account_id = ${accountId} and s.kind = 'charge' and s.amount_cents > coalesce(c.amount_cents, 0))
    ${firstDays(accountId)}`);
}

/** The first day of each lease in `wrong`. */
const firstDays = (accountId: string): Sql => sql`
  select w.lease_id, min(w.day)::text as day from wrong w
  where not exists (
    select from ledger_changes m
    where m.account_id = ${accountId} and m.lease_id = w.lease_id and m.from_day <= w.day)
  group by w.lease_id order by w.lease_id`;

/** Leases with less than nothing held of their deposits: charged and not open, less what was applied or refunded. */
const depositsOverdrawn = (db: Database, accountId: string): Promise<Disagreement[]> =>
  db.query<Disagreement>(sql`
    with ${depositsAndTaken(accountId)},
    open as (
      select s.lease_id, s.from_day, s.to_day, s.amount_cents from open_spans s
      join deposits d on d.lease_id = s.lease_id and d.id = s.item_id
      where s.account_id = ${accountId} and s.kind = 'charge'),
    changes as (
      select lease_id, day, amount_cents as cents from deposits
      union all select lease_id, from_day, -amount_cents from open
      union all select lease_id, to_day, amount_cents from open where to_day is not null
      union all select lease_id, day, -amount_cents from taken),
    ${belowZero}
    ${firstDays(accountId)}`);

/** The same for all deposits charged, paid or not. */
const depositsUncharged = (db: Database, accountId: string): Promise<Disagreement[]> =>
  db.query<Disagreement>(sql`
    with ${depositsAndTaken(accountId)},
    changes as (
      select lease_id, day, amount_cents as cents from deposits
      union all select lease_id, day, -amount_cents from taken),
    ${belowZero}
    select w.lease_id, min(w.day)::text as day from wrong w group by w.lease_id order by w.lease_id`);

const depositsAndTaken = (accountId: string): Sql => sql`
    deposits as (
      select c.id, c.lease_id, c.due_on as day, c.amount_cents from charges c
      join leases l on l.account_id = ${accountId} and l.id = c.lease_id
      where c.account_id = ${accountId} and c.kind = 'deposit' and c.voided_on is null and c.currency = l.currency
        and c.due_on >= l.ledger_from),
    taken as (
      select t.lease_id, t.day, t.amount_cents from (
        select lease_id, credited_on as day, amount_cents, currency from credits
        where account_id = ${accountId} and reason = 'deposit' and voided_on is null
        union all
        select lease_id, refunded_on, amount_cents, currency from deposit_refunds
        where account_id = ${accountId} and voided_on is null) t
      join leases l on l.account_id = ${accountId} and l.id = t.lease_id and l.currency = t.currency
        and t.day >= l.ledger_from)`;

const belowZero: Sql = raw(`
    sums as (
      select lease_id, day, sum(sum(cents)) over (partition by lease_id order by day) as cents
      from changes group by lease_id, day),
    wrong as (select lease_id, day from sums where cents < 0)`);
