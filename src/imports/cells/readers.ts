import { markIn, readAmount, readNumber } from './amounts.ts';
import { readDate, readMonth } from './dates.ts';
import { type Field, longestWritten, type Reader } from './field.ts';
import { countryCode, plainWord, readYesNo } from './words.ts';

/** How cells of each kind become values. The record's schema checks them afterwards. */

const brief =
  (read: Reader): Reader =>
  (given, style) =>
    given.length > longestWritten ? { reason: `${quote(given)} is too long.` } : read(given, style);

export const text: Reader = (given) => ({ value: given });

export const word =
  (find: (text: string) => string): Reader =>
  (given) => ({ value: find(given) });

export const country = word(countryCode);

export const yesNo: Reader = (given) => {
  const value = readYesNo(given);
  return value === null ? { reason: 'Must be yes or no.' } : { value };
};

/** Nothing agreed, however it is put. */
const noDate = new Set([
  'monthtomonth',
  'month2month',
  'mtm',
  'm2m',
  'mtom',
  'none',
  'na',
  'ongoing',
  'openended',
  'present',
  'current',
  'never',
]);

export const date = brief((given, { dateOrder }) => {
  if (noDate.has(plainWord(given))) return { value: null };
  const found = readDate(given, dateOrder);
  if (found.kind === 'date') return { value: found.date };
  const form = { mdy: ' (month first, as in this column)', dmy: ' (day first, as in this column)' };
  if (found.kind === 'wrong')
    return { reason: `${quote(given)} is not a date${dateOrder ? form[dateOrder] : ' such as 2026-11-15'}.` };
  return { reason: `${quote(given)} can be read month first or day first; say which with the date format.` };
});

export const month = brief((given, { dateOrder }) => {
  const value = readMonth(given, dateOrder);
  return value === null ? { reason: `${quote(given)} is not a month such as 2026-11.` } : { value };
});

/** An Amount; its minor units depend on the currency, which may stand in another column. */
export const money = brief((given, { decimalMark, currency }) => {
  const value = readAmount(given, decimalMark);
  if (value === null) return { reason: `${quote(given)} is not an amount such as 1250.00.` };
  return { value: { ...value, currency: value.currency ?? currency } };
});

/** A number in words people use for counts: 3, 1.5, 1,200 sq ft, 2BR, Studio. */
export const number = brief((given, { decimalMark }) => {
  if (plainWord(given) === 'studio' || plainWord(given) === 'efficiency') return { value: 0 };
  const spaced = given.replace(/\s+/g, ' ');
  const [, digits = ''] = /^([\d.,'’ ]*[\d.,'’]) ?(?:st|nd|rd|th|[a-z. ²]*)$/i.exec(spaced) ?? [];
  const found = readNumber(digits.replace(/\s/g, ''), decimalMark ?? markIn(digits));
  return found === null
    ? { reason: `${quote(given)} is not a number.` }
    : { value: Number(`${found.whole}.${found.fraction || '0'}`) };
});

export const integer: Reader = (given) =>
  /^-?\d{1,15}$/.test(given)
    ? { value: Number(given) }
    : { reason: `${quote(given)} is not a whole number.` };

export const quote = (given: string): string =>
  JSON.stringify(given.length > 60 ? `${given.slice(0, 60)}…` : given);

export const dated = (field: Field): Field => ({ ...field, written: 'date' });
export const counted = (field: Field): Field => ({ ...field, written: 'amount' });
