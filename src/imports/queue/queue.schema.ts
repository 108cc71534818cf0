import { z } from 'zod';
import { Actor } from '../../events/events.schema.ts';
import { choice, isStorable, notStorable, publicId, timestamp } from '../../fields.ts';
import { pageQuery } from '../../paging.ts';
import { presetNames } from '../files/presets.ts';
import { FileResult, ImportOptions } from '../imports.schema.ts';
import { kindNames } from '../kind.ts';

export const importStates = ['queued', 'running', 'applied', 'valid', 'failed'] as const;

/** Longer than any spreadsheet needs. */
const mostMapped = 500;
const text = (most: number) =>
  z
    .string('Must be text.')
    .max(most, `Must have at most ${most} characters.`)
    .refine(isStorable, notStorable);
const { date_format, events, skip_errors } = ImportOptions.shape;

export const ImportCreate = z
  .object({
    kind: choice(kindNames).meta({
      description: 'What the rows are. `rent_roll`: properties, units, tenants and leases in one sheet.',
      examples: ['tenants'],
    }),
    file: z
      .string('Must be the text of a CSV file, or a file in a form.')
      .min(1, 'Must not be empty.')
      .meta({
        description: 'The text of a CSV file; in a form, the file itself.',
        examples: ['First name,Last name,Email\nAda,Lee,ada.lee@example.com\n'],
      }),
    file_name: text(200)
      .nullable()
      .optional()
      .meta({
        description: 'What the file is called. A form has it with the file.',
        examples: ['tenants.csv'],
      }),
    dry_run: z
      .boolean('Must be true or false.')
      .default(false)
      .meta({ description: 'Checks everything and writes nothing.', examples: [true] }),
    skip_errors,
    date_format,
    events,
    mapping: z
      .record(text(200), text(200).nullable())
      .refine(
        (mapping) => Object.keys(mapping).length <= mostMapped,
        `Must have at most ${mostMapped} headers.`,
      )
      .default({})
      .meta({
        description: 'Which field each header is; null leaves a column out.',
        examples: [{ Remarks: null }],
      }),
  })
  .meta({ id: 'ImportCreate' });

const counts = FileResult.shape;

const shown = {
  id: publicId('imp'),
  kind: z.enum(kindNames),
  file: z.string().meta({ description: 'What the file is called.', examples: ['tenants.csv'] }),
  size_bytes: z.int(),
  dry_run: z.boolean(),
  skip_errors: z.boolean(),
  state: z.enum(importStates).meta({
    description:
      'First `queued`, then `running`, and at the end `applied`; `valid` after a trial; or `failed`, and then nothing of the file was written.',
  }),
  rows_done: z.int().meta({ description: 'Rows worked on so far.' }),
  rows: counts.rows.meta({ description: 'Rows of the file, when it is over.' }),
  create: counts.create,
  update: counts.update,
  unchanged: counts.unchanged,
  skipped: counts.skipped,
  left_out: counts.left_out,
  error_count: counts.error_count,
  rejected: z
    .int()
    .meta({ description: 'Rows with errors, which `GET /imports/{id}/rejected` has as a file to correct.' }),
  error: z
    .object({ type: z.string(), message: z.string() })
    .nullable()
    .meta({ description: 'Why it failed, if the file is not to blame.' }),
  actor: Actor,
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
};

export const Import = z.object(shown).meta({ id: 'Import' });

export const ImportWithReport = z
  .object({
    ...shown,
    preset: z.enum(presetNames).nullable().meta({ description: counts.preset.meta()?.description }),
    columns: z.array(
      z.object({
        header: z.string(),
        field: z.string().nullable().meta({ description: 'The field it is read as; null for none.' }),
      }),
    ),
    ignored_columns: counts.ignored_columns,
    parts: counts.parts,
    notes: counts.notes,
    errors: counts.errors,
  })
  .meta({ id: 'ImportWithReport' });

export const RejectedRows = z
  .object({
    rows: z.int(),
    csv: z.string().meta({
      description:
        'The rows with errors, with what is wrong with each: correct them, and import the file again. Empty if there are none.',
    }),
  })
  .meta({ id: 'RejectedRows' });

export const ImportList = z.object(pageQuery);

export type ImportCreate = z.output<typeof ImportCreate>;
