import { setTimeout as wait } from 'node:timers/promises';
import { audit, type Doer } from '../audit/audit.ts';
import type { Actor } from '../caller.ts';
import { todayIn } from '../clock.ts';
import { BrokenCsv, readRows } from '../csv/rows.ts';
import type { Source } from '../csv/source.ts';
import type { Db } from '../db/connect.ts';
import { AppError } from '../errors.ts';
import { countRoom, QueueFull } from '../events/queue-room.ts';
import { freshen } from '../ledger/freshen.ts';
import { analyzeGrown } from '../system/analyze-grown.ts';
import type { DateOrder } from './cells/dates.ts';
import type { Mapping } from './cells/headers.ts';
import { importFile, type OnProgress } from './import-file.ts';
import { findAccountDefaults, findLeaseCurrencies, lockImports } from './imports.store.ts';
import { type FileKind, type KindName, kindNames } from './kind.ts';
import { kinds } from './kinds/kinds.ts';
import { References } from './references.ts';
import { rentRoll } from './rent-roll/fields.ts';
import { importRentRoll } from './rent-roll/import-rent-roll.ts';
import { addErrors, type FileReport, type ImportReport, mostErrors, mostLeftOut } from './report.ts';
import { SeenKeys } from './seen-keys.ts';
import { type Survey, survey } from './survey.ts';
import { Refused } from './write.ts';

export interface ImportRequest {
  accountId: string;
  /** Who imports. */
  actor: Actor;
  files: { kind: KindName; source: Source; mapping: Mapping }[];
  dateOrder: DateOrder | null;
  /** Whether everything is written as usual, to check it, and then undone. */
  dryRun: boolean;
  /** Whether rows with errors are skipped and the others imported. */
  skipErrors?: boolean;
  /** Whether events are recorded for created and changed records. */
  events: boolean;
  now: Date;
  /** How long to wait for another import of the account. */
  waitMs: number;
  onProgress?: OnProgress;
  /** Runs in the transaction that writes a file, as its last step. */
  onApplied?: (tx: Db, report: FileReport, survey: Survey) => Promise<void>;
}

/** The columns that a file of each kind may have. */
export const fileKind = (name: KindName): FileKind => (name === 'rent_roll' ? rentRoll : kinds[name]);

/** Surveys all files, in the order in which they are imported. */
export function surveyFiles({
  files,
  dateOrder,
}: Pick<ImportRequest, 'files' | 'dateOrder'>): Promise<Survey[]> {
  const sorted = files.toSorted((a, b) => kindNames.indexOf(a.kind) - kindNames.indexOf(b.kind));
  return Promise.all(
    sorted.map(({ kind, source, mapping }) => survey(fileKind(kind), source, { mapping, dateOrder })),
  );
}

/**
 * Imports each file in one transaction, all or nothing. If a file has errors, it is only checked, and so are those
 * after it, which may refer to it. So all corrections are known at once.
 */
export async function importFiles(db: Db, request: ImportRequest, surveys: Survey[]): Promise<ImportReport> {
  if (request.events && !request.dryRun) await refuseTooManyDeliveries(db, request, surveys);
  const files: FileReport[] = [];
  while (files.length < surveys.length) {
    const left = surveys.slice(files.length);
    files.push(...(await importNext(db, request, left)));
  }
  if (!request.dryRun) await analyzeGrown(db);
  return {
    dry_run: request.dryRun,
    ok: files.every(({ status }) => status !== 'failed' && status !== 'held_back'),
    files,
  };
}

/** Notes what was written, file by file. */
export async function noteImport(db: Db, by: Doer, files: FileReport[]): Promise<void> {
  for (const { kind, status, create, update } of files)
    if (status === 'applied')
      await audit(db, by, 'import.applied', {
        subject: kind,
        changes: Object.entries({ create, update }).map(([field, to]) => ({ field, from: 0, to })),
      });
}

/**
 * Refuses files whose events would fill the account's queue, before anything is written. If they would fill it only if
 * every row were a change, a trial run counts the changes. What follows from the rows, such as charges, is refused when
 * it comes to that.
 */
async function refuseTooManyDeliveries(db: Db, request: ImportRequest, surveys: Survey[]): Promise<void> {
  const { accountId } = request;
  const hasRoom = async (counts: number[]) => {
    const events = surveys.flatMap(({ kind }, at) =>
      nounsIn(kind).map((noun) => ({ event: `${noun}.created` as const, count: counts[at] ?? 0 })),
    );
    return (await countRoom(db, { accountId, events })) >= 0;
  };
  if (await hasRoom(await Promise.all(surveys.map(countRows)))) return;
  const trial = await importNext(db, { ...request, dryRun: true }, surveys);
  if (!(await hasRoom(trial.map(({ create, update }) => create + update)))) throw new QueueFull();
}

