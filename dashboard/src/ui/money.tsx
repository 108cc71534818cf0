import { decimalsOf } from './forms/amounts.ts';

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(currency: string, decimals: number): Intl.NumberFormat {
  const key = `${currency} ${decimals}`;
  const known = formats.get(key);
  if (known) return known;
  const fresh = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  formats.set(key, fresh);
  return fresh;
}

/** An amount in the reader's locale. */
export function formatMoney(cents: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return formatOf(currency, decimals).format(cents / 10 ** decimals);
}

export function formatShortMoney(cents: number, currency: string): string {
  return new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(cents / 10 ** decimalsOf(currency));
}

export function Money({ cents, currency }: { cents: number | null; currency: string }) {
  return cents === null ? <span className="text-faint">–</span> : formatMoney(cents, currency);
}
