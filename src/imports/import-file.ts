import { BrokenCsv, type Row, readRows } from '../csv/rows.ts';
import { analyzeGrownMeanwhile } from '../system/analyze-grown.ts';
import { mapInSlices } from '../system/time-slices.ts';
import { type Currencies, convertAmounts, readDraft, toRowError } from './draft.ts';
import { identify, sortKeys } from './identify.ts';
import { searching } from './imports.store.ts';
import type { Draft, Kind, Work } from './kind.ts';
import { leaveOutRepeats, leaveOutTwins } from './repeats.ts';
import { addErrors, type FileReport, guessNotes, ignoredColumns, newReport } from './report.ts';
import type { Survey } from './survey.ts';
import { writeBatch } from './write.ts';

/** Large enough to make the fixed cost of a statement negligible, and small enough that others do not notice it. */
const batchRows = 500;

export type OnProgress = (progress: { survey: Survey; rows: number; bytes: number }) => void;

/** Imports the rows of a file batch by batch, and reports what is wrong with which row. */
export async function importFile(
  work: Work,
  survey: Survey<Kind>,
  currencies: Currencies,
  onProgress: OnProgress,
): Promise<FileReport> {
  const report = newReport(survey.kind.name, survey.source.name);
  report.ignored_columns = ignoredColumns(survey.columns);
  report.notes = guessNotes(survey);
  addErrors(report, survey.errors);
  if (survey.errors.length > 0) return report;
  let bytes = 0;
  const rows = readRows(survey.source, survey.format, (count) => {
    bytes += count;
  });
  await importRows(work, survey, currencies, recordsIn(survey, rows, report), report, {
    onBatch: () => onProgress({ survey, rows: report.rows, bytes }),
  });
  return report;
}

/** The rows below the header, without totals and skipped rows. */
async function* recordsIn(survey: Survey<Kind>, rows: AsyncIterable<Row>, report: FileReport) {
  for await (const row of rows) {
    if (row.line <= survey.headerLine || survey.leftOut.has(row.line)) continue;
    if (isTotal(survey, row)) report.skipped += 1;
    else yield row;
  }
}

interface RowHandlers {
  onBatch?: () => void;
  /** The record that a row turned out to be about. */
  onRecord?: (row: Row, recordId: string) => void;
}

/** Imports rows whose columns the survey describes. */
export async function importRows(
  work: Work,
  survey: Survey<Kind>,
  currencies: Currencies,
  rows: AsyncIterable<Row> | Iterable<Row>,
  report: FileReport,
  { onBatch, onRecord }: RowHandlers,
): Promise<void> {
  let batch: Row[] = [];
  // While one batch is being written, the next is read.
  let writing = Promise.resolve();
  const write = async (some: Row[]) => {
    const drafts = await importBatch(work, survey, currencies, some, report);
    for (const { row, recordId } of drafts) if (recordId !== null) onRecord?.(row, recordId);
    // A file with errors will be undone, so it needs checks but no events.
    if (report.error_count > 0) work.events = false;
    report.rows += some.length;
    await analyzeGrownMeanwhile(work.tx);
    onBatch?.();
  };
  const flush = async () => {
    await writing;
    writing = write(batch);
    // It is awaited before the next batch. Until then, a failure must not count as unhandled.
    writing.catch(() => undefined);
    batch = [];
  };
  try {
    for await (const row of rows) {
      batch.push(row);
      if (batch.length === batchRows) await flush();
      if (report.error_count >= work.mostErrors) {
        batch = [];
        break;
      }
    }
    await flush();
    await writing;
  } catch (error) {
    // Nothing may use the transaction after its end. If the write failed, that is the error to report.
    await writing;
    if (!(error instanceof BrokenCsv)) throw error;
    addErrors(report, [{ line: error.line, column: null, reason: error.message }]);
  }
}

/** Whether a row is a total: `Total, , , 12500.00`, or `Total Maple Court` in a row without the required cells. */
function isTotal({ kind, columns }: Survey<Kind>, { cells }: Row): boolean {
  const first = cells.find((cell) => cell.trim() !== '')?.trim() ?? '';
  if (/^(grand\s*|sub-?)?totals?:?$/i.test(first)) return true;
  if (!/^(grand\s+|sub\s*-?)?totals?\b/i.test(first)) return false;
  const has = (name: string) =>
    columns.some(
      ({ field }, at) =>
        field?.name === name && (cells[at]?.trim() ?? '') !== '' && cells[at]?.trim() !== first,
    );
  return kind.needs.some((group) => !group.some(has));
}

async function importBatch(
  work: Work,
  survey: Survey<Kind>,
  currencies: Currencies,
  rows: Row[],
  report: FileReport,
): Promise<Draft[]> {
  const { kind } = survey;
  const read = await mapInSlices(rows, (row) => {
    const draft = readDraft(survey, row);
    sortKeys(kind, draft);
    refuseExtraCells(survey, row, draft);
    return kind.several && draft.problems.length === 0 ? kind.several(draft) : [draft];
  });
  const { voided = [], counting: drafts = [] } = Object.groupBy(read.flat(), (draft) =>
    kind.isVoided?.(draft) ? 'voided' : 'counting',
  );
  report.skipped += voided.length;
  const then = voided.length > 0 ? await kind.followVoided?.(work, voided, drafts) : undefined;
  const good = () => drafts.filter(({ problems }) => problems.length === 0);
  const found = await searching(work.tx, async () => {
    await kind.resolve(work, good());
    await mapInSlices(good(), (draft) => convertAmounts(kind, draft, currencies));
    const distinct = leaveOutRepeats(work, kind, good(), report);
    await identify(work, kind, distinct);
    return leaveOutTwins(work, kind, distinct, report);
  });
  await writeBatch(
    work,
    kind,
    found.filter(({ problems }) => problems.length === 0),
    report,
  );
  await then?.();
  for (const draft of drafts) {
    if (draft.problems.length === 0) continue;
    const errors = draft.problems.map((problem) => toRowError(survey, draft, problem));
    addErrors(report, errors);
    survey.failed.set(draft.line, [...(survey.failed.get(draft.line) ?? []), ...errors]);
  }
  return drafts;
}

/** If there are more cells than headers, an amount with a comma is probably not quoted. */
function refuseExtraCells({ columns }: Survey, { cells }: Row, draft: Draft): void {
  if (!cells.slice(columns.length).some((cell) => cell.trim() !== '')) return;
  const reason = `The row has ${cells.length} cells, the header ${columns.length}; text that contains the separator must be in quotes.`;
  draft.problems.push({ field: columns.at(-1)?.field?.name ?? '', reason });
}
