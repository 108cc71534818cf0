import { decimalsOf, isCurrency } from '../../money.ts';

export type DecimalMark = '.' | ',';

/** An amount as it is written: the digits before and after the decimal mark, and the currency if it names one. */
export interface Amount {
  whole: string;
  fraction: string;
  negative: boolean;
  /** An ISO code, or `$` if it can be one of several. */
  currency: string | null;
}

const symbols: Record<string, string> = {
  $: '$',
  US$: 'USD',
  CA$: 'CAD',
  C$: 'CAD',
  A$: 'AUD',
  AU$: 'AUD',
  NZ$: 'NZD',
  HK$: 'HKD',
  S$: 'SGD',
  R$: 'BRL',
  MX$: 'MXN',
  '€': 'EUR',
  EURO: 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '₹': 'INR',
  '₩': 'KRW',
  '₪': 'ILS',
  '₺': 'TRY',
  '₴': 'UAH',
  '₫': 'VND',
  '₱': 'PHP',
  ZŁ: 'PLN',
  'FR.': 'CHF',
};

/** Sign, currency, sign, digits, currency, sign. 1250.- and 1250,-- are whole amounts. */
const amount =
  /^([+-]?)((?:[^\d+.,'’-]+\.?)?)([+-]?)([.,]?\d[\d.,'’]*?)(?:[.,]-{1,2})?((?:[^\d+.,'’-]+\.?)?)(-?)$/u;

/** What may follow rents: 1,200.00/mo · 950 € monatlich · 800 pcm. */
const monthly =
  /(?:(?:\/|per|pro|par|por|al)(?:mo|mth|month|monat|mois|mes)|monthly|monatlich|mtl|mensuel|mensual|pcm)\.?$/i;
/** In whose favour a balance is, as accountants write it: 50.00 CR is owed to the tenant. */
const side = /(cr|dr)\.?$/i;

/** $1,250.00 · 1.250,00 € · USD 1250 · 1'250.– · (50.00) · -50 · 50.00 CR. Null if it is not an amount. */
export function readAmount(text: string, mark: DecimalMark | null): Amount | null {
  const whole = text.replace(/[\s\u00a0\u2007\u2009\u202f]/g, '').replace(/[\u2212\u2013\u2014]/g, '-');
  const [, favour] = side.exec(whole) ?? [];
  const compact = whole.replace(favour === undefined ? monthly : side, '');
  const [, inside] = /^\((.*)\)$/.exec(compact) ?? [];
  const parts = amount.exec(inside ?? compact);
  if (!parts) return null;
  const [, sign, before = '', sign2, digits = '', after = '', sign3] = parts;
  if (before !== '' && after !== '') return null;
  const currency = currencyOf(before || after);
  const number = readNumber(digits, mark);
  if (currency === undefined || number === null) return null;
  const isSigned = inside !== undefined || [sign, sign2, sign3].includes('-');
  // Both a sign and a side: some people mean 50.00 CR by -50.00 CR, and others the opposite.
  if (isSigned && favour !== undefined) return null;
  const negative = isSigned || favour?.toLowerCase() === 'cr';
  return { ...number, negative, currency };
}

/** The currency that a symbol or code names; null for none, undefined for something else. */
export function currencyOf(text: string): string | null | undefined {
  const token = text.toUpperCase();
  if (token === '') return null;
  return symbols[token] ?? (isCurrency(token) ? token : undefined);
}

/** What an amount shows about the decimal mark of its column; null if it shows nothing. */
export function markIn(text: string): DecimalMark | null {
  const compact = text.replace(/[^\d.,]/g, '');
  const [, mark, behind = ''] = /([.,])(\d*)$/.exec(compact) ?? [];
  if (mark === undefined) return null;
  const other = mark === '.' ? ',' : '.';
  if (compact.includes(other)) return mark as DecimalMark;
  // 1.250.000 has no decimals; 1.250 may have three.
  if (compact.indexOf(mark) !== compact.lastIndexOf(mark)) return other;
  return behind.length === 1 || behind.length === 2 ? (mark as DecimalMark) : null;
}

/** Digits with a decimal mark and groups of thousands in any style. */
export function readNumber(
  text: string,
  mark: DecimalMark | null,
): { whole: string; fraction: string } | null {
  const plain = text.replace(/['’]/g, '');
  const point = decimalPosition(plain, mark);
  const whole = point === -1 ? plain : plain.slice(0, point);
  const fraction = point === -1 ? '' : plain.slice(point + 1);
  if (!/^\d*$/.test(fraction)) return null;
  // Databases write 1250.0000, but 1,2500 is a mistake.
  if (fraction.length > 3 && plain[point] === ',' && mark !== ',') return null;
  if (!/^\d*$/.test(whole) && !/^\d{1,3}(([.,])\d{2,3}(\2\d{2,3})*)$/.test(whole)) return null;
  // Groups have three digits. In India they may have two, except for the last.
  if (/[.,]\d{2}$/.test(whole)) return null;
  const digits = whole.replace(/[.,]/g, '');
  return digits === '' && fraction === '' ? null : { whole: digits || '0', fraction };
}

function decimalPosition(text: string, mark: DecimalMark | null): number {
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (last === -1) return -1;
  const separator = text[last] as DecimalMark;
  const hasOther = text.includes(separator === '.' ? ',' : '.');
  if (hasOther) return last;
  if (text.indexOf(separator) !== last) return -1;
  if (mark !== null && separator === mark) return last;
  // There is one separator, not known to be the decimal mark, with three digits after it. Money has two decimals, so
  // these are thousands.
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(text) ? -1 : last;
}

/** Currencies that are written as just a $. */
const dollars = new Set('USD CAD AUD NZD SGD HKD MXN ARS CLP COP TWD JMD BBD BSD BZD FJD TTD'.split(' '));

/** The ISO code for the currency of an amount. A $ is the account's dollar, otherwise the US dollar. */
export function chooseCurrency(named: string | null, accountCurrency: string): string | null {
  if (named !== '$') return named;
  return dollars.has(accountCurrency) ? accountCurrency : 'USD';
}

/** The amount in minor units, or the reason why the currency has no such amount. */
export function toCents(amount: Amount, currency: string): number | string {
  const decimals = decimalsOf(currency);
  const beyond = amount.fraction.slice(decimals);
  // In a column with decimal points 1.250 may still be a thousand, and nobody would notice.
  if (beyond.length === 1 && amount.whole.length <= 3 && amount.whole !== '0')
    return `Must have at most ${decimals} decimals in ${currency}; if thousands are meant, leave out the point.`;
  if (/[1-9]/.test(beyond)) return `Must have at most ${decimals} decimals in ${currency}.`;
  const cents = Number(amount.whole + amount.fraction.slice(0, decimals).padEnd(decimals, '0'));
  return amount.negative ? -cents : cents;
}
