import { closeSync, openSync, writeFileSync } from 'node:fs';
import { findAccount } from '../accounts/accounts.ts';
import { importBy, operator } from '../caller.ts';
import { fileSource } from '../csv/source.ts';
import type { DateOrder } from '../imports/cells/dates.ts';
import { fieldNamed, type Mapping } from '../imports/cells/headers.ts';
import { rejectedRows } from '../imports/files/rejected-rows.ts';
import { fileKind, importFiles, surveyFiles } from '../imports/imports.ts';
import { type KindName, kindNames } from '../imports/kind.ts';
import { kinds } from '../imports/kinds/kinds.ts';
import type { FileReport } from '../imports/report.ts';
import { type Survey, unusedMapping } from '../imports/survey.ts';
import { print, withDatabase } from './command.ts';
import { visibleLines } from './visible.ts';

/** The exit code if all files were imported, but not all of their rows. */
const someLeftOut = 2;

type Files = { [Kind in KindName]?: string };

export interface ImportOptions extends Files {
  account: string;
  dryRun?: boolean;
  events: boolean;
  map?: string[];
  dateFormat?: string;
  json?: boolean;
  /** `--rent-roll`, as commander names it. */
  rentRoll?: string;
  skipErrors?: boolean;
  /** Where to write the rows that are wrong. */
  rejected?: string;
}

/** A person at a terminal can see why nothing happens, so the command may wait for another import to end. */
const waitMs = 10 * 60_000;

export async function importCommand({ rentRoll, ...given }: ImportOptions): Promise<void> {
  const options = { ...given, ...(rentRoll === undefined ? {} : { rent_roll: rentRoll }) };
  const chosen = kindNames.filter((kind) => options[kind] !== undefined);
  if (chosen.length === 0)
    throw new Error(
      `Give at least one file: ${kindNames.map((kind) => `--${kind.replace('_', '-')} file.csv`).join(', ')}.`,
    );
  const mappings = readMappings(options.map ?? []);
  const files = await Promise.all(
    chosen.map(async (kind) => ({
      kind,
      source: await fileSource(options[kind] ?? ''),
      mapping: mappingFor(kind, mappings),
    })),
  );
  const dateOrder = readDateFormat(options.dateFormat);
  const surveys = await surveyFiles({ files, dateOrder });
  const [unused] = unusedMapping(
    surveys,
    mappings.map(({ mapping }) => mapping),
  );
  if (unused !== undefined)
    throw new Error(
      `--map ${JSON.stringify(unused)} matches none of the files: there is no such header, or no such field.`,
    );

  // Found out now, because after the import its report would be lost. Nothing is overwritten yet.
  if (options.rejected !== undefined) closeSync(openSync(options.rejected, 'a'));
  const progress = showProgress(process.stderr);
  const report = await withDatabase(async (db) => {
    const { id: accountId } = await findAccount(db, options.account);
    const { dryRun = false, events, skipErrors = false } = options;
    const request = {
      actor: importBy(operator),
      accountId,
      files,
      dateOrder,
      dryRun,
      events,
      skipErrors,
      now: new Date(),
      waitMs,
      onProgress: progress.show,
    };
    return importFiles(db, request, surveys);
  }).finally(progress.end);
  if (options.rejected !== undefined) {
    const files = await Promise.all(surveys.map(rejectedRows));
    writeFileSync(options.rejected, files.filter((text) => text !== null).join('\r\n'));
  }
  print(
    options.json,
    report,
    report.files.map((file) => summary(file, report.dry_run)),
  );
  if (!report.ok) process.exitCode = 1;
  else if (report.files.some(({ left_out }) => left_out > 0)) process.exitCode = someLeftOut;
  if (!options.json) process.stderr.write(visibleLines(report.files.map(errorLines).join('')));
}

interface MapOption {
  kind: KindName | null;
  mapping: Mapping;
}

/** `Apt=unit`, or `leases:Apt=unit` for one kind of file; `Apt=` leaves the column out. */
function readMappings(texts: string[]): MapOption[] {
  return texts.map((text) => {
    const [, prefix, header = '', name = ''] = /^(?:(\w+):)?([^=]+)=(.*)$/s.exec(text) ?? [];
    const kind = kindNames.find((one) => one === prefix) ?? null;
    if (header.trim() === '' || (prefix !== undefined && kind === null))
      throw new Error(
        `--map takes Header=field, such as "Apt=unit" or "leases:Apt=unit"; it is ${JSON.stringify(text)}.`,
      );
    return { kind, mapping: { [header.trim()]: name.trim() || null } };
  });
}

