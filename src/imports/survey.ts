import { BrokenCsv, detectFormat, type Format, type Row, readRows } from '../csv/rows.ts';
import type { Source } from '../csv/source.ts';
import { type DecimalMark, markIn } from './cells/amounts.ts';
import { recogniseByContent, ruledOut } from './cells/by-content.ts';
import { type DateOrder, orderIn, readDate } from './cells/dates.ts';
import { type Field, longestWritten, type Style } from './cells/field.ts';
import {
  currencyInHeader,
  fieldNamed,
  findHeader,
  longestHeader,
  type Mapping,
  recognise,
  sameHeader,
} from './cells/headers.ts';
import { type NameOrder, nameOrderIn } from './cells/names.ts';
import { quote } from './cells/readers.ts';
import { type DateHabit, dateHabitIn } from './files/date-habits.ts';
import { firstBytes, notATable } from './files/not-a-table.ts';
import { meaningsIn } from './files/presets.ts';
import type { FileKind } from './kind.ts';
import type { RowError } from './report.ts';
import { isPacked, readWorkbook } from './workbook/workbook.ts';

export interface Column {
  header: string;
  field: Field | null;
  style: Style;
  /** Whether the field was recognised by the contents of the column. */
  isGuessed?: boolean;
}

/** What is known about a file before any of its rows is imported. */
export interface Survey<Of extends FileKind = FileKind> {
  kind: Of;
  source: Source;
  format: Format;
  headerLine: number;
  /** The rows above the header, such as a title. */
  before: Row[];
  columns: Column[];
  /** The first rows, unchanged. */
  sample: Row[];
  /** What is wrong with the file as a whole. */
  errors: RowError[];
  /** The lines that were found to be wrong, each with its errors. */
  failed: Map<number, RowError[]>;
  /** The rows to leave out. */
  leftOut: Map<number, RowError[]>;
  /** What rows of a rent roll take from the rows above them. */
  filled?: Map<number, { property: string; unit: string }>;
  /** For a rent roll: the day that its title names. */
  asOf?: string | null;
  /** For a workbook with several sheets: the chosen sheet. */
  sheet: string | null;
  /** Set if the order of day and month was taken from the headers, because no date in the file shows it. */
  dateHabit: DateHabit | null;
}

interface SurveyOptions {
  mapping: Mapping;
  dateOrder: DateOrder | null;
}

const sampleRows = 20;
/** Enough to get past titles and see what the columns hold. */
const firstRows = 60;
/** If a column has no ambiguous value in this many rows, it is taken to have none. */
const enoughRows = 1000;

/**
 * Finds out how a file is written: its format, what each column is, and the style of its dates and amounts. It reads on
 * only as long as a date can be read in two ways.
 */
export async function survey(kind: FileKind, given: Source, options: SurveyOptions): Promise<Survey> {
  const { source, sheet, wrong } = await tableIn(kind, given, options);
  const format: Format =
    source === given ? await detectFormat(source) : { encoding: 'utf-8', delimiter: ',' };
  const result: Survey = {
    kind,
    source,
    sheet,
    format,
    headerLine: 1,
    before: [],
    columns: [],
    sample: [],
    errors: [],
    failed: new Map(),
    leftOut: new Map(),
    dateHabit: null,
  };
  if (wrong !== null) {
    result.errors.push({ line: 1, column: null, reason: wrong });
    return result;
  }
  const looks: Look[] = [];
  const first: Row[] = [];
  let count = 0;
  try {
    for await (const row of readRows(source, format)) {
      if (result.columns.length > 0) look(looks, row);
      else first.push(row);
      if (first.length === firstRows && result.columns.length === 0) await startRows();
      count += 1;
      if (count > enoughRows && looks.every(({ doubt, order }) => doubt === null || order !== null)) break;
    }
    if (result.columns.length === 0) await startRows();
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    if (result.columns.length === 0) await startRows();
    result.errors.push({ line: error.line, column: null, reason: error.message });
  }
  decideStyles(result, looks, options.dateOrder);
  return result;

  async function startRows(): Promise<void> {
    const rows = first.map((row) => ({
      ...row,
      cells: row.cells.map((cell) => cell.slice(0, longestHeader)),
    }));
    const { at, cells } = await findHeader(
      kind,
      rows.map((row) => row.cells),
      options.mapping,
    );
    const header = rows[at];
    if (!header) {
      result.errors.push({ line: 1, column: null, reason: 'The file is empty.' });
      return;
    }
    result.headerLine = header.line;
    result.before = first.slice(0, at);
    const data = first.slice(at + 1);
    result.sample = data.slice(0, sampleRows);
    const mapping = { ...(kind.name === 'rent_roll' ? meaningsIn(cells) : {}), ...options.mapping };
    const columns = readHeader(kind, cells, mapping, new Set());
    const others = ruledOut({ columns, rows: data, mapping });
    result.columns = others.size === 0 ? columns : readHeader(kind, cells, mapping, others);
    await recogniseByContent(kind, { columns: result.columns, rows: data, mapping });
    result.errors.push(...missingColumns(kind, result.columns, header.line));
    looks.push(
      ...result.columns.map((_, index) => ({
        index,
        order: null,
        shown: 0,
        mark: null,
        names: new Set<NameOrder>(),
        doubt: null,
      })),
    );
    for (const row of data) look(looks, row);
  }

  function look(all: Look[], row: Row): void {
    for (const one of all) {
      const cell = row.cells[one.index]?.trim() ?? '';
      const written = result.columns[one.index]?.field?.written;
      if (cell === '' || written === undefined || cell.length > longestWritten) continue;
      if (written === 'date') lookAtDate(one, cell, row.line, options.dateOrder);
      else if (written === 'names') lookAtNames(one, cell);
      else one.mark ??= markIn(cell);
    }
  }
}

