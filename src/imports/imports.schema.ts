import { z } from 'zod';
import { presetNames } from './files/presets.ts';
import { kindNames } from './kind.ts';

/** Enough for half a million payments. */
export const maxUploadBytes = 50 * 1024 * 1024;

const kind = z.enum(kindNames);

/** What is sent along with the files: the form's field `options`, as JSON. */
export const ImportOptions = z.object({
  mapping: z
    .partialRecord(kind, z.record(z.string(), z.string().nullable()))
    .default({})
    .meta({ description: 'For each kind of file: which field each header is; null leaves a column out.' }),
  date_format: z
    .enum(['mdy', 'dmy'])
    .nullable()
    .default(null)
    .meta({ description: 'Which comes first in 03/04/2026, if the file does not show it.' }),
  events: z.boolean().default(true).meta({ description: 'Whether webhooks get events.' }),
  skip_errors: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether rows with errors are left out and the others imported.' }),
});

/** The result of one file, or what it would be. */
export const FileResult = z.object({
  kind,
  file: z.string(),
  status: z.enum(['applied', 'valid', 'failed', 'held_back']),
  rows: z.int(),
  create: z.int(),
  update: z.int(),
  unchanged: z.int(),
  skipped: z.int().meta({ description: 'Lines of totals, and of voided charges and credits.' }),
  error_count: z.int(),
  errors: z
    .array(z.object({ line: z.int(), column: z.string().nullable(), reason: z.string() }))
    .meta({ description: 'The first of them.' }),
  ignored_columns: z.array(z.string()).meta({ description: 'Headers that were not recognised.' }),
  left_out: z.int().meta({ description: 'Rows with errors that `skip_errors` leaves out.' }),
  parts: z
    .array(z.object({ kind, create: z.int(), update: z.int(), unchanged: z.int() }))
    .meta({ description: 'For a rent roll: what its rows make, kind by kind.' }),
  notes: z
    .array(z.string())
    .meta({ description: 'Assumptions where the file leaves something open, in sentences.' }),
  rejected: z.string().nullable().meta({
    description:
      'The rows with errors as a CSV file to correct and import again, with what is wrong with each.',
  }),
  preset: z
    .enum(presetNames)
    .nullable()
    .meta({ description: 'The product whose export the file is, by its headers.' }),
  encoding: z.string(),
  delimiter: z.string(),
  header_line: z.int(),
  columns: z.array(
    z.object({
      header: z.string(),
      field: z.string().nullable().meta({ description: 'The field it is read as; null for none.' }),
      samples: z.array(z.string()),
    }),
  ),
  fields: z
    .array(z.object({ name: z.string(), required: z.boolean() }))
    .meta({ description: 'The fields that columns can be mapped to.' }),
  sample: z.array(z.object({ line: z.int(), cells: z.array(z.string()) })),
});

export const ImportResult = z.object({
  dry_run: z.boolean(),
  ok: z.boolean().meta({ description: 'Nothing is wrong with any of the files.' }),
  files: z.array(FileResult),
});

export type ImportResult = z.output<typeof ImportResult>;
export type ImportOptions = z.output<typeof ImportOptions>;
