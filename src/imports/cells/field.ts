import type { DecimalMark } from './amounts.ts';
import type { DateOrder } from './dates.ts';

export type Values = Record<string, unknown>;

/** How the values of one column of a file are written. */
export interface Style {
  dateOrder: DateOrder | null;
  decimalMark: DecimalMark | null;
  /** Named in the header: `Rent (EUR)`. */
  currency: string | null;
}

/** What a cell says, or what is wrong with it. */
export type Reading = { value: unknown } | { reason: string };
export type Reader = (text: string, style: Style) => Reading;

/** What a column of a file can be. */
export interface Field {
  /** Its own header, as exports write it. */
  name: string;
  /** Other headers it is known by, the likelier first; letter case, blanks and punctuation do not matter. */
  also: string[];
  read: Reader;
  /** How the values of the column are written has to be found out. */
  written?: 'date' | 'amount';
  /** The field of the record's schema it fills; null where the kind makes something of it. */
  fills: string | null;
  /** What an empty cell means: an error, no change, or that the record's value is taken away. */
  empty: 'refused' | 'kept' | 'cleared';
}

/**
 * Characters of an amount, a number or a date: finding out what it says takes the longer the longer it is, and more
 * than that.
 */
export const longestWritten = 200;
/** As much as any field of a record takes. */
export const longestText = 10_000;

interface More {
  also?: string[];
  fills?: string | null;
  empty?: Field['empty'];
}

export const field = (
  name: string,
  read: Reader,
  { also = [], fills = name, empty = 'cleared' }: More = {},
): Field => ({
  name,
  also,
  read,
  fills,
  empty,
});

/** A column that names this or another record. */
export const reference = (name: string, read: Reader, also: string[]): Field =>
  field(name, read, { also, fills: null, empty: 'kept' });
