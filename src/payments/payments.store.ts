import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { listRecords, type Page } from '../db/lists/list.ts';
import { oneOf, type Selection, type Stream } from '../db/lists/selections.ts';
import type { Sorting, SortKeys } from '../db/lists/sorted-rows.ts';
import { sumWithCustomPlan } from '../db/plans/custom-plan.ts';
import { shapeOf } from '../db/records/columns.ts';
import { id, present, word } from '../db/records/json.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { all, raw, type Sql, sql } from '../db/sql.ts';
import { decimalAmount } from '../money.ts';
import type { PageBounds } from '../paging.ts';
import { type Searched, searchByNames, textOf } from '../search/search-by-names.ts';
import { monthNumber, type SplitRange, splitRange } from './date-range.ts';
import { payments } from './payments.columns.ts';
import { type PaymentFilter, type paymentSortFields, paymentStatuses } from './payments.schema.ts';

export const paymentShape: RecordShape = shapeOf(payments, {
  lease_id: [id('prop', 'p.property_id'), id('unit', 'p.unit_id')],
  amount_cents: [present(word(decimalAmount('p.amount_cents', 'p.currency'), 'amount'))],
});

/** Lets an insert leave out payments without a tenant, if one of them must not make all of them fail. */
export const ofKnownTenants = (accountId: string): Sql =>
  sql`where exists (select from tenants t where t.account_id = ${accountId} and t.id = n.tenant_id)`;

const searched: Searched = {
  table: 'payments',
  alias: 'p',
  ...textOf('p', 'reference', 'memo', 'external_id'),
  tenants: 'tenant_id',
  unitsVia: 'lease_id',
};

export function listPayments(
  db: Db,
  shape: RecordShape,
  caller: Caller,
  filter: PaymentFilter,
  bounds: PageBounds,
): Promise<Page> {
  const { accountId } = caller;
  const { external_id, tenant_id, lease_id, property_id, from, to, q } = filter;
  const search = q === undefined ? undefined : searchByNames(searched, caller, q);
  // Asking for all statuses is the same as not filtering.
  const status = new Set(filter.status).size === paymentStatuses.length ? undefined : filter.status;
  const others = [
    ...(property_id === undefined ? [] : [sql`p.property_id = ${property_id}`]),
    ...(status === undefined ? [] : [sql`p.status = any(${status})`]),
    ...(from === undefined ? [] : [sql`p.paid_on >= ${from}`]),
    ...(to === undefined ? [] : [sql`p.paid_on <= ${to}`]),
  ];
  if (external_id !== undefined || lease_id !== undefined) {
    const [few, ...conditions] = [
      ...(external_id === undefined ? [] : [sql`p.external_id = ${external_id}`]),
      ...(lease_id === undefined ? [] : [sql`p.lease_id = ${lease_id}`]),
      ...(tenant_id === undefined ? [] : [sql`p.tenant_id = ${tenant_id}`]),
      ...others,
    ];
    return listRecords(db, shape, {
      accountId,
      bounds,
      search,
      ...(few && { few }),
      conditions,
      sorting: { keys },
    });
  }
  if (tenant_id !== undefined) {
    const found =
      others.length === 0 && search === undefined && bounds.sort === undefined
        ? { selections: [[{ column: 'tenant_id', value: tenant_id, selective: true as const }]] }
        : { few: sql`p.tenant_id = ${tenant_id}`, conditions: others };
    return listRecords(db, shape, { accountId, bounds, search, ...found, sorting: { keys } });
  }
  if (search !== undefined)
    return listRecords(db, shape, {
      accountId,
      bounds,
      search,
      conditions: others,
      sorting: { ...sortingOf(filter), conditions: others },
    });
  const property =
    property_id === undefined
      ? []
      : [{ column: 'property_id', value: property_id, selective: true as const }];
  const chosen = status === undefined ? [] : [oneOf('status', status)];
  // In some indexes the status comes first. Without a filter, all statuses are merged.
  const any = [oneOf('status', status ?? paymentStatuses)];
  const selections =
    from === undefined && to === undefined
      ? [[...property, ...(property_id === undefined ? chosen : any)]]
      : inRange(
          accountId,
          splitRange(from, to),
          [...property, ...chosen],
          [...property, ...(property_id === undefined ? any : chosen)],
        );
  return listRecords(db, shape, { accountId, bounds, selections, sorting: sortingOf(filter) });
}

