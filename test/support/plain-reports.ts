/*
 * The reports once more, as plain as they can be: loops over the records that the API returns. Only for the
 * tests that hold the SQL against it.
 */

export interface Records {
  properties: { id: string; name: string }[];
  units: { id: string; name: string; property_id: string; offline: boolean }[];
  tenants: { id: string; first_name: string; last_name: string }[];
  leases: {
    id: string;
    unit_id: string;
    property_id: string;
    tenant_ids: string[];
    start_date: string;
    end_date: string | null;
    ended_on: string | null;
    notice_given_on: string | null;
    rent_cents: number;
    currency: string;
    due_day: number;
  }[];
  payments: {
    tenant_id: string;
    period: string | null;
    lease_id: string | null;
    property_id: string | null;
    amount_cents: number;
    currency: string;
    paid_on: string;
    status: string;
  }[];
}

type Lease = Records['leases'][number];
type Payment = Records['payments'][number];

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

/** At the signing of a lease, before it begins. */
function isPaidBefore(records: Records, payment: Payment, lease: Lease): boolean {
  const { tenant_id, paid_on, period } = payment;
  const theirs = records.leases
    .filter(({ tenant_ids }) => tenant_ids.includes(tenant_id))
    .filter(({ ended_on, start_date }) => ended_on === null || ended_on > start_date);
  const [next] = theirs
    .filter(({ start_date }) => start_date > paid_on)
    .sort((one, other) => (one.start_date + one.id < other.start_date + other.id ? -1 : 1));
  if (payment.lease_id !== null || next !== lease) return false;
  if (period !== null) return period >= lease.start_date.slice(0, 7);
  return !theirs.some(({ start_date }) => start_date <= paid_on);
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
    };
  }
  let paid = 0;
  let paidThisMonth = 0;
  for (const payment of records.payments) {
    const isForIt = payment.lease_id === lease.id || isPaidBefore(records, payment, lease);
    if (!isForIt || payment.status !== 'paid' || payment.paid_on > day) continue;
    if (payment.currency !== lease.currency) continue;
    paid += payment.amount_cents;
    if (payment.paid_on.slice(0, 7) === day.slice(0, 7)) paidThisMonth += payment.amount_cents;
  }
  const status = lease.notice_given_on !== null && lease.notice_given_on <= day ? 'notice' : 'active';
  return {
    status: offline ? 'offline' : status === 'notice' ? 'notice' : 'occupied',
    tenants: lease.tenant_ids.map((id) => {
      const tenant = records.tenants.find((each) => each.id === id);
      return { id, name: `${tenant?.first_name} ${tenant?.last_name}` };
    }),
    lease: { id: lease.id, status, start_date: lease.start_date, end_date: lease.end_date },
    rent_cents: lease.rent_cents,
    currency: lease.currency,
    paid_this_month_cents: paidThisMonth,
    balance_cents: lease.rent_cents * dueDays(lease, lease.start_date, day).length - paid,
  };
}

interface Sums {
  expected_cents: number;
  collected_cents: number;
  payment_count: number;
}

/** By "group currency"; a group is a month or a property's id. */
export function plainRentCollected(records: Records, from: string, to: string, by: 'month' | 'property') {
  const sums = new Map<string, Sums>();
  const add = (property: string | null, day: string, currency: string, more: Partial<Sums>) => {
    const group = `${by === 'month' ? day.slice(0, 7) : property} ${currency}`;
    const sum = sums.get(group) ?? { expected_cents: 0, collected_cents: 0, payment_count: 0 };
    sum.expected_cents += more.expected_cents ?? 0;
    sum.collected_cents += more.collected_cents ?? 0;
    sum.payment_count += more.payment_count ?? 0;
    sums.set(group, sum);
  };
  for (const { status, paid_on, property_id, currency, amount_cents } of records.payments) {
    if (status === 'paid' && paid_on >= from && paid_on <= to)
      add(property_id, paid_on, currency, { collected_cents: amount_cents, payment_count: 1 });
  }
  for (const lease of records.leases) {
    for (const day of dueDays(lease, from, to))
      add(lease.property_id, day, lease.currency, { expected_cents: lease.rent_cents });
  }
  return sums;
}

/** Month by month: the due days on which the lease runs. */
function dueDays(lease: Lease, from: string, to: string): string[] {
  const found = [];
  for (let year = Number(from.slice(0, 4)); year <= Number(to.slice(0, 4)); year++) {
    for (let month = 1; month <= 12; month++) {
      const day = [year, month, lease.due_day].map((part) => String(part).padStart(2, '0')).join('-');
      if (day >= from && day <= to && runsOn(lease, day)) found.push(day);
    }
  }
  return found;
}

/** end_date is the last day; on ended_on it is over. */
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