interface TableIn {
  source: Source;
  sheet: string | null;
  /** Why there is no table, as a sentence. */
  wrong: string | null;
}

/** The table in a file: the file itself, or the sheet of a workbook in which most headers are recognised. */
async function tableIn(kind: FileKind, source: Source, { mapping }: SurveyOptions): Promise<TableIn> {
  const first = await firstBytes(source);
  if (!isPacked(first)) return { source, sheet: null, wrong: notATable(first) };
  const read = await readWorkbook(source, async (heads) => {
    const counts: number[] = [];
    for (const head of heads) counts.push((await findHeader(kind, head, mapping)).count);
    return Math.max(0, counts.indexOf(Math.max(...counts)));
  });
  return typeof read === 'string' ? { source, sheet: null, wrong: read } : { ...read, wrong: null };
}

/** What the values of a column have shown so far. */
interface Look {
  index: number;
  order: DateOrder | null;
  /** How many dates show that order. */
  shown: number;
  mark: DecimalMark | null;
  /** The orders of names that occur in it. */
  names: Set<NameOrder>;
  /** The first date that can be read in two ways. */
  doubt: { line: number; text: string } | null;
}

function lookAtDate(one: Look, cell: string, line: number, asked: DateOrder | null): void {
  const order = asked ?? orderIn(cell);
  one.order ??= order;
  if (order !== null && order === one.order) one.shown += 1;
  if (one.order === null && one.doubt === null && readDate(cell, null).kind === 'ambiguous')
    one.doubt = { line, text: cell };
}

function lookAtNames({ names }: Look, cell: string): void {
  const order = nameOrderIn(cell);
  if (order !== null) names.add(order);
}

/** The columns; those in `others` are not what their headers say. */
function readHeader(kind: FileKind, cells: string[], mapping: Mapping, others: Set<number>): Column[] {
  const fields = recognise(
    kind,
    cells.map((cell, at) => (others.has(at) ? '' : cell)),
    mapping,
  );
  return cells.map((header, at) => ({
    header: header.trim(),
    field: fields[at] ?? null,
    style: { dateOrder: null, decimalMark: null, nameOrder: null, currency: currencyInHeader(header) },
  }));
}

function missingColumns(kind: FileKind, columns: Column[], line: number): RowError[] {
  const have = new Set(columns.map(({ field }) => field?.name));
  const headers = columns.map(({ header }) => header).filter((header) => header !== '');
  return kind.needs
    .filter((group) => !group.some((name) => have.has(name)))
    .map((group) => ({
      line,
      column: group.at(-1) ?? null,
      reason: `No column was recognised as ${group.join(' or ')}. The columns are ${headers.join(', ') || 'none'}; say which one it is.`,
    }));
}

/**
 * Takes the order of day and month that a column itself shows, or else that of the other columns, or else what the
 * headers suggest. If cells differ, a few slips do not outweigh many others.
 */
function decideStyles(result: Survey, looks: Look[], asked: DateOrder | null): void {
  const votes = { mdy: 0, dmy: 0 };
  for (const { order, shown } of looks) if (order !== null) votes[order] += shown;
  const most: DateOrder = votes.mdy >= votes.dmy ? 'mdy' : 'dmy';
  const fewer = Math.min(votes.mdy, votes.dmy);
  const isClear = votes[most] > 0 && votes[most] > 2 * fewer;
  const habit = asked === null ? dateHabitIn(result.columns) : null;
  const orderOf = (own: Look) => (isClear && (own.order === null || own.shown <= fewer) ? most : own.order);
  for (const one of looks) {
    const { index, mark, names, doubt } = one;
    const column = result.columns[index];
    if (!column) continue;
    column.style.dateOrder = asked ?? orderOf(one);
    column.style.decimalMark = mark;
    column.style.nameOrder = names.size === 1 ? ([...names][0] ?? null) : null;
    if (doubt === null || column.style.dateOrder !== null) continue;
    if (habit !== null) {
      column.style.dateOrder = habit.order;
      result.dateHabit = habit;
    } else
      result.errors.push({
        line: doubt.line,
        column: column.header,
        reason: `${quote(doubt.text)} can be read month first or day first, and no date in the column shows which; give the date format, mdy or dmy.`,
      });
  }
}

/** Names in a mapping that are not fields of any file, and headers that no file has. */
export function unusedMapping(surveys: Survey[], mappings: Mapping[]): string[] {
  return mappings.flatMap((mapping) =>
    Object.entries(mapping)
      .filter(([header, name]) => !surveys.some((one) => uses(one, header, name)))
      .map(([header, name]) => `${header}=${name ?? ''}`),
  );
}

function uses({ kind, columns }: Survey, header: string, name: string | null): boolean {
  const has = columns.some((column) => sameHeader(column.header) === sameHeader(header));
  return has && (name === null || fieldNamed(kind, name) !== null);
}
