import type { z } from 'zod';
import type { Row } from '../csv/rows.ts';
import type { Db } from '../db/connect.ts';
import type { Table } from '../db/records/columns.ts';
import type { ErrorType } from '../errors.ts';
import type { Writer, Writing } from '../events/writer.ts';
import type { IdPrefix } from '../ids.ts';
import type { Field, Values } from './cells/field.ts';
import type { NameOrder } from './cells/names.ts';
import type { References } from './references.ts';
import type { SeenKeys } from './seen-keys.ts';

/** The files of an import, in the order in which they are applied. Each may refer to earlier ones. */
export const kindNames = [
  // Properties, units, tenants and leases in one file.
  'rent_roll',
  'properties',
  'units',
  'tenants',
  'leases',
  'charges',
  'payments',
  // After payments, which pay the deposit that a credit may apply.
  'credits',
  'maintenance',
] as const;
export type KindName = (typeof kindNames)[number];
/** The kinds of files in which each row is one record. */
export type RecordKind = Exclude<KindName, 'rent_roll'>;
export const recordKinds = kindNames.filter((name) => name !== 'rent_roll');

/** What is wrong with one row, and in which field. */
export interface Problem {
  field: string;
  reason: string;
}

/** A row of a file on its way to becoming a record. */
export interface Draft {
  row: Row;
  line: number;
  /**
   * The values of its cells, by the fields of their columns. Undefined if there is no such column; null if the cell is
   * empty.
   */
  cells: Values;
  /** The record's new values. Undefined if the row does not say; null for none. */
  values: Values;
  problems: Problem[];
  /** The number of decimals with which its amounts were read. */
  decimals?: number;
  /** Which name comes first in names of people in the file. */
  nameOrder?: NameOrder;
  /** Keys by which files refer to the record: the id of an export, and the external_id. */
  keys: { id: string | null; external: string | null };
  /** The existing record that the row is about, if any. */
  recordId: string | null;
  /** How many earlier rows of the file have the same contents, and the line of the first. */
  before: { count: number; line: number };
}

/** What all steps of an import of one file share. */
export interface Work extends Writing {
  tx: Db;
  /** The account's currency and time zone. */
  currency: string;
  timeZone: string;
  references: References;
  seen: SeenKeys;
  /** Whether to find each row that the database refuses. Otherwise the first one throws Refused. */
  careful: boolean;
  /** The file is not read beyond this number of errors. */
  mostErrors: number;
  /** Ids of new records whose rows come from an export of Tenure. */
  exported?: ReadonlySet<string>;
  /** Whether existing records stay as they are. */
  addsOnly?: boolean;
  /**
   * For the tenants in a rent roll: the tenant with the row's name who already has a lease of the unit; null if there
   * is none.
   */
  tenantsOfUnit?: Map<Row, string | null>;
}

/** What is known about a kind of file. */
export interface FileKind {
  name: KindName;
  noun: string;
  fields: Field[];
  /** The file must have at least one column of each group. */
  needs: string[][];
  /** Whether to guess which columns hold amounts and dates if their headers are unknown. */
  guesses?: boolean;
}

/** What an import knows about one noun. */
export interface Kind extends FileKind {
  name: RecordKind;
  noun: 'property' | 'unit' | 'tenant' | 'lease' | 'charge' | 'credit' | 'payment' | 'maintenance_request';
  prefix: IdPrefix;
  create: z.ZodType;
  patch: z.ZodType;
  table: Table;
  writer: Writer<Values, Work>;
  /** The columns of amounts, each with the schema's field in minor units. */
  money: Record<string, string>;
  /** What people call things: values that count as the same in any letter case, if the row has no key. */
  spelt?: string[];
  /** The amounts that may be negative. */
  signed?: string[];
  /** The amounts that are used for new records only. */
  onlyNew?: string[];
  /** Days of amounts, each with the schema's field of its amount. A day counts only if its amount does. */
  dayOf?: Record<string, string>;
  /** Whether the record has its own currency. Otherwise its amounts are in the account's. */
  hasCurrency: boolean;
  /** Whether the record keeps its external_id itself. */
  hasExternalId: boolean;
  /** Whether a row with an unknown key may still be matched with a record by its contents. */
  adopts: boolean;
  /** Whether two rows with the same contents are two records. */
  repeatable: boolean;
  /** Values that cannot change once the record exists, each with its column. */
  fixed: Record<string, { field: string; reason: string }>;
  /** Fields that hold ids of other records. */
  ids: Record<string, IdPrefix>;
  /** The field at which an error about the whole record is reported. */
  conflictField: string;
  /** Of a kind of error about a change: the fields of which one was changed, and is reported instead. */
  conflictFields?: Partial<Record<ErrorType, string[]>>;
  /** Splits a row that may be about several records. */
  several?(draft: Draft): Draft[];
  /** Finds the records that a row refers to, and computes values from several columns. */
  resolve(work: Work, drafts: Draft[]): Promise<void>;
  /** The contents by which two rows without keys count as the same. */
  nature(draft: Draft): string;
  /** Sets recordId if there is a record with the same contents. */
  findSame(work: Work, drafts: Draft[]): Promise<void>;
  /** Whether the row never counted and is skipped. */
  isVoided?(draft: Draft): boolean;
  /**
   * Does what follows from the skipped rows of a batch before its other rows are written. The result is to be called
   * afterwards.
   */
  followVoided?(work: Work, voided: Draft[], others: Draft[]): Promise<() => Promise<void>>;
  /** Whether the row is a new record although an earlier one has its key. */
  isReplaced?(draft: Draft, before: Values): boolean;
  /** The change, with what follows from it. */
  completed?(work: Work, patch: Values, before: Values): Values;
  /** The reason why a change is not allowed. */
  refuse?(before: Values, next: Values): Problem | null;
}
