import type { z } from 'zod';
import type { Table } from '../db/columns.ts';
import type { Db } from '../db/connect.ts';
import type { Writer, Writing } from '../events/writer.ts';
import type { IdPrefix } from '../ids.ts';
import type { Field, Values } from './cells/field.ts';
import type { References } from './references.ts';
import type { SeenKeys } from './seen-keys.ts';

/** The files of an import, in the order in which they are applied: each may refer to those before it. */
export const kindNames = ['properties', 'units', 'tenants', 'leases', 'payments'] as const;
export type KindName = (typeof kindNames)[number];

/** What is wrong with one row, and in which field. */
export interface Problem {
  field: string;
  reason: string;
}

/** A row on its way to being a record. */
export interface Draft {
  line: number;
  /** What each column says, by the column's field. Undefined: no such column; null: an empty cell. */
  cells: Values;
  /** What the record's fields shall be. Undefined: not said; null: none. */
  values: Values;
  problems: Problem[];
  /** Of the currency in which its amounts were read. */
  decimals?: number;
  /** Keys that name the record in files: the id of an export, the external_id. */
  keys: { id: string | null; external: string | null };
  /** The record it is about, if there is one already. */
  recordId: string | null;
  /** How many rows like it came before in the file; the line of the first. */
  before: { count: number; line: number };
}

/** What work on one file shares. */
export interface Work extends Writing {
  tx: Db;
  /** The account's. */
  currency: string;
  references: References;
  seen: SeenKeys;
  /** Whether each row that the database refuses is found out; without it the first such row throws Refused. */
  careful: boolean;
}

/** What an import knows about one noun. */
export interface Kind {
  name: KindName;
  noun: 'property' | 'unit' | 'tenant' | 'lease' | 'payment';
  prefix: IdPrefix;
  fields: Field[];
  /** Of each group one must be a column. */
  needs: string[][];
  create: z.ZodType;
  patch: z.ZodType;
  table: Table;
  writer: Writer<Values, Work>;
  /** Amounts: from the column to the schema's field in minor units. */
  money: Record<string, string>;
  /** Whether the record has a currency of its own; else amounts are in the account's. */
  hasCurrency: boolean;
  /** Whether the record keeps its external_id itself. */
  hasExternalId: boolean;
  /** Whether a record that is the same by nature is taken even when a key was given that is not known yet. */
  adopts: boolean;
  /** Whether two rows that are the same by nature are two records. */
  repeatable: boolean;
  /** Values that stay as they are once the record is there, with the column that says them. */
  fixed: Record<string, { field: string; reason: string }>;
  /** Fields that hold ids of other records. */
  ids: Record<string, IdPrefix>;
  /** The field that a refusal of the whole record is shown at. */
  conflictField: string;
  /** Makes values of what columns say together, and finds the records they name. */
  resolve(work: Work, drafts: Draft[]): Promise<void>;
  /** What makes two rows the same where there are no keys. */
  nature(draft: Draft): string;
  /** Sets recordId where a record is the same by nature. */
  findSame(work: Work, drafts: Draft[]): Promise<void>;
  /** A change that is not allowed. */
  refuse?(before: Values, next: Values): Problem | null;
}