/** A row of a rent roll may make one of each. */
const nounsIn = ({ name }: FileKind) =>
  name === 'rent_roll' ? (['property', 'unit', 'tenant', 'lease'] as const) : [kinds[name].noun];

/** Reports the skipped rows, with their errors. */
function tellLeftOut(file: FileReport, { leftOut }: Survey): void {
  if (leftOut.size === 0 || file.error_count > 0) return;
  file.left_out = leftOut.size;
  addErrors(file, [...leftOut.values()].flat());
}

async function countRows({ source, format }: Survey): Promise<number> {
  let count = 0;
  try {
    for await (const _row of readRows(source, format)) count += 1;
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
  }
  return count;
}

/** Rolls back a transaction, and carries the result out of it. */
class Undone extends Error {
  readonly files: FileReport[];
  constructor(files: FileReport[]) {
    super('The import was undone.');
    this.files = files;
  }
}

/** Rolls back a transaction, which then runs again without the rows that were found to be wrong. */
class Again extends Error {
  constructor() {
    super('The import runs again without the rows that are wrong.');
  }
}

/** Another import of the account is under way. */
export class NotYet extends AppError {
  constructor() {
    super(
      'import_in_progress',
      'Another import of this account is under way; try again when it has finished.',
    );
  }
}

const askAgainMs = 200;

/** Imports the next file, and checks all that follow it if this is a trial or it fails. */
async function importNext(
  db: Db,
  request: ImportRequest,
  surveys: Survey[],
  careful = false,
): Promise<FileReport[]> {
  const deadline = performance.now() + request.waitMs;
  for (;;) {
    try {
      return await db.transaction((tx) => importUntilDone(tx, request, surveys, careful));
    } catch (error) {
      if (error instanceof Undone) return error.files;
      if (error instanceof Refused) return importNext(db, request, surveys, true);
      if (error instanceof Again) return importNext(db, request, surveys);
      if (!(error instanceof NotYet) || performance.now() > deadline) throw error;
    }
    // This is outside the transaction, so that waiting does not hold a connection.
    await wait(askAgainMs);
  }
}

async function importUntilDone(
  tx: Db,
  request: ImportRequest,
  surveys: Survey[],
  careful: boolean,
): Promise<FileReport[]> {
  // Only one import of an account runs at a time: two would not see each other's rows, and would create everything
  // twice.
  if (!(await lockImports(tx, request.accountId))) throw new NotYet();
  const files: FileReport[] = [];
  for (const one of surveys) {
    const failed = files.some(({ status }) => status === 'failed');
    const events = request.events && !request.dryRun && !failed;
    const report = await importOne(tx, { ...request, events }, one, careful);
    if (request.skipErrors && leaveOut(one, report)) throw new Again();
    files.push(report);
    if (report.error_count > 0) report.status = 'failed';
    else if (failed) report.status = 'held_back';
    else if (!request.dryRun) report.status = 'applied';
    tellLeftOut(report, one);
    if (report.status !== 'applied') continue;
    await request.onApplied?.(tx, report, one);
    return files;
  }
  throw new Undone(files);
}

/** Whether the wrong rows can be skipped. Errors of the whole file cannot. */
function leaveOut({ failed, leftOut, errors }: Survey, { error_count }: FileReport): boolean {
  if (error_count === 0 || errors.length > 0 || failed.size === 0) return false;
  if (failed.size + leftOut.size > mostLeftOut) return false;
  for (const [line, reasons] of failed) leftOut.set(line, reasons);
  return true;
}

async function importOne(tx: Db, request: ImportRequest, one: Survey, careful: boolean): Promise<FileReport> {
  const { accountId, actor, now, events } = request;
  const { currency, timeZone } = await findAccountDefaults(tx, accountId);
  const today = todayIn(timeZone, now);
  one.failed.clear();
  const leases = one.kind.noun === 'payment' ? await findLeaseCurrencies(tx, accountId) : [];
  const references = new References(tx, accountId);
  const seen = new SeenKeys();
  const work = {
    tx,
    accountId,
    actor,
    currency,
    timeZone,
    now,
    today,
    bounded: true,
    events,
    references,
    seen,
    careful,
    mostErrors: request.skipErrors ? mostLeftOut + 1 : mostErrors,
  };
  // Changes by others have their events as usual.
  await freshen(tx, { ...work, events: !request.dryRun });
  const currencies = { account: currency, leases };
  const onProgress = request.onProgress ?? (() => undefined);
  const { name } = one.kind;
  const report =
    name === 'rent_roll'
      ? await importRentRoll(work, one, currencies, onProgress)
      : await importFile(work, { ...one, kind: kinds[name] }, currencies, onProgress);
  // Recalculates what the leases owe, and corrects late fees. It is done here so that there are no events if whoever
  // imports declined them.
  if (report.error_count === 0) await freshen(tx, work);
  return report;
}
