import type { Db } from '../db/connect.ts';
import { queryWithCustomPlan } from '../db/custom-plan.ts';
import { date, id, publicId, publicObject, text, word } from '../db/records/json.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import {
  type DayRange,
  firstDueMonth,
  lastDueMonth,
  monthName,
  monthNumber,
  rentDue,
} from '../leases/rent-due.ts';
import { leaseRunsOn, leaseStatus } from '../ledger/rules/lease-status.ts';
import { decimalAmount } from '../money.ts';

/** All rows of a report: a JSON array and its length. */
export interface Rows {
  data: string;
  count: number;
}

async function report(db: Db, rows: Sql): Promise<Rows> {
  const [row] = await queryWithCustomPlan<Rows>(
    db,
    sql`
    select coalesce(json_agg(public), '[]')::text as data, count(*)::integer as count from (${rows}) public`,
  );
  if (!row) throw new Error('A report returned no row.');
  return row;
}

/** Sorts names by their characters, so that every database sorts alike. */
const byName = (column: string): Sql => raw(`${column} collate "C"`);

/** Every unit with the lease that runs on the day. Leases of a unit never overlap: one row for each. */
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
      ${tenantsOf(accountId, 'l')} as tenants,
      ${publicObject('l', [id('lease', 'l.id'), word('l.status'), date('l.start_date'), date('l.end_date')])} as lease,
      l.rent_cents, ${decimalAmount('l.rent_cents', 'l.currency')} as rent, sums.currency,
      sums.paid_this_month_cents, ${decimalAmount('sums.paid_this_month_cents', 'sums.currency')} as paid_this_month,
      sums.balance_cents, ${decimalAmount('sums.balance_cents', 'sums.currency')} as balance
    from units u
    join accounts a on a.id = u.account_id
    join properties p on p.account_id = ${accountId} and p.id = u.property_id
    left join lateral (select l.*, ${leaseStatus('l', day)} as status from leases l
      where l.account_id = ${accountId} and l.unit_id = u.id and ${leaseRunsOn('l', day)}) l on true
    cross join lateral (${paidOn(accountId, 'l', day)}) paid
    cross join lateral (select coalesce(l.currency, a.currency) as currency, paid.this_month as paid_this_month_cents,
      coalesce(l.rent_cents * ${rentsDue('l', sql`l.start_date`, sql`${day}::date`)}, 0) - paid.ever
        as balance_cents) sums
    where u.account_id = ${accountId} and ${ofProperty}
    order by ${byName('p.name')}, p.id, ${byName('u.name')}`,
  );
}

const tenantsOf = (accountId: string, lease: string): Sql => sql`
  coalesce((select json_agg(tenant order by position) from (
      select (select row_to_json(inside) from (
          select ${publicId('ten', 't.id')} as id, concat_ws(' ', t.first_name, t.last_name) as name) inside) as tenant,
        lt.position
      from lease_tenants lt join tenants t on t.account_id = ${accountId} and t.id = lt.tenant_id
      where lt.account_id = ${accountId} and lt.lease_id = ${raw(lease)}.id) named), '[]')`;

/** What was paid on a lease up to a day. Amounts in other currencies cannot be added, and do not count. */
const paidOn = (accountId: string, lease: string, day: string): Sql => sql`
  select coalesce(sum(pay.amount_cents), 0) as ever,
    coalesce(sum(pay.amount_cents) filter (where pay.paid_month = ${monthNumber(sql`${day}::date`)}), 0) as this_month
  from (select * from payments p where p.account_id = ${accountId} and p.lease_id = ${raw(lease)}.id
    union all ${paidBefore(accountId, lease)}) pay
  where pay.status = 'paid' and pay.currency = ${raw(lease)}.currency and pay.paid_on <= ${day}::date`;

/**
 * Tenants pay the first rent when they sign a lease, before it starts, so the payment has no lease. It counts towards
 * the tenant's next lease if its period says so or, without a period, if the tenant had no earlier lease that it could
 * be for.
 */
const paidBefore = (accountId: string, lease: string): Sql => {
  const l = raw(lease);
  const others = (which: Sql) => sql`exists (
    select from lease_tenants their join leases other on other.account_id = ${accountId} and other.id = their.lease_id
    where their.account_id = ${accountId} and their.tenant_id = p.tenant_id
      and (other.until is null or other.until > other.start_date) and ${which})`;
  return sql`
    select p.* from lease_tenants lt join payments p on p.account_id = ${accountId} and p.tenant_id = lt.tenant_id
    where lt.account_id = ${accountId} and lt.lease_id = ${l}.id and p.lease_id is null and p.paid_on < ${l}.start_date
      and not ${others(sql`other.start_date > p.paid_on and (other.start_date, other.id) < (${l}.start_date, ${l}.id)`)}
      and case when p.period is null then not ${others(sql`other.start_date <= p.paid_on`)}
        else p.period >= to_char(${l}.start_date, 'YYYY-MM') end`;
};

/** The number of a lease's due days between two days, both included. There is one a month, so months are counted. */
const rentsDue = (lease: string, first: Sql, last: Sql): Sql =>
  sql`(${lastDueMonth(lease, last)} - ${firstDueMonth(lease, first)} + 1)`;

/**
 * Every month of the range in every currency that occurs in it. A lease adds its rent to what is expected in its first
 * due month and takes it away after its last, so the sum of these changes up to a month is what falls due in that
 * month. (Counting rent by rent, a thousand leases over all years that a date can have would be ten million rows.)
 */
export function rentByMonth(db: Db, accountId: string, range: DayRange): Promise<Rows> {
  const [from, to] = [sql`${range.from}::date`, sql`${range.to}::date`];
  return report(
    db,
    sql`
    with due as (${rentDue(accountId, range)}),
    moves as (
      select month, currency, sum(change) as change, sum(collected_cents) as collected_cents,
        sum(payment_count) as payment_count
      from (
        select first_month as month, currency, rent_cents as change, 0 as collected_cents, 0 as payment_count from due
        union all select last_month + 1, currency, -rent_cents, 0, 0 from due
        union all select paid_month, currency, 0, amount_cents, 1 from (${paid(accountId, range)}) paid
      ) each group by month, currency
    ),
    currencies as (select distinct currency from moves
      union all select currency from accounts where id = ${accountId} and not exists (select from moves))
    select ${monthName('month')} as period, ${amounts}
    from (
      select month, currency, coalesce(sum(change) over (partition by currency order by month), 0) as expected_cents,
        coalesce(collected_cents, 0) as collected_cents, coalesce(payment_count, 0) as payment_count
      from generate_series(${monthNumber(from)}, ${monthNumber(to)}) as months(month)
      cross join currencies left join moves using (month, currency)
    ) r
    order by month, currency`,
  );
}

/** Every property in each of its currencies; last, what was paid outside of any lease. */
export function rentByProperty(db: Db, accountId: string, range: DayRange): Promise<Rows> {
  return report(
    db,
    sql`
    with moves as (
      select property_id, currency, rent_cents * (last_month - first_month + 1) as expected_cents, 0 as collected_cents,
        0 as payment_count from (${rentDue(accountId, range)}) due
      union all select property_id, currency, 0, amount_cents, 1 from (${paid(accountId, range)}) paid
    )
    select ${publicObject('r', [id('prop', 'r.id'), text('r.name')])} as property, ${amounts}
    from (
      select p.id, p.name, shown.currency, coalesce(sum(expected_cents), 0) as expected_cents,
        coalesce(sum(collected_cents), 0) as collected_cents, coalesce(sum(payment_count), 0) as payment_count
      from (select * from properties where account_id = ${accountId}) p
      full join moves on moves.property_id = p.id
      cross join lateral (
        select coalesce(moves.currency, (select currency from accounts where id = ${accountId})) as currency) shown
      group by p.id, p.name, shown.currency
    ) r
    order by ${byName('r.name')} nulls last, r.id, r.currency`,
  );
}

const amounts: Sql = sql`r.currency, r.expected_cents, ${decimalAmount('r.expected_cents', 'r.currency')} as expected,
  r.collected_cents, ${decimalAmount('r.collected_cents', 'r.currency')} as collected, r.payment_count`;

const paid = (accountId: string, { from, to }: DayRange): Sql => sql`
  select * from payments where account_id = ${accountId} and status = 'paid'
    and paid_on between ${from}::date and ${to}::date
    and paid_month between ${monthNumber(sql`${from}::date`)} and ${monthNumber(sql`${to}::date`)}`;
