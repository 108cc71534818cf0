import type { Db } from '../db/connect.ts';
import { sumWithCustomPlan } from '../db/plans/custom-plan.ts';
import { date, id, publicId, publicObject, text, word } from '../db/records/json.ts';
import { join, raw, type Sql, sql } from '../db/sql.ts';
import { type DayRange, expectedCharges, type Unposted } from '../ledger/balances/expected.ts';
import { owedOn } from '../ledger/balances/owed-on.ts';
import { leaseRunsOn, leaseStatus } from '../ledger/rules/lease-status.ts';
import { rentOn } from '../ledger/rules/rent-on.ts';
import { tenantNames } from '../ledger/tenant-names.ts';
import { decimalAmount } from '../money.ts';

/** All rows of a report: a JSON array and its length. */
export interface Rows {
  data: string;
  count: number;
}

async function report(db: Db, rows: Sql): Promise<Rows> {
  const [row] = await sumWithCustomPlan<Rows>(
    db,
    sql`
    select coalesce(json_agg(public), '[]')::text as data, count(*)::integer as count from (${rows}) public`,
  );
  if (!row) throw new Error('A report returned no row.');
  return row;
}

/** Sorts names by their characters, so that every database sorts them alike. */
const byName = (column: string): Sql => raw(`${column} collate "C"`);

/**
 * Every unit with the lease that runs on the day. There is one row for each, because leases of a unit never overlap.
 */
export function rentRoll(
  db: Db,
  accountId: string,
  day: string,
  propertyId: string | undefined,
): Promise<Rows> {
  const ofProperty = propertyId === undefined ? sql`true` : sql`u.property_id = ${propertyId}`;
  return report(
    db,
    sql`
    select ${publicObject('p', [id('prop', 'p.id'), text('p.name')])} as property,
      ${publicObject('u', [id('unit', 'u.id'), text('u.name')])} as unit,
      case when u.offline then 'offline' when l.status = 'active' then 'occupied' when l.status = 'notice' then 'notice'
        else 'vacant' end as status,
      (${tenantNames(accountId)})::json as tenants,
      ${publicObject('l', [...leaseFields, date('l.ended_on')])} as lease,
      l.rent_now as rent_cents, ${decimalAmount('l.rent_now', 'l.currency')} as rent, sums.currency,
      ${join(['paid_this_month', 'balance', 'owed', 'credit'].map(amount('sums')), ', ')}
    from units u
    join accounts a on a.id = ${accountId}
    join properties p on p.account_id = ${accountId} and p.id = u.property_id
    left join lateral (
      select l.*, ${leaseStatus('l', day)} as status, ${rentOn('l', day)} as rent_now from leases l
      where l.account_id = ${accountId} and l.unit_id = u.id and ${leaseRunsOn('l', day)}) l on true
    left join (${owedOn(accountId, day, sql`true`)}) d on d.lease_id = l.id
    left join (${paidThisMonth(accountId, day)}) paid on paid.lease_id = l.id and paid.currency = l.currency
    cross join lateral (
      select coalesce(l.currency, a.currency) as currency, coalesce(paid.cents, 0) as paid_this_month_cents,
        coalesce(d.owed_cents, 0) as owed_cents, coalesce(d.credit_cents, 0) as credit_cents,
        coalesce(d.owed_cents - d.credit_cents, 0) as balance_cents) sums
    where u.account_id = ${accountId} and ${ofProperty}
    order by ${byName('p.name')}, p.id, ${byName('u.name')}`,
  );
}

const leaseFields = [id('lease', 'l.id'), word('l.status'), date('l.start_date'), date('l.end_date')];

/** `x_cents` and its decimal `x`. */
const amount =
  (alias: string, currency = `${alias}.currency`) =>
  (name: string): Sql =>
    sql`${raw(`${alias}.${name}_cents`)}, ${decimalAmount(`${alias}.${name}_cents`, currency)} as ${raw(name)}`;

/** What was paid on each lease from the first of the month up to a day. Only its own currency counts. */
const paidThisMonth = (accountId: string, day: string): Sql => sql`
  select lease_id, currency, sum(amount_cents) as cents from payments
  where account_id = ${accountId} and lease_id is not null
    and paid_on between date_trunc('month', ${day}::date)::date and ${day}::date
    and (status = 'paid' or reversed_on > ${day}::date)
  group by lease_id, currency`;

interface Now {
  today: string;
  unposted: Unposted[];
}

