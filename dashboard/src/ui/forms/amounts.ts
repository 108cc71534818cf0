/** Currencies whose minor unit is not a hundredth, as the server counts them (ISO 4217). */
const withoutDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ');
const withThreeDecimals = 'BHD IQD JOD KWD LYD OMR TND'.split(' ');
const withFourDecimals = ['CLF', 'UYW'];

export function decimalsOf(currency: string): number {
  if (withoutDecimals.includes(currency)) return 0;
  if (withFourDecimals.includes(currency)) return 4;
  return withThreeDecimals.includes(currency) ? 3 : 2;
}

/** Active codes that Intl lacks, or gained only recently. */
const beyondIntl = 'BOV CHE CHW CLF COU MXV SLE USN UYI UYW VED VES XCG ZWG'.split(' ');
/** The currencies that the server accepts. */
export const currencies = [...new Set([...Intl.supportedValuesOf('currency'), ...beyondIntl])].sort();

/** An amount as a field shows it, without currency or grouping. */
export function moneyText(cents: number | null | undefined, currency: string): string {
  if (cents === null || cents === undefined) return '';
  const decimals = decimalsOf(currency);
  const text = (cents / 10 ** decimals).toFixed(decimals);
  return text.replace(/\.0+$/, '').replace('.', point);
}

/** The reader's decimal separator, if `readMoney` knows it. */
const point = /\d,\d/.test((1.5).toLocaleString()) ? ',' : '.';

/**
 * Reads a typed amount as minor units: 1250, 1,250.00, 1.250,00, 1'250, 1 250,5 and 1,25,000 are all understood.
 * Anything ambiguous is returned as it is, for the server to refuse: a wrong guess would be a wrong sum of money.
 */
export function readMoney(text: string, currency: string): number | string | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  const decimals = decimalsOf(currency);
  const [, sign = '', amount = ''] = withoutName(typed, currency).match(/^(-?)(.*)$/s) ?? [];
  const [whole, fraction] =
    asDecimal(amount, decimals) ?? asGroups(amount, decimals) ?? asLakhs(amount, decimals) ?? [];
  if (whole === undefined || fraction === undefined) return typed;
  const cents = Number(sign + whole + fraction.padEnd(decimals, '0'));
  return Number.isSafeInteger(cents) ? cents : typed;
}

/** Reads a typed number, with the separators of an amount: 1,5 is one and a half, 1,000 a thousand. */
export function readNumber(text: string): number | string | null {
  const typed = text.trim();
  if (typed === '') return null;
  const [, sign = '', amount = ''] = typed.match(/^(-?)(.*)$/s) ?? [];
  const parts = asDecimal(amount, 2) ?? asGroups(amount, 2);
  return parts ? Number(sign + parts.join('.')) : typed;
}

/**
 * Reads a typed percentage. A separator is always a decimal point: 5.555 is no five thousand. It is not 5.555 either,
 * because percentages have two decimals, and 1,000 could be meant as a thousand.
 */
export function readPercent(text: string): number | string | null {
  const typed = text.trim();
  if (typed === '') return null;
  const parts = asDecimal(typed, 2);
  return parts ? Number(parts.join('.')) : typed;
}

type Parts = [whole: string, fraction: string];

/** Digits, then at most as many decimals as the currency has. */
function asDecimal(amount: string, decimals: number): Parts | null {
  const [, whole = '', fraction = ''] = amount.match(/^(\d*)(?:[.,](\d*))?$/) ?? [];
  return whole + fraction !== '' && fraction.length <= decimals ? [whole, fraction] : null;
}

/** Groups of three with one separator, then perhaps decimals after another. */
function asGroups(amount: string, decimals: number): Parts | null {
  const [, whole = '', , fraction = ''] =
    amount.match(/^([1-9]\d{0,2}([.,'’\s])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d*))?$/) ?? [];
  return whole !== '' && fraction.length <= decimals ? [whole.replace(/\D/g, ''), fraction] : null;
}

/** Indian grouping: 1,25,000.50. */
function asLakhs(amount: string, decimals: number): Parts | null {
  const [, whole = '', fraction = ''] = amount.match(/^([1-9]\d?(?:,\d{2})+,\d{3})(?:\.(\d*))?$/) ?? [];
  return whole !== '' && fraction.length <= decimals ? [whole.replace(/\D/g, ''), fraction] : null;
}

/** The currency's code or symbol may come before or after the amount; another currency's may not. */
function withoutName(typed: string, currency: string): string {
  const lower = typed.toLowerCase();
  const name = namesOf(currency).find((each) => lower.startsWith(each) || lower.endsWith(each));
  if (name === undefined) return typed;
  const rest = lower.startsWith(name) ? typed.slice(name.length) : typed.slice(0, -name.length);
  return rest.trim();
}

/** Longest first, because `US$` ends with `$`. */
function namesOf(currency: string): string[] {
  const signs = (['symbol', 'narrowSymbol'] as const).map((currencyDisplay) => {
    const format = new Intl.NumberFormat(undefined, { style: 'currency', currency, currencyDisplay });
    return format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? '';
  });
  return [...signs, currency]
    .filter(Boolean)
    .map((name) => name.toLowerCase())
    .sort((one, other) => other.length - one.length);
}
