import type { KindName, RecordKind } from './kind.ts';

export interface RowError {
  /** The line in the file, counted from 1. */
  line: number;
  /** The column's header as the file has it; null if the whole row is wrong. */
  column: string | null;
  reason: string;
}

/** The result for a file. */
type FileStatus =
  /** All of it was imported. */
  | 'applied'
  /** All of it could be imported, but this was a trial. */
  | 'valid'
  /** It has errors, and none of it was imported. */
  | 'failed'
  /** It was only checked, because an earlier file failed. */
  | 'held_back';

/** How many records of one kind a file makes. */
interface PartReport {
  kind: RecordKind;
  create: number;
  update: number;
  unchanged: number;
}

export interface FileReport {
  kind: KindName;
  file: string;
  status: FileStatus;
  rows: number;
  create: number;
  update: number;
  unchanged: number;
  /** Rows with totals, which are not records, and voided charges and credits, which never counted. */
  skipped: number;
  error_count: number;
  /** The first errors. */
  errors: RowError[];
  /** Headers that were not recognised. */
  ignored_columns: string[];
  /** The rows with errors, if they were skipped and the others imported. */
  left_out: number;
  /** For a rent roll: what its rows make, kind by kind. */
  parts: PartReport[];
  /** What was assumed about things that the file leaves open. */
  notes: string[];
}

export interface ImportReport {
  dry_run: boolean;
  ok: boolean;
  files: FileReport[];
}

/** As many errors as a person can use. The rest are only counted. */
const mostErrorsKept = 200;
/** With more errors than this, the file is clearly of another kind, and is read no further. */
export const mostErrors = 1000;
/** How many rows may be skipped. Their list is kept in memory, and somebody has to correct them. */
export const mostLeftOut = 5000;

export const newReport = (kind: KindName, file: string): FileReport => ({
  kind,
  file,
  status: 'valid',
  rows: 0,
  create: 0,
  update: 0,
  unchanged: 0,
  skipped: 0,
  error_count: 0,
  errors: [],
  ignored_columns: [],
  left_out: 0,
  parts: [],
  notes: [],
});

/** Headers of files with rows to correct (rejected-rows.ts). These columns are not imported. */
export const rejectedHeaders = ['Line', 'What is wrong'] as const;

export const ignoredColumns = (columns: { header: string; field: unknown }[]): string[] =>
  columns
    .filter(({ field, header }) => field === null && header !== '')
    .map(({ header }) => header)
    .filter((header) => !rejectedHeaders.some((own) => own === header));

interface Guessed {
  columns: { header: string; field: { name: string } | null; isGuessed?: boolean }[];
  sheet: string | null;
  dateHabit: { note: string } | null;
}

/**
 * Guesses for somebody to check: which sheet of a workbook was chosen, and columns that were recognised by their
 * contents.
 */
export const guessNotes = ({ columns, sheet, dateHabit }: Guessed): string[] => [
  ...(sheet === null ? [] : [`Only the sheet ${JSON.stringify(sheet)} of the workbook is read.`]),
  ...(dateHabit === null ? [] : [dateHabit.note]),
  ...columns.flatMap(({ header, field, isGuessed }, at) =>
    isGuessed && field
      ? [
          `Column ${header === '' ? at + 1 : JSON.stringify(header)} is taken for ${field.name}, by its contents.`,
        ]
      : [],
  ),
];

export function addErrors(report: FileReport, errors: RowError[]): void {
  report.error_count += errors.length;
  for (const error of errors) if (report.errors.length < mostErrorsKept) report.errors.push(error);
}