/** What is expected and what came in, each with its month, property_id, currency and amounts. */
const moves = (accountId: string, range: DayRange, { today, unposted }: Now): Sql => sql`
  select month, property_id, currency, expected_cents, owed_cents, 0 as received_cents, 0 as payment_count
  from (${expectedCharges(accountId, range, today, unposted)}) expected
  union all
  select to_char(paid_on, 'YYYY-MM'), property_id, currency, 0, 0, amount_cents, 1 from payments
  where account_id = ${accountId} and status = 'paid' and paid_on between ${range.from}::date and ${range.to}::date`;

const summed: Sql = raw(`coalesce(sum(m.expected_cents), 0) as expected_cents,
  coalesce(sum(m.expected_cents - m.owed_cents), 0) as collected_cents, coalesce(sum(m.owed_cents), 0) as owed_cents,
  coalesce(sum(m.received_cents), 0) as received_cents, coalesce(sum(m.payment_count), 0) as payment_count`);

const amounts: Sql = sql`r.currency,
  ${join(['expected', 'collected', 'owed', 'received'].map(amount('r')), ', ')}, r.payment_count`;

/** Every month of the range in every currency that occurs in it. */
export function rentByMonth(db: Db, accountId: string, range: DayRange, now: Now): Promise<Rows> {
  return report(
    db,
    sql`
    with moves as materialized (
      select m.month, m.currency, ${summed} from (${moves(accountId, range, now)}) m group by m.month, m.currency),
    currencies as (select distinct currency from moves
      union all select currency from accounts where id = ${accountId} and not exists (select from moves))
    select r.month as period, ${amounts}
    from (
      select months.month, currencies.currency, ${summed}
      from (select to_char(first, 'YYYY-MM') as month from generate_series(
        date_trunc('month', ${range.from}::timestamp), ${range.to}::timestamp, interval '1 month') first) months
      cross join currencies left join moves m on m.month = months.month and m.currency = currencies.currency
      group by months.month, currencies.currency) r
    order by r.month, r.currency`,
  );
}

/** Every property in each of its currencies, and last what was paid outside any lease. */
export function rentByProperty(db: Db, accountId: string, range: DayRange, now: Now): Promise<Rows> {
  return report(
    db,
    sql`
    select ${publicObject('r', [id('prop', 'r.id'), text('r.name')])} as property, ${amounts}
    from (
      select p.id, p.name, shown.currency, ${summed}
      from (select * from properties where account_id = ${accountId}) p
      full join (${moves(accountId, range, now)}) m on m.property_id = p.id
      cross join lateral (
        select coalesce(m.currency, (select currency from accounts where id = ${accountId})) as currency) shown
      group by p.id, p.name, shown.currency) r
    order by ${byName('r.name')} nulls last, r.id, r.currency`,
  );
}

const ages = ['owed', 'overdue', 'credit', 'days_0_30', 'days_31_60', 'days_61_90', 'days_91'];

/** By name. */
export function agingByProperty(db: Db, accountId: string, day: string): Promise<Rows> {
  const sums = join(
    ages.map((name) => raw(`sum(d.${name}_cents) as ${name}_cents`)),
    ', ',
  );
  return report(
    db,
    sql`
    select ${publicObject('r', [id('prop', 'r.id'), text('r.name')])} as property, r.currency, r.leases,
      ${join(ages.map(amount('r')), ', ')}
    from (
      select p.id, p.name, l.currency, count(*) filter (where d.owed_cents > 0) as leases, ${sums}
      from (${owedOn(accountId, day, sql`true`)}) d
      join leases l on l.account_id = ${accountId} and l.id = d.lease_id
      join properties p on p.account_id = ${accountId} and p.id = l.property_id
      group by p.id, p.name, l.currency) r
    order by ${byName('r.name')}, r.id, r.currency`,
  );
}

/** The most overdue first, as in the list of balances. */
export function agingByLease(db: Db, accountId: string, day: string): Promise<Rows> {
  return report(
    db,
    sql`
    select ${publicObject('p', [id('prop', 'p.id'), text('p.name')])} as property,
      ${publicId('lease', 'l.id')} as lease_id, ${publicObject('l', leaseFields)} as lease,
      (${tenantNames(accountId)})::json as tenants,
      ${publicObject('u', [id('unit', 'u.id'), text('u.name')])} as unit, l.currency,
      (d.owed_cents > 0)::integer as leases, ${join(ages.map(amount('d', 'l.currency')), ', ')}
    from (${owedOn(accountId, day, sql`true`)}) d
    cross join lateral (
      select l.*, ${leaseStatus('l', day)} as status from leases l
      where l.account_id = ${accountId} and l.id = d.lease_id) l
    join units u on u.account_id = ${accountId} and u.id = l.unit_id
    join properties p on p.account_id = ${accountId} and p.id = l.property_id
    order by d.oldest_due_on, -d.owed_cents, d.lease_id`,
  );
}
