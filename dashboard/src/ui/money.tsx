/** Currencies whose minor unit is not a hundredth, as the server counts them (ISO 4217). */
const withoutDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ');
const withThreeDecimals = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');

export function decimalsOf(currency: string): number {
  if (withoutDecimals.includes(currency)) return 0;
  return withThreeDecimals.includes(currency) ? 3 : 2;
}

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

/** An amount in the reader's way of writing. */
export function formatMoney(cents: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return formatOf(currency, decimals).format(cents / 10 ** decimals);
}

/** Without the decimals: for large figures at a glance. */
export function formatRoundMoney(cents: number, currency: string): string {
  return formatOf(currency, 0).format(cents / 10 ** decimalsOf(currency));
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

/** An amount as a field shows it: no currency, no grouping. */
export function moneyText(cents: number | null | undefined, currency: string): string {
  if (cents === null || cents === undefined) return '';
  const decimals = decimalsOf(currency);
  const text = (cents / 10 ** decimals).toFixed(decimals);
  return text.replace(/\.0+$/, '');
}

/**
 * What a person typed as an amount, in minor units: 1250, 1,250.00, 1.250,00 and 1 250,5 are all understood.
 * Text that is no amount comes back as it is, for the server to say so at the field.
 */
export function readMoney(text: string, currency: string): number | string | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  const decimals = decimalsOf(currency);
  const plain = typed.replace(/[^\d.,-]/g, '');
  const [, whole = '', fraction = ''] = plain.match(/^(-?[\d.,]*?)(?:[.,](\d{0,3}))?$/) ?? [];
  // Three digits after the last mark are thousands, unless the currency has three decimals.
  const isGroup = fraction.length === 3 && decimals < 3;
  if (!/\d/.test(plain) || (fraction.length > decimals && !isGroup)) return typed;
  const digits = `${whole.replace(/[.,]/g, '') || '0'}${isGroup ? fraction : ''}`;
  const cents = Number(digits + (isGroup ? '' : fraction).padEnd(decimals, '0'));
  return Number.isSafeInteger(cents) ? cents : typed;
}
