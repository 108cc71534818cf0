import type { DecimalMark } from './amounts.ts';
import type { DateOrder } from './dates.ts';
import { foreign } from './foreign.ts';
import type { NameOrder } from './names.ts';

export type Values = Record<string, unknown>;

/** How the values of one column of a file are written. */
export interface Style {
  dateOrder: DateOrder | null;
  decimalMark: DecimalMark | null;
  nameOrder: NameOrder;
  /** The currency named in the header: `Rent (EUR)`. */
  currency: string | null;
}

/** The value of a cell, or what is wrong with it. */
type Reading = { value: unknown } | { reason: string };
export type Reader = (text: string, style: Style) => Reading;

/** What a column of a file can be. */
export interface Field {
  /** The field's own header, as exports write it. */
  name: string;
  /** Other headers for it, likelier ones first. Case, blanks and punctuation do not matter. */
  also: string[];
  read: Reader;
  /** What has to be found out about how the column's values are written. */
  written?: 'date' | 'amount' | 'names';
  /** The field of the record's schema that it fills; null if the kind computes a value from it. */
  fills: string | null;
  /** Whether a cell shows that the column is something else, even though its header is this field's. */
  rulesOut?: (cell: string) => boolean;
  /** What an empty cell means: an error, no change, or that the record's value is removed. */
  empty: 'refused' | 'kept' | 'cleared';
}

/** The length of the longest amount, number or date. The time to read one grows faster than its length. */
export const longestWritten = 200;
/** As long as the longest field of any record. */
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
  also: [...also, ...(foreign[name] ?? [])],
  read,
  fills,
  empty,
});

/** A column that names this or another record. */
export const reference = (name: string, read: Reader, also: string[]): Field =>
  field(name, read, { also, fills: null, empty: 'kept' });