/** An option without a kind applies to all files that have the field. */
function mappingFor(kind: KindName, options: MapOption[]): Mapping {
  const fitting = options.filter(
    (one) =>
      one.kind === kind ||
      (one.kind === null &&
        Object.values(one.mapping).every(
          (name) => name === null || fieldNamed(fileKind(kind), name) !== null,
        )),
  );
  return Object.assign({}, ...fitting.map(({ mapping }) => mapping));
}

function readDateFormat(text: string | undefined): DateOrder | null {
  if (text === undefined) return null;
  const order = text
    .toLowerCase()
    .replace(/[^dmy]/g, '')
    .replace(/(.)\1+/g, '$1');
  if (order === 'mdy' || order === 'dmy') return order;
  // A date with the year first can be read in only one way.
  if (order === 'ymd') return null;
  throw new Error(
    `--date-format must be mdy, dmy or ymd (or a pattern such as DD/MM/YYYY); it is ${JSON.stringify(text)}.`,
  );
}

const wordsFor = (kind: KindName): { one: string; many: string } => {
  if (kind === 'rent_roll') return { one: 'row', many: 'rows' };
  const one = kinds[kind].noun.replace('_', ' ');
  return { one, many: kind === 'maintenance' ? `${one}s` : kind };
};

const count = (number: number): string => number.toLocaleString('en-US');

function summary(file: FileReport, dryRun: boolean): string {
  const what = `${file.file}: ${count(file.rows)} ${file.rows === 1 ? wordsFor(file.kind).one : wordsFor(file.kind).many}`;
  if (file.status === 'failed')
    return `${what}, ${count(file.error_count)} ${file.error_count === 1 ? 'error' : 'errors'}; nothing of this file was imported`;
  if (file.status === 'held_back') return `${what}; not imported, because an earlier file has errors`;
  const will = dryRun ? 'would be ' : '';
  const parts = [
    `${count(file.create)} ${will}created`,
    `${count(file.update)} ${will}changed`,
    `${count(file.unchanged)} unchanged`,
  ];
  if (file.skipped > 0) parts.push(`${count(file.skipped)} lines of totals left out`);
  if (file.left_out > 0) parts.push(`${count(file.left_out)} with errors left out`);
  const made = file.parts.map(
    (part) =>
      `\n  ${part.kind}: ${count(part.create)} ${will}created, ${count(part.update)} ${will}changed, ${count(part.unchanged)} unchanged`,
  );
  const notes = file.notes.map((note) => `\n  ${note}`);
  const ignored =
    file.ignored_columns.length > 0 ? `\n  columns not used: ${file.ignored_columns.join(', ')}` : '';
  const left =
    file.left_out > 0
      ? `\n  ${count(file.left_out)} ${file.left_out === 1 ? 'row was' : 'rows were'} not imported: correct and import what --rejected file.csv writes`
      : '';
  return `${what}: ${parts.join(', ')}${made.join('')}${notes.join('')}${ignored}${left}`;
}

function errorLines(file: FileReport): string {
  const lines = file.errors.map(
    ({ line, column, reason }) =>
      `${file.file}, line ${line}${column === null ? '' : `, column ${JSON.stringify(column)}`}: ${reason}\n`,
  );
  const more = file.error_count - file.errors.length;
  return `${lines.join('')}${more > 0 ? `${file.file}: and ${count(more)} more\n` : ''}`;
}

const rowsPerLine = 10_000;

/** Shows one line that changes at a terminal, and elsewhere prints a line now and then. */
function showProgress(out: NodeJS.WriteStream) {
  const started = performance.now();
  let shown = false;
  let last = 0;
  return {
    show({ survey: { kind, source }, rows, bytes }: { survey: Survey; rows: number; bytes: number }) {
      const percent = source.size === 0 ? 100 : Math.min(100, Math.floor((bytes / source.size) * 100));
      const seconds = (performance.now() - started) / 1000;
      const text = `${source.name}: ${count(rows)} ${kind.name} (${percent} %), ${seconds.toFixed(0)} s`;
      if (out.isTTY) out.write(`\r\x1b[K${text}`);
      else if (Math.floor(rows / rowsPerLine) > last) out.write(`${text}\n`);
      last = Math.floor(rows / rowsPerLine);
      shown = true;
    },
    end() {
      if (shown && out.isTTY) out.write('\r\x1b[K');
    },
  };
}
