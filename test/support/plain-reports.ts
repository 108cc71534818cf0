import type { Lease as LedgerLease } from './ledger-model.ts';

/*
 * The reports once more, as simple as possible: loops over the records that the API returns. Only the tests that
 * compare the SQL with them use these.
 */

export interface Records {
  properties: { id: string; name: string }[];
  units: { id: string; name: string; property_id: string; offline: boolean }[];
  tenants: { id: string; first_name: string; last_name: string }[];
  leases: (LedgerLease & {
    unit_id: string;
    property_id: string;
    tenant_ids: string[];
    notice_given_on: string | null;
    current_rent_cents: number;
    rent_changes: { from: string; rent_cents: number }[];
  })[];
  payments: {
    lease_id: string | null;
    property_id: string | null;
    amount_cents: number;
    currency: string;
    paid_on: string;
    reversed_on: string | null;
    status: string;
  }[];
  charges: {
    lease_id: string;
    property_id: string;
    kind: string;
    amount_cents: number;
    open_cents: number;
    currency: string;
    due_on: string;
    period: string | null;
    voided_on: string | null;
  }[];
  credits: { lease_id: string; amount_cents: number; credited_on: string; voided_on: string | null }[];
}

type Lease = Records['leases'][number];

export function plainRentRoll(records: Records, day: string, accountCurrency: string): unknown[] {
  const rows = [];
  for (const property of [...records.properties].sort(byName)) {
    const units = records.units.filter((unit) => unit.property_id === property.id).sort(byName);
    for (const unit of units) {
      const lease = records.leases.find((each) => each.unit_id === unit.id && runsOn(each, day));
      rows.push({
        property: { id: property.id, name: property.name },
        unit: { id: unit.id, name: unit.name },
        ...rollRow(records, unit.offline, lease, day, accountCurrency),
      });
    }
  }
  return rows;
}

function rollRow(
  records: Records,
  offline: boolean,
  lease: Lease | undefined,
  day: string,
  accountCurrency: string,
) {
  if (!lease) {
    return {
      status: offline ? 'offline' : 'vacant',
      tenants: [],
      lease: null,
      rent_cents: null,
      currency: accountCurrency,
      paid_this_month_cents: 0,
      balance_cents: 0,
      owed_cents: 0,
      credit_cents: 0,
    };
  }
  let balance = day < lease.ledger_from ? 0 : lease.opening_balance_cents;
  for (const { lease_id, due_on, voided_on, amount_cents } of records.charges)
    if (lease_id === lease.id && voided_on === null && due_on >= lease.ledger_from && due_on <= day)
      balance += amount_cents;
  for (const { lease_id, credited_on, voided_on, amount_cents } of records.credits)
    if (lease_id === lease.id && voided_on === null && credited_on >= lease.ledger_from && credited_on <= day)
      balance -= amount_cents;
  let paidThisMonth = 0;
  for (const { lease_id, status, paid_on, reversed_on, currency, amount_cents } of records.payments) {
    const counts = status === 'paid' || (reversed_on !== null && reversed_on > day);
    if (lease_id !== lease.id || !counts || paid_on > day || currency !== lease.currency) continue;
    if (paid_on >= lease.ledger_from) balance -= amount_cents;
    if (paid_on.slice(0, 7) === day.slice(0, 7)) paidThisMonth += amount_cents;
  }
  const status = lease.notice_given_on !== null && lease.notice_given_on <= day ? 'notice' : 'active';
  return {
    status: offline ? 'offline' : status === 'notice' ? 'notice' : 'occupied',
    tenants: lease.tenant_ids.map((id) => {
      const tenant = records.tenants.find((each) => each.id === id);
      return { id, name: `${tenant?.first_name} ${tenant?.last_name}` };
    }),
    lease: {
      id: lease.id,
      status,
      start_date: lease.start_date,
      end_date: lease.end_date,
      ended_on: lease.ended_on,
    },
    rent_cents: lease.rent_changes.findLast(({ from }) => from <= day)?.rent_cents ?? lease.rent_cents,
    currency: lease.currency,
    paid_this_month_cents: paidThisMonth,
    balance_cents: balance,
    owed_cents: Math.max(balance, 0),
    credit_cents: Math.max(-balance, 0),
  };
}

const none = { expected_cents: 0, collected_cents: 0, owed_cents: 0, received_cents: 0, payment_count: 0 };
type Sums = typeof none;

/** By "group currency", where a group is a month or a property's id. */
export function plainRentCollected(records: Records, from: string, to: string, by: 'month' | 'property') {
  const sums = new Map<string, Sums>();
  const add = (property: string | null, day: string, currency: string, more: Partial<Sums>) => {
    const group = `${by === 'month' ? day.slice(0, 7) : property} ${currency}`;
    const sum = sums.get(group) ?? { ...none };
    for (const [name, cents] of Object.entries(more)) sum[name as keyof Sums] += cents;
    sums.set(group, sum);
  };
  for (const { status, paid_on, property_id, currency, amount_cents } of records.payments) {
    if (status === 'paid' && paid_on >= from && paid_on <= to)
      add(property_id, paid_on, currency, { received_cents: amount_cents, payment_count: 1 });
  }
  for (const charge of records.charges) {
    const lease = records.leases.find(({ id }) => id === charge.lease_id);
    const { due_on, kind, voided_on, amount_cents, open_cents } = charge;
    if (kind === 'deposit' || voided_on !== null || due_on < (lease?.ledger_from ?? '')) continue;
    if (due_on < from || due_on > to) continue;
    add(charge.property_id, due_on, charge.currency, {
      expected_cents: amount_cents,
      collected_cents: amount_cents - open_cents,
      owed_cents: open_cents,
    });
  }
  return sums;
}

/** end_date is the last day. On ended_on the lease is over. */
function runsOn(lease: Lease, day: string): boolean {
  if (day < lease.start_date) return false;
  if (lease.ended_on !== null) return day < lease.ended_on;
  return lease.end_date === null || day <= lease.end_date;
}

export const nextDay = (day: string, count = 1): string =>
  new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10);

export function monthsBetween(from: string, to: string): string[] {
  const months = new Set<string>();
  for (let day = from; day <= to; day = nextDay(day)) months.add(day.slice(0, 7));
  return [...months];
}

const byName = (a: { name: string; id: string }, b: { name: string; id: string }) =>
  Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)) || (a.id < b.id ? -1 : 1);
