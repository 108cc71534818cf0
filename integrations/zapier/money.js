import generated from './generated.json' with { type: 'json' };
import { list, send } from './server.js';

/** 1250.5 or "1,250.50" in dollars is 125050; exactly, and refused where it is not clear. */
export function minorUnits(z, given, currency, label) {
  const decimals = generated.currencyDecimals[currency.toUpperCase()] ?? 2;
  // Six digits keep every amount and drop what binary fractions add (0.1 + 0.2).
  const text = typeof given === 'number' ? given.toFixed(6) : String(given).trim();
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

/** The currency of the tenant's lease, else the account's: as Tenure would choose, known before it is sent. */
export async function paymentCurrency(z, bundle) {
  const { tenant_id, currency } = bundle.inputData;
  if (currency) return String(currency).trim().toUpperCase();
  const { lease } = await send(z, bundle, 'GET', `/tenants/${encodeURIComponent(tenant_id)}`);
  return lease?.currency ?? accountCurrency(z, bundle);
}

/** Units and maintenance requests carry it; the API has no place of its own for it. */
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
