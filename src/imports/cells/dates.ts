/** Which of the first two numbers in 03/04/2026 is the month. */
export type DateOrder = 'mdy' | 'dmy';

type ReadDate =
  | { kind: 'date'; date: string }
  /** The date can be read in two ways. */
  | { kind: 'ambiguous' }
  | { kind: 'wrong' };

interface Numeric {
  first: number;
  second: number;
  year: number;
  separator: string;
}

const wrong: ReadDate = { kind: 'wrong' };

/** Reads dates as spreadsheets and other systems write them. A time after the date is ignored. */
export function readDate(text: string, order: DateOrder | null): ReadDate {
  const day = text.replace(/[T\s]+\d{1,2}:\d{2}.*$/, '').trim();
  const [, year, month, date] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(day) ?? [];
  if (year !== undefined) return calendarDate(Number(year), Number(month), Number(date));
  const numeric = readNumeric(day);
  if (numeric) return readNumericDate(numeric, order);
  return readWordedDate(day);
}

/**
 * A spreadsheet keeps a day as a number, and writes the number if the cell has lost its format: 45658 is 2025-01-01.
 * This is only for columns that are known to hold dates, and from 1980 to 2079, because other numbers have five digits
 * too.
 */
export function readSerial(text: string): string | null {
  const [, digits] = /^(\d{5})(?:\.\d+)?$/.exec(text) ?? [];
  const number = Number(digits);
  if (!(number >= 29_221 && number <= 65_745)) return null;
  return new Date(Date.UTC(1899, 11, 30 + number)).toISOString().slice(0, 10);
}

/** What a date shows about the order of its column; null if it shows nothing. */
export function orderIn(text: string): DateOrder | null {
  const numeric = readNumeric(text.replace(/[T\s]+\d{1,2}:\d{2}.*$/, '').trim());
  if (!numeric) return null;
  if (numeric.first > 12 && numeric.second <= 12) return 'dmy';
  return numeric.second > 12 && numeric.first <= 12 ? 'mdy' : null;
}

function readNumeric(text: string): Numeric | null {
  const [, first, separator = '', second, year] =
    /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text) ?? [];
  if (first === undefined) return null;
  return { first: Number(first), second: Number(second), year: fullYear(year ?? ''), separator };
}

function readNumericDate({ first, second, year, separator }: Numeric, order: DateOrder | null): ReadDate {
  // In dates with dots, the day always comes first.
  const known = order ?? (separator === '.' || first === second ? 'dmy' : null);
  if (known !== null)
    return known === 'mdy' ? calendarDate(year, first, second) : calendarDate(year, second, first);
  const asMonthFirst = calendarDate(year, first, second);
  const asDayFirst = calendarDate(year, second, first);
  if (asMonthFirst.kind === 'date' && asDayFirst.kind === 'date') return { kind: 'ambiguous' };
  return asMonthFirst.kind === 'date' ? asMonthFirst : asDayFirst;
}

/**
 * In English, German, French and Spanish, without accents. Three letters are enough for most; these are written in
 * full.
 */
const months = [
  'january jan januar janvier janv enero ene',
  'february feb februar fevrier fevr febrero',
  'march mar marz maerz mrz mars marzo',
  'april apr avril avr abril abr',
  'may mai mayo',
  'june jun juni juin junio',
  'july jul juli juillet juil julio',
  'august aug aout agosto ago',
  'september sep sept septembre septiembre setiembre',
  'october oct oktober okt octobre octubre',
  'november nov novembre noviembre',
  'december dec dezember dez decembre diciembre dic',
];
const monthNumbers = new Map(
  months.flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)),
);

function monthNumber(name: string): number | null {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  return monthNumbers.get(plain) ?? null;
}

/** Nov 15, 2026 · 15 November 2026 · 15-Nov-26 */
function readWordedDate(text: string): ReadDate {
  const words = text
    .replace(/^[a-z]+day,?\s+/i, '')
    .split(/[\s,-]+/)
    // 15 de marzo de 2026
    .filter((word) => word !== '' && word !== 'de');
  const [a = '', b = '', year = ''] = words;
  if (words.length !== 3 || !/^(\d{4}|\d{2})$/.test(year)) return wrong;
  const dayOf = (word: string) => Number(/^(\d{1,2})(st|nd|rd|th|er)?\.?$/i.exec(word)?.[1] ?? Number.NaN);
  const [month, day] = monthNumber(a) === null ? [monthNumber(b), dayOf(a)] : [monthNumber(a), dayOf(b)];
  return month === null ? wrong : calendarDate(fullYear(year), month, day);
}

/** Turns 26 into 2026 and 98 into 1998: a year more than thirty years ahead is taken to be in the past. */
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  const century = Math.floor(new Date().getUTCFullYear() / 100) * 100;
  return century + year > new Date().getUTCFullYear() + 30 ? century + year - 100 : century + year;
}

function calendarDate(year: number, month: number, day: number): ReadDate {
  const time = new Date(Date.UTC(year, month - 1, day));
  const real =
    time.getUTCFullYear() === year && time.getUTCMonth() === month - 1 && time.getUTCDate() === day;
  return real ? { kind: 'date', date: time.toISOString().slice(0, 10) } : wrong;
}

/** A month: 2026-11 · 11/2026 · Nov 2026 · November-26 · or a date in it. */
export function readMonth(text: string, order: DateOrder | null): string | null {
  const [, year, number] = /^(\d{4})[-/.](\d{1,2})$/.exec(text) ?? [];
  if (year !== undefined) return monthOf(Number(year), Number(number));
  const [, before, after] = /^(\d{1,2})[-/.](\d{4})$/.exec(text) ?? [];
  if (after !== undefined) return monthOf(Number(after), Number(before));
  const [, name = '', of = ''] = /^([\p{L}.]+)[\s,-]*'?(\d{4}|\d{2})$/iu.exec(text) ?? [];
  const named = monthNumber(name);
  if (named !== null) return monthOf(fullYear(of), named);
  const day = readDate(text, order);
  return day.kind === 'date' ? day.date.slice(0, 7) : null;
}

const monthOf = (year: number, month: number): string | null =>
  month >= 1 && month <= 12 ? `${year}-${String(month).padStart(2, '0')}` : null;
