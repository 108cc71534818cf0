import type { Caller } from '../../caller.ts';
import type { Db } from '../../db/connect.ts';
import { type FoundPage, type Page, pageOf } from '../../db/lists/list.ts';
import { countOf } from '../../db/lists/totals.ts';
import { queryWithCustomPlan } from '../../db/plans/custom-plan.ts';
import {
  date,
  type Field,
  id,
  json,
  number,
  object,
  objectJson,
  present,
  text,
  word,
} from '../../db/records/json.ts';
import { all, join, none, raw, type Sql, sql } from '../../db/sql.ts';
import { decimalAmount } from '../../money.ts';
import { searchByNames } from '../../search/search-by-names.ts';
import { searchedLeases } from '../../search/searched-leases.ts';
import { leaseOfTenant } from '../lease-of-tenant.ts';
import { leaseStatus } from '../rules/lease-status.ts';
import { tenantNames } from '../tenant-names.ts';
import type { BalanceFilter } from './balances.schema.ts';
import { depositHeldOn, openOn, owingIn, sumsByLease } from './owed-on.ts';

interface Bounds {
  limit: number;
  /** The position at the end of the previous page. */
  after: string | null;
  /** Whether to count all matches. */
  total?: boolean | undefined;
}

/**
 * The most overdue leases come first. After those that owe something, all others follow by id, or the largest credit
 * first if only credit is wanted. Only what leases owed that day is summed for all of them. Everything else is looked
 * up for the leases on the page.
 */
export async function listBalances(
  db: Db,
  caller: Caller,
  day: string,
  filter: BalanceFilter,
  { limit, after, total }: Bounds,
): Promise<Page> {
  const { accountId } = caller;
  const wanted = sql`limit ${limit + 1}::integer`;
  const behind = (position: Position | null, most: Sql) =>
    join(
      [
        ...(filter.owing === false ? [] : [sql`(${owing(day, filter, position)} ${most})`]),
        ...(filter.owing || filter.overdue
          ? []
          : [
              sql`(${filter.in_credit ? inCredit(position) : notOwing(accountId, day, filter, position)} ${most})`,
            ]),
      ],
      ' union all ',
    );
  const position = after === null ? null : positionOf(after);
  const [row] = await queryWithCustomPlan<FoundPage>(
    db,
    sql`
    with ${filter.q === undefined ? none : sql`${leasesFor(caller, filter.q)},`}
    open as materialized (${openOn(accountId, day, ofLeases(accountId, day, 's.lease_id', filter))}),
    owed as (${owingIn(raw('open'))}),
    page as materialized (
      select * from (${behind(position, wanted)}) d order by ${order} ${wanted}),
    owed_by_page as (${sumsByLease(sql`(select * from open where lease_id in (select lease_id from page))`)})
    select coalesce((select '[' || string_agg(json, ',') || ']' from (
             select ${objectJson(fields)} as json
             from (select * from page limit ${limit}::integer) d ${joins(accountId, day)}
             order by ${order}) records), '[]') as data,
           (select count(*)::integer from page) as found,
           (select ${positionText} from page d offset ${limit - 1}::integer limit 1) as last
           ${total ? sql`, (${countOf(behind(null, none))}) as total` : none}`,
  );
  if (!row) throw new Error('The balances returned no row.');
  return pageOf(row, limit);
}

/** The ids of the leases that a search finds, in queries of which the last is `found`. */
function leasesFor(caller: Caller, q: string): Sql {
  const { matches, matchesBySets = matches, found, isExact, sets } = searchByNames(searchedLeases, caller, q);
  const leases = (condition: Sql): Sql =>
    sql`select l.id from leases l where l.account_id = ${caller.accountId} and ${condition}`;
  if (found === undefined || sets === undefined) return sql`found as materialized (${leases(matches)})`;
  const ids = sql`select distinct ids.id from (${found}) ids`;
  const kept = sql`
    select kept.id from (${ids}) ids cross join lateral (${leases(matchesBySets)} and l.id = ids.id limit 1) kept`;
  return sql`${sets}, found as materialized (${isExact ? ids : kept})`;
}

function ofLeases(accountId: string, day: string, column: string, filter: BalanceFilter): Sql {
  const { property_id, tenant_id, lease_status, q } = filter;
  const lease = raw(column);
  return all([
    ...(q === undefined ? [] : [sql`${lease} in (select id from found)`]),
    ...(property_id === undefined
      ? []
      : [
          sql`${lease} in (select id from leases where account_id = ${accountId} and property_id = ${property_id})`,
        ]),
    ...(tenant_id === undefined ? [] : [sql`${lease} in (${leaseOfTenant(accountId, tenant_id)})`]),
    ...(lease_status === undefined
      ? []
      : [
          sql`${lease} in (select l.id from leases l where l.account_id = ${accountId} and ${leaseStatus('l', day)} = any(${lease_status}))`,
        ]),
  ]);
}

/** The cents are what is owed. Of leases that owe nothing, they are the credit if only that is wanted, or else 0. */
const order: Sql = raw('d.oldest_due_on, -d.cents, d.lease_id');

