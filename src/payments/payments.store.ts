import { changedAt } from '../db/changed-at.ts';
import type { Db } from '../db/connect.ts';
import { queryWithCustomPlan } from '../db/custom-plan.ts';
import { date, id, number, present, text, time, word } from '../db/json.ts';
import {
  listRecords,
  noJoins,
  oneOf,
  type Page,
  type RecordShape,
  type Selection,
  type Stream,
} from '../db/list.ts';
import { type ManyTable, tableOf, type WithId, withTime } from '../db/many.ts';
import { all, none, raw, type Sql, sql } from '../db/sql.ts';
import { leaseRunsOn } from '../leases/lease-status.ts';
import { decimalAmount } from '../money.ts';
import type { PageBounds } from '../paging.ts';
import { monthNumber, type SplitRange, splitRange } from './date-range.ts';
import { type PaymentFilter, type PaymentStatus, paymentStatuses } from './payments.schema.ts';

export const paymentShape: RecordShape = {
  table: 'payments',
  alias: 'p',
  joins: noJoins,
  fields: [
    present(id('pay', 'p.id')),
    present(id('ten', 'p.tenant_id')),
    id('lease', 'p.lease_id'),
    id('prop', 'p.property_id'),
    id('unit', 'p.unit_id'),
    present(number('p.amount_cents')),
    present(word(decimalAmount('p.amount_cents', 'p.currency'), 'amount')),
    present(word('p.currency')),
    present(date('p.paid_on')),
    present(word('p.method')),
    present(word('p.status')),
    word('p.period'),
    text('p.reference'),
    text('p.memo'),
    present(word('p.source')),
    present(time('p.created_at')),
    present(time('p.updated_at')),
  ],
};

export interface PaymentRow {
  tenant_id: string;
  amount_cents: number;
  currency: string;
  paid_on: string;
  method: string;
  status: PaymentStatus;
  period: string | null;
  reference: string | null;
  memo: string | null;
}

/** Currency null, for a new one: the lease's, else the account's. */
export type PaymentValues = {
  [Field in keyof PaymentRow]: Field extends 'currency' ? string | null : PaymentRow[Field];
};

export interface NewPayment extends WithId<PaymentValues> {
  account_currency: string;
  source: string;
}

export const payments: ManyTable<PaymentValues> = {
  table: 'payments',
  columns: {
    tenant_id: 'uuid',
    amount_cents: 'bigint',
    currency: 'text',
    paid_on: 'date',
    method: 'text',
    status: 'text',
    period: 'text',
    reference: 'text',
    memo: 'text',
  },
};

const plain = ['paid_on', 'method', 'status', 'period', 'reference', 'memo'];
/** The columns that are written as they are given. */
const given = {
  names: raw(plain.join(', ')),
  values: raw(plain.map((name) => `n.${name}`).join(', ')),
  changes: raw(plain.map((name) => `${name} = n.${name}`).join(', ')),
};

/** The tenant's lease on that day, the day it is ended on included: people pay when they move out. Of several, the one that started last. */
const leaseOfEach = (accountId: string): Sql => sql`
  left join lateral (
    select l.id, l.unit_id, l.property_id, l.currency
    from lease_tenants lt join leases l on l.account_id = lt.account_id and l.id = lt.lease_id
    where lt.account_id = ${accountId} and lt.tenant_id = n.tenant_id
      and (${leaseRunsOn('l', raw('n.paid_on'))} or (l.ended_on = n.paid_on and l.ended_on > l.start_date))
    order by l.start_date desc, l.id desc limit 1) lease on true`;

const newColumns = {
  id: 'uuid',
  ...payments.columns,
  account_currency: 'text',
  source: 'text',
  at: 'timestamptz',
};

/** For insertPayments to leave out those whose tenant is not there, where one of them must not make all fail. */
export const ofKnownTenants = (accountId: string): Sql =>
  sql`where exists (select from tenants t where t.account_id = ${accountId} and t.id = n.tenant_id)`;

export function insertPayments(accountId: string, rows: NewPayment[], which: Sql = none): Sql {
  return sql`
    insert into payments (account_id, id, tenant_id, lease_id, unit_id, property_id, amount_cents, currency,
      ${given.names}, source, created_at, updated_at)
    select ${accountId}, n.id, n.tenant_id, lease.id, lease.unit_id, lease.property_id, n.amount_cents,
      coalesce(n.currency, lease.currency, n.account_currency), ${given.values},
      n.source, n.at, n.at
    from ${tableOf(rows.map(withTime), newColumns)} ${leaseOfEach(accountId)} ${which}
    returning *`;
}

const changedColumns = { id: 'uuid', ...payments.columns };

