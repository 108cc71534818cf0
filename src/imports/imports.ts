import { setTimeout as wait } from 'node:timers/promises';
import type { Actor } from '../caller.ts';
import { todayIn } from '../clock.ts';
import { BrokenCsv, readRows } from '../csv/rows.ts';
import type { Source } from '../csv/source.ts';
import type { Db } from '../db/connect.ts';
import { AppError } from '../errors.ts';
import { countRoom, QueueFull } from '../events/queue-room.ts';
import { freshen } from '../ledger/freshen.ts';
import type { DateOrder } from './cells/dates.ts';
import type { Mapping } from './cells/headers.ts';
import { importFile, type OnProgress } from './import-file.ts';
import { findAccountDefaults, findLeaseCurrencies, lockImports } from './imports.store.ts';
import { type KindName, kindNames } from './kind.ts';
import { kinds } from './kinds/kinds.ts';
import { References } from './references.ts';
import type { FileReport, ImportReport } from './report.ts';
import { SeenKeys } from './seen-keys.ts';
import { type Survey, survey } from './survey.ts';
import { Refused } from './write.ts';

export interface ImportRequest {
  accountId: string;
  /** Who imports. */
  actor: Actor;
  files: { kind: KindName; source: Source; mapping: Mapping }[];
  dateOrder: DateOrder | null;
  /** Everything is written as usual, to check it, and then undone. */
  dryRun: boolean;
  /** Whether webhooks are told of each record that is created or changed. */
  events: boolean;
  now: Date;
  /** How long to wait for another import of the account. */
  waitMs: number;
  onProgress?: OnProgress;
}

/** Looks at all files, in the order in which they are imported. */
export function surveyFiles({
  files,
  dateOrder,
}: Pick<ImportRequest, 'files' | 'dateOrder'>): Promise<Survey[]> {
  const sorted = files.toSorted((a, b) => kindNames.indexOf(a.kind) - kindNames.indexOf(b.kind));
  return Promise.all(
    sorted.map(({ kind, source, mapping }) => survey(kinds[kind], source, { mapping, dateOrder })),
  );
}

/**
 * Imports each file in one transaction, all or nothing. If a file has errors, it and those after it, which may refer to
 * it, are only checked, so that all corrections are known at once.
 */
export async function importFiles(db: Db, request: ImportRequest, surveys: Survey[]): Promise<ImportReport> {
  if (request.events && !request.dryRun) await refuseTooManyDeliveries(db, request, surveys);
  const files: FileReport[] = [];
  while (files.length < surveys.length) {
    const left = surveys.slice(files.length);
    files.push(...(await importNext(db, request, left)));
  }
  return {
    dry_run: request.dryRun,
    ok: files.every(({ status }) => status !== 'failed' && status !== 'held_back'),
    files,
  };
}

/**
 * Refuses files whose events would fill the account's queue, before anything is written. If they would only if every row
 * were a change, a trial tells how many are. What follows from the rows, such as charges, is refused when it comes to that.
 */
async function refuseTooManyDeliveries(db: Db, request: ImportRequest, surveys: Survey[]): Promise<void> {
  const { accountId } = request;
  const hasRoom = async (counts: number[]) => {
    const events = surveys.map(({ kind }, at) => ({
      event: `${kind.noun}.created` as const,
      count: counts[at] ?? 0,
    }));
    return (await countRoom(db, { accountId, events })) >= 0;
  };
  if (await hasRoom(await Promise.all(surveys.map(countRows)))) return;
  const trial = await importNext(db, { ...request, dryRun: true }, surveys);
  if (!(await hasRoom(trial.map(({ create, update }) => create + update)))) throw new QueueFull();
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

/** Undoes a transaction, and carries the result out of it. */
class Undone extends Error {
  readonly files: FileReport[];
  constructor(files: FileReport[]) {
    super('The import was undone.');
    this.files = files;
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
      if (!(error instanceof NotYet) || performance.now() > deadline) throw error;
    }
    // Outside of the transaction, so that waiting does not hold a connection.
    await wait(askAgainMs);
  }
}

async function importUntilDone(
  tx: Db,
  request: ImportRequest,
  surveys: Survey[],
  careful: boolean,
): Promise<FileReport[]> {
  // One import of an account at a time: two would not see each other's rows, and would create everything twice.
  if (!(await lockImports(tx, request.accountId))) throw new NotYet();
  const files: FileReport[] = [];
  for (const one of surveys) {
    const failed = files.some(({ error_count }) => error_count > 0);
    const events = request.events && !request.dryRun && !failed;
    const report = await importOne(tx, { ...request, events }, one, careful);
    files.push(report);
    if (report.error_count > 0) report.status = 'failed';
    else if (failed) report.status = 'held_back';
    else if (!request.dryRun) {
      report.status = 'applied';
      return files;
    }
  }
  throw new Undone(files);
}

async function importOne(tx: Db, request: ImportRequest, one: Survey, careful: boolean): Promise<FileReport> {
  const { accountId, actor, now, events } = request;
  const { currency, timeZone } = await findAccountDefaults(tx, accountId);
  const today = todayIn(timeZone, now);
  const leases = one.kind.noun === 'payment' ? await findLeaseCurrencies(tx, accountId) : [];
  const references = new References(tx, accountId);
  const seen = new SeenKeys();
  const work = {
    tx,
    accountId,
    actor,
    currency,
    now,
    today,
    bounded: true,
    events,
    references,
    seen,
    careful,
  };
  // What others have changed is told as ever.
  await freshen(tx, { ...work, events: !request.dryRun });
  const report = await importFile(
    work,
    one,
    { account: currency, leases },
    request.onProgress ?? (() => undefined),
  );
  // What the leases owe now, and late fees that turn out wrong. In here, so that nobody is told if the importer said so.
  if (report.error_count === 0) await freshen(tx, work);
  return report;
}