function owing(day: string, { overdue, in_credit }: BalanceFilter, position: Position | null): Sql {
  const wanted = all([
    ...(in_credit === undefined ? [] : [sql`${hasCredit('d.lease_id')} = ${in_credit}`]),
    ...(overdue === undefined ? [] : [sql`(d.oldest_due_on < ${day}::date) = ${overdue}`]),
    owingBehind(position),
  ]);
  return sql`select d.* from owed d where ${wanted} order by ${order}`;
}

/** Credit pays whatever is open, so a lease with something left of it owes nothing. */
const hasCredit = (column: string): Sql =>
  sql`(${raw(column)} in (select o.lease_id from open o where o.credit is not null))`;

/** Leases that owe nothing and have credit. */
const inCredit = (position: Position | null): Sql => sql`
  select d.* from (
    select o.lease_id, sum(o.credit)::bigint as cents, null::date as oldest_due_on
    from open o where o.credit is not null and o.lease_id not in (select lease_id from owed)
    group by o.lease_id) d
  where ${position?.dueOn === null ? sql`(-d.cents, d.lease_id) > (-${position.cents}::bigint, ${position.leaseId}::uuid)` : sql`true`}
  order by ${order}`;

/** Leases that owe nothing, with or without credit. */
function notOwing(accountId: string, day: string, filter: BalanceFilter, position: Position | null): Sql {
  const wanted = all([
    ...(filter.in_credit === undefined ? [] : [sql`${hasCredit('l.id')} = ${filter.in_credit}`]),
    ...(position?.dueOn === null ? [sql`l.id > ${position.leaseId}::uuid`] : []),
    ofLeases(accountId, day, 'l.id', filter),
  ]);
  return sql`
  select l.id as lease_id, 0 as cents, null::date as oldest_due_on
  from leases l
  where l.account_id = ${accountId} and not exists (select from owed d where d.lease_id = l.id) and ${wanted}
  order by l.id`;
}

/**
 * The position of a lease in the list. The cursor contains all of it, because what the lease owes may change before the
 * next page is requested.
 */
interface Position {
  dueOn: string | null;
  cents: string;
  leaseId: string;
}

const positionText: Sql = raw(`concat_ws(' ', coalesce(d.oldest_due_on::text, '-'), d.cents, d.lease_id)`);

function positionOf(after: string): Position {
  const [dueOn = '-', cents = '0', leaseId = ''] = after.split(' ');
  return { dueOn: dueOn === '-' ? null : dueOn, cents, leaseId };
}

function owingBehind(position: Position | null): Sql {
  if (position === null) return sql`true`;
  const { dueOn, cents, leaseId } = position;
  if (dueOn === null) return sql`false`;
  return sql`(${order}) > (${dueOn}::date, -${cents}::bigint, ${leaseId}::uuid)`;
}

const sums = ['owed_cents', 'overdue_cents', 'credit_cents'];
const ages = ['days_0_30_cents', 'days_31_60_cents', 'days_61_90_cents', 'days_91_cents'];
/** A lease may have nothing open. */
const orZero: Sql = raw([...sums, ...ages].map((name) => `coalesce(s.${name}, 0) as ${name}`).join());

/** Looked up for each lease on the page, whatever PostgreSQL estimates for the account. */
const joins = (accountId: string, day: string): Sql => sql`
  left join owed_by_page s on s.lease_id = d.lease_id
  cross join lateral (select ${orZero}) o
  cross join lateral (
    select l.*, ${leaseStatus('l', day)} as status, o.owed_cents - o.credit_cents as balance_cents,
      case when d.oldest_due_on is null then 0 else ${day}::date - d.oldest_due_on end as days_late
    from leases l where l.account_id = ${accountId} and l.id = d.lease_id limit 1) l
  cross join lateral (select * from units where account_id = ${accountId} and id = l.unit_id limit 1) u
  cross join lateral (select * from properties where account_id = ${accountId} and id = l.property_id limit 1) p
  cross join lateral (${tenantNames(accountId)}) t
  cross join lateral (${depositHeldOn(accountId, day)}) h
  cross join lateral (
    select coalesce(sum(q.amount_cents), 0) as pending_cents from payments q
    where q.account_id = ${accountId} and q.lease_id = l.id and q.status = 'pending' and q.currency = l.currency
      and q.paid_on between l.ledger_from and ${day}::date) w`;

/** An amount in cents and as a decimal. */
const amount = (column: string): Field[] => [
  present(number(column)),
  present(word(decimalAmount(column, 'l.currency'), column.slice(column.indexOf('.') + 1, -'_cents'.length))),
];

const fields: Field[] = [
  present(id('lease', 'l.id', 'lease_id')),
  object('lease', 'l', [
    present(id('lease', 'l.id')),
    present(word('l.status')),
    present(date('l.start_date')),
    date('l.end_date'),
  ]),
  present(json('t.tenants')),
  object('property', 'p', [present(id('prop', 'p.id')), present(text('p.name'))]),
  object('unit', 'u', [present(id('unit', 'u.id')), present(text('u.name'))]),
  present(word('l.currency')),
  ...['l.balance_cents', ...[...sums, ...ages].map((name) => `o.${name}`)].flatMap(amount),
  ...amount('h.deposit_held_cents'),
  date('d.oldest_due_on'),
  present(number('l.days_late')),
  ...amount('w.pending_cents'),
];
