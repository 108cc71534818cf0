import { setTimeout as sleep } from 'node:timers/promises';
import { undoOverQuota } from '../accounts/test-quota.ts';
import { importBy } from '../caller.ts';
import { memorySource } from '../csv/source.ts';
import type { Db } from '../db/connect.ts';
import { badRequest, invalidField, overloaded } from '../errors.ts';
import { type Context, type FormPart, type Reply, route } from '../http/routes/route.ts';
import { singleOf } from '../shapes.ts';
import { parse } from '../validation.ts';
import { presetOf } from './files/presets.ts';
import { rejectedRows } from './files/rejected-rows.ts';
import { ImportOptions, ImportResult, maxUploadBytes } from './imports.schema.ts';
import { importFiles, NotYet, noteImport, surveyFiles } from './imports.ts';
import { kindNames } from './kind.ts';
import type { ImportReport } from './report.ts';
import type { Survey } from './survey.ts';

const tag = 'Imports';
/** A person is waiting, and should soon hear that another import is running. */
const waitMs = 5_000;
/**
 * How many imports run at once over all accounts, one in each. An import holds a database connection, and those are
 * few.
 */
const mostAtOnce = 3;
const askAgainMs = 50;
/** The accounts whose import this process is working on. */
const underWay = new Set<string>();

const shared = {
  method: 'POST',
  permission: 'write',
  tag,
  maxBodyBytes: maxUploadBytes,
  // A repeated import changes nothing anyway, and it must not run inside a transaction, because it ends its own.
  replayable: false,
  success: 200,
  response: singleOf(ImportResult),
} as const;

/** For the dashboard: a form with a file for each kind (properties, units, …) and `options`. */
export const importRoutes = [
  route({
    ...shared,
    path: '/imports/preview',
    summary: 'Preview the import of these files',
    handle: (context) => inTurn(context, () => runImport(context, true)),
  }),
  route({
    ...shared,
    path: '/imports/apply',
    summary: 'Import these files',
    handle: (context) => inTurn(context, () => runImport(context, false)),
  }),
];

type ImportContext = Context<undefined, undefined, undefined>;

/** An account that sends many files at once waits for its own imports and takes nobody else's turn. */
async function inTurn({ caller: { accountId } }: ImportContext, work: () => Promise<Reply>): Promise<Reply> {
  const deadline = performance.now() + waitMs;
  while (underWay.has(accountId) || underWay.size >= mostAtOnce) {
    if (performance.now() > deadline) throw underWay.has(accountId) ? new NotYet() : overloaded(5);
    await sleep(askAgainMs);
  }
  underWay.add(accountId);
  try {
    return await work();
  } finally {
    underWay.delete(accountId);
  }
}

async function runImport(context: ImportContext, dryRun: boolean): Promise<Reply> {
  const { app, db, caller, now } = context;
  const form = await context.readForm();
  const options = parse(ImportOptions, readOptions(form.get('options')));
  const files = kindNames.flatMap((kind) => {
    const { filename = null, content } = form.get(kind) ?? {};
    if (filename === null || content === undefined) return [];
    return [{ kind, source: memorySource(filename, content), mapping: options.mapping[kind] ?? {} }];
  });
  if (files.length === 0)
    throw badRequest('invalid_form', `The form must have at least one file: ${kindNames.join(', ')}.`);
  const request = {
    accountId: caller.accountId,
    actor: importBy(caller.actor),
    files,
    dateOrder: options.date_format,
    dryRun,
    events: options.events,
    skipErrors: options.skip_errors,
    now,
    waitMs,
    onApplied: (tx: Db) => undoOverQuota(tx, caller.accountId, app.config.TEST_RECORDS_PER_ACCOUNT),
  };
  const surveys = await surveyFiles(request);
  const report = await importFiles(db, request, surveys);
  if (!dryRun) await noteImport(db, caller, report.files);
  const rejected = await Promise.all(surveys.map(rejectedRows));
  return { body: JSON.stringify({ data: shown(report, surveys, rejected) }) };
}

/** More than any spreadsheet's headers need. Longer options are refused unread, because the form may have 50 MiB. */
const mostOptions = 65_536;

function readOptions(options: FormPart | undefined): unknown {
  if (options === undefined) return {};
  if (options.content.length > mostOptions)
    throw invalidField('options', `Must have at most ${mostOptions} bytes.`);
  try {
    return options.filename === null ? JSON.parse(options.content.toString('utf8')) : null;
  } catch {
    return null;
  }
}

function shown(
  { dry_run, ok, files }: ImportReport,
  surveys: Survey[],
  rejected: (string | null)[],
): ImportResult {
  return {
    dry_run,
    ok,
    files: files.flatMap((file, at) => {
      const survey = surveys[at];
      return survey ? [{ ...file, ...describe(survey), rejected: rejected[at] ?? null }] : [];
    }),
  };
}

const samplesShown = 3;
/** Enough to recognise a cell. A row may have a million characters, and all of them would be sent back. */
const charactersShown = 200;

/** What the page needs for mapping columns. */
function describe({ kind, format, headerLine, columns, sample }: Survey) {
  const shownRows = sample.map(({ line, cells }) => ({
    line,
    cells: cells.map((cell) => cell.slice(0, charactersShown)),
  }));
  return {
    preset: presetOf(columns.map(({ header }) => header)),
    encoding: format.encoding,
    delimiter: format.delimiter,
    header_line: headerLine,
    columns: columns.map(({ header, field }, at) => ({
      header,
      field: field?.name ?? null,
      samples: shownRows
        .map(({ cells }) => cells[at] ?? '')
        .filter((cell) => cell !== '')
        .slice(0, samplesShown),
    })),
    fields: kind.fields.map(({ name }) => ({
      name,
      required: kind.needs.some((group) => group.length === 1 && group.includes(name)),
    })),
    sample: shownRows,
  };
}
