import { markIn, readAmount, readNumber } from './amounts.ts';
import { readDate, readMonth, readSerial } from './dates.ts';
import { type Field, longestWritten, type Reader } from './field.ts';
import { countryCode, isNoDate, plainWord, readYesNo } from './words.ts';

/** How cells of each kind become values. The record's schema checks them afterwards. */

const brief =
  (read: Reader): Reader =>
  (cell, style) =>
    cell.length > longestWritten ? { reason: `${quote(cell)} is too long.` } : read(cell, style);

export const text: Reader = (cell) => ({ value: cell });

export const word =
  (find: (text: string) => string): Reader =>
  (cell) => ({ value: find(cell) });

export const country = word(countryCode);

export const yesNo: Reader = (cell) => {
  const value = readYesNo(cell);
  return value === null ? { reason: 'Must be yes or no.' } : { value };
};

export const date = brief((cell, { dateOrder }) => {
  if (isNoDate(cell)) return { value: null };
  const serial = readSerial(cell);
  if (serial !== null) return { value: serial };
  const found = readDate(cell, dateOrder);
  if (found.kind === 'date') return { value: found.date };
  const form = { mdy: ' (month first, as in this column)', dmy: ' (day first, as in this column)' };
  if (found.kind === 'wrong')
    return { reason: `${quote(cell)} is not a date${dateOrder ? form[dateOrder] : ' such as 2026-11-15'}.` };
  return { reason: `${quote(cell)} can be read month first or day first; give the date format.` };
});

export const month = brief((cell, { dateOrder }) => {
  const value = readMonth(cell, dateOrder);
  return value === null ? { reason: `${quote(cell)} is not a month such as 2026-11.` } : { value };
});

/** Reads an Amount. Its minor units depend on the currency, which may be in another column. */
export const money = brief((cell, { decimalMark, currency }) => {
  const value = readAmount(cell, decimalMark);
  if (value === null) return { reason: `${quote(cell)} is not an amount such as 1250.00.` };
  return { value: { ...value, currency: value.currency ?? currency } };
});

/** Reads a number as people write counts: 3, 1.5, 1,200 sq ft, 2BR, Studio. */
export const number = brief((cell, { decimalMark }) => {
  if (plainWord(cell) === 'studio' || plainWord(cell) === 'efficiency') return { value: 0 };
  const spaced = cell.replace(/\s+/g, ' ');
  const [, digits = ''] = /^([\d.,'’ ]*[\d.,'’]) ?(?:st|nd|rd|th|[a-z. ²]*)$/i.exec(spaced) ?? [];
  const found = readNumber(digits.replace(/\s/g, ''), decimalMark ?? markIn(digits));
  return found === null
    ? { reason: `${quote(cell)} is not a number.` }
    : { value: Number(`${found.whole}.${found.fraction || '0'}`) };
});

export const integer: Reader = (cell) =>
  /^-?\d{1,15}$/.test(cell) ? { value: Number(cell) } : { reason: `${quote(cell)} is not a whole number.` };

export const quote = (cell: string): string =>
  JSON.stringify(cell.length > 60 ? `${cell.slice(0, 60)}…` : cell);

export const dated = (field: Field): Field => ({ ...field, written: 'date' });
export const counted = (field: Field): Field => ({ ...field, written: 'amount' });
export const naming = (field: Field): Field => ({ ...field, written: 'names' });

/** Converts an area from square metres to square feet, as text. */
export const squareFeet = (metres: string | undefined): string | undefined => {
  const number = Number.parseFloat((metres ?? '').replace(/\s/g, '').replace(',', '.'));
  return Number.isFinite(number) && number > 0 ? String(Math.round(number * 10.7639)) : undefined;
};