/** The lease follows paid_on. What else is changed leaves a payment where it was recorded, whatever became of the lease since. */
export function updatePayments(accountId: string, rows: WithId<PaymentValues>[], now: Date): Sql {
  return sql`
    update payments p set amount_cents = n.amount_cents, currency = coalesce(n.currency, p.currency),
      ${given.changes}, updated_at = ${changedAt('p', now)},
      lease_id = case when p.paid_on = n.paid_on then p.lease_id else n.lease_id end,
      unit_id = case when p.paid_on = n.paid_on then p.unit_id else n.unit_id end,
      property_id = case when p.paid_on = n.paid_on then p.property_id else n.property_id end
    from (select n.*, lease.id as lease_id, lease.unit_id, lease.property_id
          from ${tableOf(rows, changedColumns)} ${leaseOfEach(accountId)}) n
    where p.account_id = ${accountId} and p.id = n.id
    returning p.*`;
}

/** The changeable columns, locked until the transaction ends. */
export async function findPaymentForChange(
  tx: Db,
  accountId: string,
  id: string,
): Promise<PaymentRow | null> {
  const [row] = await tx.query<PaymentRow>(sql`
    select tenant_id, amount_cents::float8 as amount_cents, currency, paid_on::text as paid_on, method, status, period, reference, memo
    from payments where account_id = ${accountId} and id = ${id} for no key update`);
  return row ?? null;
}

export function listPayments(
  db: Db,
  accountId: string,
  filter: PaymentFilter,
  bounds: PageBounds,
): Promise<Page> {
  const { tenant_id, lease_id, property_id, from, to } = filter;
  // All of them are no filter.
  const status = new Set(filter.status).size === paymentStatuses.length ? undefined : filter.status;
  const others = [
    ...(property_id === undefined ? [] : [sql`p.property_id = ${property_id}`]),
    ...(status === undefined ? [] : [sql`p.status = any(${status})`]),
    ...(from === undefined ? [] : [sql`p.paid_on >= ${from}`]),
    ...(to === undefined ? [] : [sql`p.paid_on <= ${to}`]),
  ];
  if (lease_id !== undefined) {
    const conditions = tenant_id === undefined ? others : [sql`p.tenant_id = ${tenant_id}`, ...others];
    return listRecords(db, paymentShape, {
      accountId,
      bounds,
      few: sql`p.lease_id = ${lease_id}`,
      conditions,
    });
  }
  if (tenant_id !== undefined) {
    const found =
      others.length === 0
        ? { selections: [[{ column: 'tenant_id', value: tenant_id, many: true as const }]] }
        : { few: sql`p.tenant_id = ${tenant_id}`, conditions: others };
    return listRecords(db, paymentShape, { accountId, bounds, ...found });
  }
  const property =
    property_id === undefined ? [] : [{ column: 'property_id', value: property_id, many: true as const }];
  const chosen = status === undefined ? [] : [oneOf('status', status)];
  // In some indexes the status comes first: without that filter all are merged.
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
  return listRecords(db, paymentShape, { accountId, bounds, selections });
}

/** The whole months of the range and the days at its ends; an open end is closed by the account's first or last payment. */
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
    many: true,
    rising: true,
  };
  const singleDays: Stream = {
    column: 'paid_on',
    type: 'date',
    many: true,
    values: sql`unnest(${days}::date[])`,
  };
  return [
    [...ofMonths, months],
    [...ofDays, singleDays],
  ];
}

/** The same filters as the list, all pages together. */
export async function totalPayments(
  db: Db,
  accountId: string,
  { status, tenant_id, lease_id, property_id, from, to }: PaymentFilter,
  { since }: PageBounds,
): Promise<string> {
  const where = all([
    sql`p.account_id = ${accountId}`,
    ...(status === undefined ? [] : [sql`p.status = any(${status})`]),
    ...(tenant_id === undefined ? [] : [sql`p.tenant_id = ${tenant_id}`]),
    ...(lease_id === undefined ? [] : [sql`p.lease_id = ${lease_id}`]),
    ...(property_id === undefined ? [] : [sql`p.property_id = ${property_id}`]),
    // The month is what the indexes have; the day alone would read every payment.
    ...(from === undefined ? [] : [sql`p.paid_on >= ${from} and p.paid_month >= ${monthNumber(from)}`]),
    ...(to === undefined ? [] : [sql`p.paid_on <= ${to} and p.paid_month <= ${monthNumber(to)}`]),
    ...(since === null ? [] : [sql`p.id >= ${since}`]),
  ]);
  const [row] = await queryWithCustomPlan<{ json: string }>(
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
