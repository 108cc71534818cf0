import type { Db } from '../db/connect.ts';
import { publicId, publicObject } from '../db/json.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { leaseRunsOn, leaseStatus } from '../leases/lease-status.ts';
import { decimalAmount } from '../money.ts';

/** A report's rows, complete: a JSON array and how many are in it. */
export interface Rows {
  data: string;
  count: number;
}

async function report(db: Db, rows: Sql): Promise<Rows> {
  const [row] = await db.query<Rows>(sql`
    select coalesce(json_agg(public), '[]')::text as data, count(*)::integer as count from (${rows}) public`);
  if (!row) throw new Error('A report returned no row.');
  return row;
}

/** Names in the order of their characters, so that every database sorts alike. */
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
    select ${publicObject('p', sql`${publicId('prop', 'p.id')} as id, p.name`)} as property,
      ${publicObject('u', sql`${publicId('unit', 'u.id')} as id, u.name`)} as unit,
      case when u.offline then 'offline' when l.status = 'active' then 'occupied' when l.status = 'notice' then 'notice'
        else 'vacant' end as status,
      ${tenantsOf('l')} as tenants,
      ${publicObject('l', sql`${publicId('lease', 'l.id')} as id, l.status, l.start_date, l.end_date`)} as lease,
      l.rent_cents, ${decimalAmount('l.rent_cents', 'l.currency')} as rent, sums.currency,
      sums.paid_this_month_cents, ${decimalAmount('sums.paid_this_month_cents', 'sums.currency')} as paid_this_month,
      sums.balance_cents, ${decimalAmount('sums.balance_cents', 'sums.currency')} as balance
    from units u
    join accounts a on a.id = u.account_id
    join properties p on p.account_id = u.account_id and p.id = u.property_id
    left join lateral (select l.*, ${leaseStatus('l', day)} as status from leases l
      where l.account_id = u.account_id and l.unit_id = u.id and ${leaseRunsOn('l', day)}) l on true
    cross join lateral (${paidOn('l', day)}) paid
    cross join lateral (select coalesce(l.currency, a.currency) as currency, paid.this_month as paid_this_month_cents,
      coalesce(l.rent_cents * ${rentsDue('l', day)}, 0) - paid.ever as balance_cents) sums
    where u.account_id = ${accountId} and ${ofProperty}
    order by ${byName('p.name')}, p.id, ${byName('u.name')}`,
  );
}

const tenantsOf = (lease: string): Sql => sql`
  coalesce((select json_agg(tenant order by position) from (
      select (select row_to_json(inside) from (
          select ${publicId('ten', 't.id')} as id, concat_ws(' ', t.first_name, t.last_name) as name) inside) as tenant, lt.position
      from lease_tenants lt join tenants t on t.account_id = lt.account_id and t.id = lt.tenant_id
      where lt.account_id = ${raw(lease)}.account_id and lt.lease_id = ${raw(lease)}.id) named), '[]')`;

/** What was paid on a lease up to a day. Amounts of other currencies cannot be added to it and do not count. */
const paidOn = (lease: string, day: string): Sql => sql`
  select coalesce(sum(pay.amount_cents), 0) as ever,
    coalesce(sum(pay.amount_cents) filter (where pay.paid_month = ${monthNumber(sql`${day}::date`)}), 0) as this_month
  from payments pay
  where pay.account_id = ${raw(lease)}.account_id and pay.lease_id = ${raw(lease)}.id and pay.status = 'paid'
    and pay.currency = ${raw(lease)}.currency and pay.paid_on <= ${day}::date`;

/**
 * How many due days lie between a lease's start and a day it runs on, both included: one for every month
 * touched, less the first where it starts after its due day, less the last where that is still to come.
 */
const rentsDue = (lease: string, day: string): Sql => {
  const l = raw(lease);
  return sql`(${monthNumber(sql`${day}::date`)} - ${monthNumber(sql`${l}.start_date`)} + 1
    - (${l}.due_day < extract(day from ${l}.start_date))::integer
    - (${l}.due_day > extract(day from ${day}::date))::integer)`;
};

/** As in payments.paid_month: months that can be counted and compared. */
const monthNumber = (date: Sql): Sql =>
  sql`(extract(year from ${date})::integer * 12 + extract(month from ${date})::integer)`;

const dateOfMonth = (month: Sql, day: Sql): Sql =>
  sql`make_date((${month} - 1) / 12, (${month} - 1) % 12 + 1, ${day})`;

export interface Range {
  from: string;
  to: string;
}

/** Every month of the range in every currency that occurs in it. */
export function rentByMonth(db: Db, accountId: string, range: Range): Promise<Rows> {
  return report(
    db,
    sql`
    with ${moves(accountId, range)},
    currencies as (select distinct currency from moves
      union all select currency from accounts where id = ${accountId} and not exists (select from moves))
    select to_char(${dateOfMonth(sql`months.month`, sql`1`)}, 'YYYY-MM') as period, ${sums('currencies.currency')}
    from generate_series(${monthNumber(sql`${range.from}::date`)}, ${monthNumber(sql`${range.to}::date`)}) as months(month)
    cross join currencies
    left join moves on moves.month = months.month and moves.currency = currencies.currency
    group by months.month, currencies.currency
    order by months.month, currencies.currency`,
  );
}

/** Every property, in each currency it has something in; last what was paid outside any lease. */
export function rentByProperty(db: Db, accountId: string, range: Range): Promise<Rows> {
  return report(
    db,
    sql`
    with ${moves(accountId, range)}
    select ${publicObject('p', sql`${publicId('prop', 'p.id')} as id, p.name`)} as property, ${sums('shown.currency')}
    from (select * from properties where account_id = ${accountId}) p
    full join moves on moves.property_id = p.id
    cross join lateral (select coalesce(moves.currency, (select currency from accounts where id = ${accountId})) as currency) shown
    group by p.id, p.name, shown.currency
    order by ${byName('p.name')} nulls last, p.id, shown.currency`,
  );
}

const sums = (currency: string): Sql => {
  const total = (column: string) => raw(`coalesce(sum(moves.${column}), 0)`);
  const shown = (column: string) => decimalAmount(`coalesce(sum(moves.${column}), 0)`, currency);
  return sql`${raw(currency)} as currency, ${total('expected_cents')} as expected_cents, ${shown('expected_cents')} as expected,
    ${total('collected_cents')} as collected_cents, ${shown('collected_cents')} as collected,
    ${total('payment_count')} as payment_count`;
};

/** What fell due and what was paid in the range, by property, month and currency. */
const moves = (accountId: string, { from, to }: Range): Sql => sql`
  moves as (
    select property_id, paid_month as month, currency, 0::numeric as expected_cents, sum(amount_cents) as collected_cents,
      count(*) as payment_count
    from payments
    where account_id = ${accountId} and status = 'paid' and paid_on between ${from}::date and ${to}::date
      and paid_month between ${monthNumber(sql`${from}::date`)} and ${monthNumber(sql`${to}::date`)}
    group by property_id, paid_month, currency
    union all
    select l.property_id, due.month, l.currency, sum(l.rent_cents), 0, 0
    from leases l
    cross join lateral (select greatest(l.start_date, ${from}::date) as first, least(l.until - 1, ${to}::date) as last) runs
    cross join lateral generate_series(${monthNumber(sql`runs.first`)}, ${monthNumber(sql`runs.last`)}) as due(month)
    where l.account_id = ${accountId} and ${dateOfMonth(sql`due.month`, sql`l.due_day`)} between runs.first and runs.last
    group by l.property_id, due.month, l.currency
  )`;
