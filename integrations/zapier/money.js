import generated from './generated.json' with { type: 'json' };
import { dayOf } from './input.js';
import { list } from './server.js';

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
 * The currency of the tenant's lease on the day of the payment, otherwise the account's. Tenure would choose the
 * same, but we need it before sending.
 */
export async function paymentCurrency(z, bundle) {
  const { tenant_id, currency, paid_on } = bundle.inputData;
  if (currency) return String(currency).trim().toUpperCase();
  const { records } = await list(z, bundle, generated.records.lease.path, { tenant_id });
  // Today in UTC, as Tenure has it.
  const day = dayOf(paid_on || new Date().toISOString());
  const [lease] = records
    .filter((each) => takesPaymentsOn(each, day))
    .sort((a, b) => compare(b.start_date, a.start_date) || compare(b.id, a.id));
  return lease?.currency ?? accountCurrency(z, bundle);
}

/**
 * A lease takes payments until its last day, and on the day it ends, when people move out. A cancelled one takes
 * none.
 */
function takesPaymentsOn({ start_date, end_date, ended_on }, day) {
  if (day < start_date) return false;
  if (ended_on !== null) return day <= ended_on && start_date < ended_on;
  return end_date === null || day <= end_date;
}

const compare = (a, b) => (a < b ? -1 : Number(a > b));

/** Taken from a unit or maintenance request, because the API has no other way to ask. */
export async function accountCurrency(z, bundle) {
  for (const record of ['unit', 'maintenance_request']) {
    const { records } = await list(z, bundle, generated.records[record].path, { limit: 1 });
    if (records[0]) return records[0].currency;
  }
  throw new z.errors.Error(
    'Tenure cannot tell the currency of the account before it has a unit. Fill in the currency, or leave the amount empty.',
    'UnknownCurrency',
  );
}