const keys: SortKeys<(typeof paymentSortFields)[number]> = {
  paid_on: { key: (p) => `${p}.paid_on`, type: 'date' },
};

/**
 * In the indexes by day, a property or the status, or both, come first. In those by id, it is both, the status alone,
 * or nothing. If the status is needed but not given, it may be any.
 */
function sortingOf({ status, property_id, from, to, sort }: PaymentFilter): Sorting {
  const days = [
    ...(from === undefined ? [] : [sql`p.paid_on >= ${from}`]),
    ...(to === undefined ? [] : [sql`p.paid_on <= ${to}`]),
  ];
  const isByDay = sort?.endsWith('paid_on') ?? false;
  const isAnyStatus = status === undefined && (property_id !== undefined) === isByDay;
  return {
    keys,
    fixed: property_id === undefined ? [] : [sql`p.property_id = ${property_id}`],
    ...(isAnyStatus ? {} : { oneOf: { column: 'status', values: status ?? paymentStatuses } }),
    from,
    to,
    conditions: isByDay ? [] : days,
  };
}

/** Keeps the payment on its lease, whichever lease the rule would choose. This is not shown anywhere. */
export async function tieToLease(tx: Db, accountId: string, id: string): Promise<void> {
  await tx.query(sql`update payments set lease_given = true where account_id = ${accountId} and id = ${id}`);
}

/** The range's whole months and the days at its ends. The account's first or last payment closes an open end. */
function inRange(
  accountId: string,
  { firstMonth, lastMonth, days }: SplitRange,
  ofMonths: Selection,
  ofDays: Selection,
): Selection[] {
  const edge = (order: string) =>
    sql`(select paid_month from payments where account_id = ${accountId} order by paid_month ${raw(order)} limit 1)`;
  const first = firstMonth === null ? edge('asc') : sql`greatest(${firstMonth}::integer, ${edge('asc')})`;
  const last = lastMonth === null ? edge('desc') : sql`least(${lastMonth}::integer, ${edge('desc')})`;
  const months: Stream = {
    column: 'paid_month',
    type: 'integer',
    values: sql`generate_series(${first}, ${last})`,
    selective: true,
    rising: true,
  };
  const singleDays: Stream = {
    column: 'paid_on',
    type: 'date',
    selective: true,
    values: sql`unnest(${days}::date[])`,
  };
  return [
    [...ofMonths, months],
    [...ofDays, singleDays],
  ];
}

/** The totals of all pages of the list with the same filters. */
export async function totalPayments(
  db: Db,
  caller: Caller,
  { external_id, status, tenant_id, lease_id, property_id, from, to, q }: PaymentFilter,
  { since }: PageBounds,
): Promise<string> {
  const { accountId } = caller;
  const where = all([
    sql`p.account_id = ${accountId}`,
    ...(external_id === undefined ? [] : [sql`p.external_id = ${external_id}`]),
    ...(q === undefined ? [] : [searchByNames(searched, caller, q).matches]),
    ...(status === undefined ? [] : [sql`p.status = any(${status})`]),
    ...(tenant_id === undefined ? [] : [sql`p.tenant_id = ${tenant_id}`]),
    ...(lease_id === undefined ? [] : [sql`p.lease_id = ${lease_id}`]),
    ...(property_id === undefined ? [] : [sql`p.property_id = ${property_id}`]),
    // The indexes have the month. With the day alone, every payment would be read.
    ...(from === undefined ? [] : [sql`p.paid_on >= ${from} and p.paid_month >= ${monthNumber(from)}`]),
    ...(to === undefined ? [] : [sql`p.paid_on <= ${to} and p.paid_month <= ${monthNumber(to)}`]),
    ...(since === null ? [] : [sql`p.id >= ${since}`]),
  ]);
  const [row] = await sumWithCustomPlan<{ json: string }>(
    db,
    sql`
    select json_build_object('count', coalesce(sum(t.count), 0), 'totals', coalesce(json_agg(json_build_object(
      'currency', t.currency, 'status', t.status, 'count', t.count, 'amount_cents', t.cents,
      'amount', ${decimalAmount('t.cents', 't.currency')}) order by t.currency, t.status), '[]'))::text as json
    from (select p.currency, p.status, count(*) as count, sum(p.amount_cents) as cents
          from payments p where ${where} group by p.currency, p.status) t`,
  );
  if (!row) throw new Error('The totals of payments returned no row.');
  return row.json;
}
