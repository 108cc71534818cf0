/** How the numbers in a cell are shown, as far as that changes what they mean. */
export interface NumberFormat {
  /** Set if the number is a date or a time of day. */
  moment: 'date' | 'date and time' | 'time' | null;
  /** How many digits come after the decimal mark; null for as many as there are. */
  decimals: number | null;
  /** How many digits come before it at least: 00501 is a ZIP code. */
  digits: number;
  isPercent: boolean;
  /** The symbol of a currency, or nothing. */
  symbol: string;
}

/** Formats that a workbook refers to without defining them. Formats 27 to 58 depend on the language. */
const builtIn: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
};
for (let id = 27; id <= 36; id++) builtIn[id] = 'yyyy/m/d';
for (let id = 50; id <= 58; id++) builtIn[id] = 'yyyy/m/d';

export const formatWithId = (id: number, own: Map<number, string>): NumberFormat =>
  readFormat(own.get(id) ?? builtIn[id] ?? 'General');

export function readFormat(code: string): NumberFormat {
  // The formats of negative numbers and texts come after semicolons.
  const [shown = ''] = code.split(';');
  const [, named] = /\[\$([^\]-]+)/.exec(shown) ?? [];
  const bare = shown.replace(/"[^"]*"|\\.|[_*].|\[[^\]]*\]/g, '');
  const [, whole = '', fraction] =
    /([#0?,]*)(?:\.([#0?]*))?/.exec(bare.slice(Math.max(0, bare.search(/[#0?]/)))) ?? [];
  return {
    moment: momentIn(bare),
    decimals: /[#0?]/.test(bare) ? (fraction?.length ?? 0) : null,
    digits: whole.replace(/[^0]/g, '').length,
    isPercent: bare.includes('%'),
    symbol: (named ?? /[$€£¥₹₩₪₺₴₫₱]/.exec(shown.replace(/\[[^\]]*\]/g, ''))?.[0] ?? '').trim(),
  };
}

function momentIn(bare: string): NumberFormat['moment'] {
  if (/general/i.test(bare) || !/[dmyhs]/i.test(bare)) return null;
  if (!/[dy]|mmm/i.test(bare)) return 'time';
  return /h/i.test(bare) ? 'date and time' : 'date';
}

/** A number as it is written in a CSV file, with the year first if it is a date. */
export function shownNumber(text: string, format: NumberFormat, is1904: boolean): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return text;
  const moment = format.moment === null ? null : shownMoment(value, format.moment, is1904);
  if (moment !== null) return moment;
  // Numbers in a sheet have 15 digits. Any more come from computing with binary fractions.
  const exact = Number((format.isPercent ? value * 100 : value).toPrecision(15));
  const digits = format.decimals === null ? plain(exact) : exact.toFixed(Math.min(format.decimals, 100));
  const [whole = '', fraction] = digits.replace('-', '').split('.');
  const padded = whole.padStart(format.digits, '0') + (fraction === undefined ? '' : `.${fraction}`);
  const sign = digits.startsWith('-') && Number(digits) !== 0 ? '-' : '';
  return `${sign}${format.symbol}${padded}${format.isPercent ? '%' : ''}`;
}

/** Writes no exponent, because phone numbers and ids are numbers too. */
const plain = (value: number): string =>
  Math.abs(value) >= 1e21 || !Number.isInteger(value) ? String(value) : BigInt(value).toString();

const dayMs = 86_400_000;
/** The last day of 9999. */
const lastDay = 2_958_465;

function shownMoment(
  value: number,
  moment: 'date' | 'date and time' | 'time',
  is1904: boolean,
): string | null {
  if (value < 0 || value > lastDay) return null;
  const minutes = Math.round((value % 1) * 24 * 60);
  const time = `${pad(Math.floor(minutes / 60) % 24)}:${pad(minutes % 60)}`;
  if (moment === 'time' && value < 1) return time;
  // A spreadsheet counts 29 February 1900, which never existed.
  const days = Math.floor(value) + (is1904 || value >= 60 ? 0 : 1);
  const first = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const date = new Date(first + days * dayMs).toISOString().slice(0, 10);
  return moment === 'date' || minutes === 0 ? date : `${date} ${time}`;
}

const pad = (number: number): string => String(number).padStart(2, '0');
