import generated from './generated.json' with { type: 'json' };
import { dayOf } from './input.js';
import { list, send } from './server.js';

/** 1250.5 or "1,250.50" in dollars is 125050. The result is exact; an unclear amount is refused. */
export function minorUnits(z, amount, currency, label) {
  const decimals = generated.currencyDecimals[currency.toUpperCase()] ?? 2;
  // Six digits keep every amount, and drop what binary fractions add (0.1 + 0.2).
  const text = typeof amount === 'number' ? amount.toFixed(6) : String(amount).trim();
  const plain = /^\d{1,3}(,\d{3})+\.\d+$/.test(text) ? text.replaceAll(',', '') : text;
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d*?)0*)?$/.exec(plain) ?? [];
  if (whole !== undefined && fraction.length <= decimals)
    return Number(whole + fraction.padEnd(decimals, '0'));
  const example = decimals === 0 ? '1250' : `1250.${'0'.repeat(decimals)}`;
  throw new z.errors.Error(
    `${label}: Must be an amount such as ${example} (${currency}), not "${text}".`,
    'WrongAmount',
  );
}

/**
 * The currency of the payment's lease, otherwise the account's. Tenure would choose the same, but we need it before
 * sending.
 */
export async function paymentCurrency(z, bundle) {
  const { tenant_id, lease_id, charge_id, currency, paid_on } = bundle.inputData;
  if (currency) return String(currency).trim().toUpperCase();
  if (lease_id) return leaseCurrency(z, bundle);
  if (charge_id) return currencyOf(z, bundle, 'charge', charge_id);
  const { records } = await list(z, bundle, generated.records.lease.path, { tenant_id });
  // Today in UTC, where Tenure takes the account's time zone: a lease begins or ends on that day only once.
  const day = dayOf(paid_on || new Date().toISOString());
  const [lease] = records
    .filter(wasNotCalledOff)
    .sort((a, b) => compare(distance(a, day), distance(b, day)) || compare(a.unit_id, b.unit_id));
  return lease?.currency ?? accountCurrency(z, bundle);
}

/** A charge or a credit is in the currency of its lease. */
export const leaseCurrency = (z, bundle) => currencyOf(z, bundle, 'lease', bundle.inputData.lease_id);

async function currencyOf(z, bundle, record, id) {
  const path = `${generated.records[record].path}/${encodeURIComponent(id)}`;
  return (await send(z, bundle, 'GET', path)).currency;
}

/** The first day that no longer belongs to the lease; null: it has no end. */
const until = ({ end_date, ended_on }) => ended_on ?? (end_date === null ? null : dayAfter(end_date));

const wasNotCalledOff = (lease) => until(lease) === null || until(lease) > lease.start_date;

/** The lease that runs on the day, or ended on it; else the next one; else the one that ended last. */
function distance(lease, day) {
  const end = until(lease);
  if (day < lease.start_date) return 1e6 + daysBetween(day, lease.start_date);
  if (end === null || day < end || day === lease.ended_on) return daysBetween(lease.start_date, day);
  return 2e6 + daysBetween(end, day);
}

const dayMs = 86_400_000;
const daysBetween = (from, to) => (Date.parse(to) - Date.parse(from)) / dayMs;
const dayAfter = (day) => new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
const compare = (a, b) => (a < b ? -1 : Number(a > b));

export const accountCurrency = async (z, bundle) => (await send(z, bundle, 'GET', '/account')).currency;

/** A lease is in the currency that is named, otherwise in the account's. */
export const newLeaseCurrency = async (z, bundle) => {
  const { currency } = bundle.inputData;
  return currency ? String(currency).trim().toUpperCase() : accountCurrency(z, bundle);
};
