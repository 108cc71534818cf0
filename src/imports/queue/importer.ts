import { randomUUID } from 'node:crypto';
import { undoOverQuota } from '../../accounts/test-quota.ts';
import type { App } from '../../app.ts';
import { importBy } from '../../caller.ts';
import { memorySource } from '../../csv/source.ts';
import type { Db } from '../../db/connect.ts';
import { isUnavailable } from '../../db/database-errors.ts';
import { lookEveryMs } from '../../db/distributed/look-for-work.ts';
import { onBehalfOf } from '../../db/on-behalf-of.ts';
import { AppError } from '../../errors.ts';
import { formatId, inTimeAhead } from '../../ids.ts';
import { createChores } from '../../system/chores.ts';
import { untilAborted } from '../../system/until-aborted.ts';
import { presetOf } from '../files/presets.ts';
import { rejectedRows } from '../files/rejected-rows.ts';
import { importFiles, NotYet, noteImport, surveyFiles } from '../imports.ts';
import type { FileReport } from '../report.ts';
import type { Survey } from '../survey.ts';
import {
  type Claimed,
  claimImport,
  type Finished,
  finishImport,
  keepClaim,
  putBack,
  readContent,
} from './queue.store.ts';

/** How many imports of different accounts run at once. Each holds a database connection and its file in memory. */
const importsAtOnce = 2;
/** How often a worker reports that it is alive, and how far it has come. */
const tellEveryMs = 2_000;
/** A file is given up after ending its process this many times. */
const mostAttempts = 5;
/** How long to wait for an import of the same account at the command line or in the dashboard. */
const waitMs = 2_000;
const againAfterSeconds = 5;

/** Imports the files that were sent by API, beside other processes that do the same. */
export const createImporter = (app: App) =>
  createChores(
    app.log,
    Array.from({ length: importsAtOnce }, () => ({
      everyMs: () => lookEveryMs(app.db),
      failure: 'the search for imports failed',
      work: (signal: AbortSignal) => importNextFile(app, signal),
    })),
  );

/** Another process has taken over the import, so this one's work is rolled back. */
class TakenOver extends Error {}

/** Imports the file that has waited longest. Returns false if none waits. */
export async function importNextFile(app: App, signal: AbortSignal): Promise<boolean> {
  const claim = randomUUID();
  const claimed = await claimImport(app.db, claim);
  if (claimed === null) return false;
  const db = onBehalfOf(app.db, claimed.account_id);
  const lost = new AbortController();
  let rowsDone = 0;
  const telling = setInterval(() => {
    keepClaim(app.db, claimed, claim, rowsDone).then(
      (isOurs) => isOurs || lost.abort(new TakenOver()),
      // If the database is away for long, another worker takes over.
      () => undefined,
    );
  }, tellEveryMs);
  try {
    if (claimed.attempts > mostAttempts)
      await finishImport(db, claimed, claim, refusal('internal_error', tooOften));
    else
      await inTimeAhead(claimed.account_id, claimed.ahead_ms, () =>
        importClaimed(
          untilAborted(db, AbortSignal.any([signal, lost.signal])),
          claimed,
          claim,
          app.config.TEST_RECORDS_PER_ACCOUNT,
          new Date(app.now().getTime() + claimed.ahead_ms),
          (rows) => {
            rowsDone = rows;
          },
        ),
      );
    app.workers.wake();
  } catch (error) {
    await settleFailure(app, db, claimed, claim, signal.aborted, error);
  } finally {
    clearInterval(telling);
  }
  return true;
}

const tooOften = `The import was interrupted ${mostAttempts} times. Nothing of the file was written; send it as smaller files.`;

/** The caller's mistakes are reported; after any other failure, the next free worker tries again. */
async function settleFailure(
  { log }: App,
  db: Db,
  claimed: Claimed,
  claim: string,
  isStopping: boolean,
  error: unknown,
): Promise<void> {
  if (error instanceof TakenOver) return;
  if (isStopping) return putBack(db, claimed, claim, { afterSeconds: 0, counts: false });
  if (error instanceof NotYet)
    return putBack(db, claimed, claim, { afterSeconds: againAfterSeconds, counts: false });
  if (error instanceof AppError && error.status < 500 && typeof error.publicMessage === 'string') {
    await finishImport(db, claimed, claim, refusal(error.type, error.publicMessage));
    return;
  }
  const facts = { err: error, accountId: claimed.account_id, import: formatId('imp', claimed.id) };
  log[isUnavailable(error) ? 'warn' : 'error'](facts, 'an import was interrupted');
  await putBack(db, claimed, claim, { afterSeconds: againAfterSeconds, counts: true });
}

const refusal = (type: string, message: string): Finished => ({
  state: 'failed',
  rowsDone: 0,
  report: null,
  rejected: null,
  rejectedRows: 0,
  error: { type, message },
});

async function importClaimed(
  db: Db,
  claimed: Claimed,
  claim: string,
  mostInTest: number,
  now: Date,
  onRows: (rows: number) => void,
): Promise<void> {
  const { kind, options, account_id: accountId } = claimed;
  const source = memorySource(claimed.file, await readContent(db, claimed));
  const by = { type: claimed.actor_type, id: claimed.actor_id, name: claimed.actor_name };
  const finish = async (tx: Db, report: FileReport, survey: Survey) => {
    if (!(await finishImport(tx, claimed, claim, await outcomeOf(report, survey)))) throw new TakenOver();
  };
  const request = {
    accountId,
    actor: importBy(by),
    files: [{ kind, source, mapping: options.mapping }],
    dateOrder: options.date_format,
    dryRun: claimed.dry_run,
    skipErrors: claimed.skip_errors,
    events: options.events,
    now,
    waitMs,
    onProgress: ({ rows }: { rows: number }) => onRows(rows),
    // In the same transaction as the rows, so that an import is either over and written, or neither.
    onApplied: async (tx: Db, report: FileReport, survey: Survey) => {
      await undoOverQuota(tx, accountId, mostInTest);
      await noteImport(tx, { accountId, actor: by, address: claimed.ip_address }, [report]);
      await finish(tx, report, survey);
    },
  };
  const surveys = await surveyFiles(request);
  const { files } = await importFiles(db, request, surveys);
  const [report, survey] = [files[0], surveys[0]];
  if (report && survey && report.status !== 'applied') await finish(db, report, survey);
}

/** A file may have any number of columns, with any text. A person can use no more than these. */
const mostShown = 500;
const longestReason = 1_000;

async function outcomeOf(report: FileReport, survey: Survey): Promise<Finished> {
  const { status, errors, ignored_columns, notes, ...counts } = report;
  const rejected = await rejectedRows(survey);
  const lines = new Set([...survey.failed.keys(), ...survey.leftOut.keys()]);
  const clipped = (texts: string[]) => texts.slice(0, mostShown).map((text) => text.slice(0, longestReason));
  return {
    state: status === 'applied' || status === 'valid' ? status : 'failed',
    rowsDone: report.rows,
    report: {
      ...counts,
      preset: presetOf(survey.columns.map(({ header }) => header)),
      columns: survey.columns
        .slice(0, mostShown)
        .map(({ header, field }) => ({ header, field: field?.name ?? null })),
      ignored_columns: clipped(ignored_columns),
      notes: clipped(notes),
      errors: errors.map((error) => ({ ...error, reason: error.reason.slice(0, longestReason) })),
    },
    rejected,
    rejectedRows: rejected === null ? 0 : lines.size,
    error: null,
  };
}
