import type { z } from 'zod';
import type { Row } from '../csv/rows.ts';
import type { Db } from '../db/connect.ts';
import type { Table } from '../db/records/columns.ts';
import type { Writer, Writing } from '../events/writer.ts';
import type { IdPrefix } from '../ids.ts';
import type { Field, Values } from './cells/field.ts';
import type { NameOrder } from './cells/names.ts';
import type { References } from './references.ts';
import type { SeenKeys } from './seen-keys.ts';

/** The files of an import, in the order in which they are applied. Each may refer to earlier ones. */
export const kindNames = [
  // Properties, units, tenants and leases in one.
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

/** A row of a file on its way to become a record. */
export interface Draft {
  row: Row;
  line: number;
  /** The values of its cells, by their column's field. Undefined: there is no such column; null: the cell is empty. */
  cells: Values;
  /** The record's new values. Undefined: the row does not say; null: none. */
  values: Values;
  problems: Problem[];
  /** The number of decimals with which its amounts were read. */
  decimals?: number;
  /** Which name comes first where the file names people. */
  nameOrder?: NameOrder;
  /** Keys that name the record in files: the id of an export, the external_id. */
  keys: { id: string | null; external: string | null };
  /** The existing record that it is about, if any. */
  recordId: string | null;
  /** The number of earlier rows like it in the file, and the line of the first. */
  before: { count: number; line: number };
}

/** What all steps of an import of one file share. */
export interface Work extends Writing {
  tx: Db;
  /** The account's. */
  currency: string;
  references: References;
  seen: SeenKeys;
  /** Whether to find each row that the database refuses. Otherwise the first one throws Refused. */
  careful: boolean;
  /** After this many errors the file is read no further. */
  mostErrors: number;
  /** Whether records that exist stay as they are. */
  addsOnly?: boolean;
  /**
   * For a rent roll's rows of tenants: the tenant of that name who already has a lease of the unit; null if there is
   * none.
   */
  tenantsOfUnit?: Map<Row, string | null>;
}

/** What is known about a kind of file. */
export interface FileKind {
  name: KindName;
  noun: string;
  fields: Field[];
  /** The file must have a column of each group. */
  needs: string[][];
  /** Whether columns of amounts and dates without a known header are guessed. */
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
  /** Columns of amounts, each with the schema's field in minor units. */
  money: Record<string, string>;
  /** Values that count as the same in any letter case if the row has no key: what people call things. */
  spelt?: string[];
  /** The amounts that may be negative. */
  signed?: string[];
  /** Those of them that are used only for a new record. */
  onlyNew?: string[];
  /** Days of amounts, each with the schema's field of the amount: a day counts only if its amount does. */
  dayOf?: Record<string, string>;
  /** Whether the record has a currency of its own. Otherwise its amounts are in the account's. */
  hasCurrency: boolean;
  /** Whether the record keeps its external_id itself. */
  hasExternalId: boolean;
  /** Whether a row with an unknown key may still be matched with a record by its contents. */
  adopts: boolean;
  /** Whether two rows with the same contents are two records. */
  repeatable: boolean;
  /** Values that cannot change after creation, each with its column. */
  fixed: Record<string, { field: string; reason: string }>;
  /** Fields that hold ids of other records. */
  ids: Record<string, IdPrefix>;
  /** The field at which a refusal of the whole record is reported. */
  conflictField: string;
  /** The records that a row is about, if it may be about several. */
  several?(draft: Draft): Draft[];
  /** Finds the records that a row names, and makes values out of several columns. */
  resolve(work: Work, drafts: Draft[]): Promise<void>;
  /** The contents by which two rows without keys are the same. */
  nature(draft: Draft): string;
  /** Sets recordId if a record has the same contents. */
  findSame(work: Work, drafts: Draft[]): Promise<void>;
  /** Whether the row is about nothing relevant and is skipped. */
  isVoided?(draft: Draft): boolean;
  /** Whether the row is a new record, though an earlier one goes by its key. */
  isReplaced?(draft: Draft, before: Values): boolean;
  /** The reason why a change is not allowed. */
  refuse?(before: Values, next: Values): Problem | null;
}
