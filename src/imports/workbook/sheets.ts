import { formatWithId, type NumberFormat, readFormat, shownNumber } from './number-formats.ts';
import { Package, readAllXml, readXml, tooLarge, UnreadableWorkbook } from './package.ts';

/** A row of a sheet: its number, and its cells as texts. */
interface SheetRow {
  number: number;
  cells: string[];
}

export interface Sheet {
  name: string;
  rows(): AsyncGenerator<SheetRow>;
}

/** As many as a spreadsheet has. */
const mostRows = 1_048_576;
/** As many as a row of a CSV file may have. */
const mostColumns = 1_000;
/** How many characters of a workbook's texts are kept while its sheets are read. */
const mostCharacters = 60_000_000;
const mostStyles = 70_000;

/** The visible sheets of a workbook, in order. */
export async function openWorkbook(bytes: Buffer): Promise<Sheet[]> {
  const parts = await Package.open(bytes);
  if (parts.has('xl/workbook.bin') || parts.has('content.xml') || !parts.has('xl/workbook.xml'))
    throw new UnreadableWorkbook(
      `The file is ${parts.has('xl/workbook.bin') ? 'a binary Excel workbook (XLSB)' : parts.has('content.xml') ? 'an OpenDocument sheet (ODS)' : 'a packed file'}, not CSV or XLSX. Save it as one of these and import that.`,
    );
  const targets = await readTargets(parts);
  const { sheets, is1904 } = await readSheets(parts);
  const formats = await readFormats(parts);
  const texts: string[] = [];
  let hasTexts = false;
  return sheets.flatMap(({ name, relation }) => {
    const part = targets.get(relation);
    if (part === undefined || !parts.has(part)) return [];
    const rows = async function* () {
      if (!hasTexts) await readTexts(parts, texts);
      hasTexts = true;
      yield* readRows(parts, part, { texts, formats, is1904 });
    };
    return [{ name, rows }];
  });
}

/** The part that each relation of the workbook refers to. */
async function readTargets(parts: Package): Promise<Map<string, string>> {
  const targets = new Map<string, string>();
  const name = 'xl/_rels/workbook.xml.rels';
  if (parts.has(name))
    await readAllXml(parts.read(name), {
      open(element, { Id, Target = '', Type = '' }) {
        if (element !== 'Relationship' || Id === undefined || !Type.endsWith('/worksheet')) return;
        targets.set(Id, Target.startsWith('/') ? Target : `xl/${Target}`);
      },
    });
  return targets;
}

async function readSheets(parts: Package) {
  const sheets: { name: string; relation: string }[] = [];
  let is1904 = false;
  await readAllXml(parts.read('xl/workbook.xml'), {
    open(element, attributes) {
      if (element === 'workbookPr') is1904 = isTrue(attributes.date1904);
      if (element !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return;
      const relation = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      sheets.push({ name: attributes.name ?? '', relation });
    },
  });
  return { sheets, is1904 };
}

const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true';

/** The number format of each style that a cell may have. */
async function readFormats(parts: Package): Promise<NumberFormat[]> {
  const own = new Map<number, string>();
  const ids: number[] = [];
  let isCell = false;
  if (parts.has('xl/styles.xml'))
    await readAllXml(parts.read('xl/styles.xml'), {
      open(element, { numFmtId = '0', formatCode }) {
        if (element === 'numFmt' && formatCode !== undefined) own.set(Number(numFmtId), formatCode);
        if (element === 'cellXfs') isCell = true;
        if (element === 'xf' && isCell) ids.push(Number(numFmtId));
        if (Math.max(own.size, ids.length) > mostStyles) throw tooLarge();
      },
      close(element) {
        if (element === 'cellXfs') isCell = false;
      },
    });
  return ids.map((id) => formatWithId(id, own));
}

/** Texts have a part of their own, and cells refer to them by number. */
async function readTexts(parts: Package, texts: string[]): Promise<void> {
  if (!parts.has('xl/sharedStrings.xml')) return;
  const text = new Text();
  let characters = 0;
  await readAllXml(parts.read('xl/sharedStrings.xml'), {
    open: (element) => text.open(element),
    text: (piece) => text.add(piece),
    close(element) {
      text.close(element);
      if (element !== 'si') return;
      const whole = text.take();
      // An empty text takes some memory too.
      characters += whole.length + 10;
      if (characters > mostCharacters) throw tooLarge();
      texts.push(whole);
    },
  });
}

/** Collects the text of `t` elements. The pronunciation of Japanese words is beside them, and is left out. */
class Text {
  #pieces = '';
  #isText = false;
  #aside = 0;

  open(element: string): void {
    if (element === 'rPh') this.#aside++;
    this.#isText = element === 't' && this.#aside === 0;
  }

  add(piece: string): void {
    if (this.#isText) this.#pieces += piece;
  }

  close(element: string): void {
    if (element === 'rPh') this.#aside--;
    this.#isText = false;
  }

  take(): string {
    const text = this.#pieces;
    this.#pieces = '';
    // Characters that XML cannot contain are written like _x000D_.
    return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}

interface Context {
  texts: string[];
  formats: NumberFormat[];
  is1904: boolean;
}

const general = readFormat('General');

async function* readRows(parts: Package, part: string, context: Context): AsyncGenerator<SheetRow> {
  let done: SheetRow[] = [];
  let row: SheetRow = { number: 0, cells: [] };
  let cell = { column: -1, type: 'n', style: 0, value: '' };
  let isValue = false;
  const inline = new Text();
  const reader = {
    open(element: string, attributes: Record<string, string>) {
      inline.open(element);
      if (element === 'row') row = { number: rowNumber(attributes.r, row.number), cells: [] };
      else if (element === 'c') {
        const { r, t = 'n', s = '0' } = attributes;
        cell = { column: columnOf(r, cell.column), type: t, style: Number(s), value: '' };
      }
      isValue = element === 'v';
    },
    text(text: string) {
      if (isValue) cell.value += text;
      else inline.add(text);
    },
    close(element: string) {
      inline.close(element);
      isValue = false;
      if (element === 'row') {
        done.push(row);
        cell = { ...cell, column: -1 };
      } else if (element === 'c') {
        const text = cell.type === 'inlineStr' ? inline.take() : shownValue(cell, context);
        if (text === '') return;
        if (cell.column >= mostColumns) throw tooWide(row.number);
        while (row.cells.length < cell.column) row.cells.push('');
        row.cells[cell.column] = text;
      }
    },
  };
  for await (const _ of readXml(parts.read(part), reader)) {
    yield* done;
    done = [];
  }
  yield* done;
}

function rowNumber(text: string | undefined, before: number): number {
  const number = text === undefined ? before + 1 : Number(text);
  if (number > mostRows) throw tooLarge();
  if (!Number.isInteger(number) || number <= before) throw new Error('The rows are not in their order.');
  return number;
}

/** The column's position from 0: `AB12` is in column 27. */
function columnOf(reference: string | undefined, before: number): number {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? '')?.[0].toUpperCase();
  if (letters === undefined) return before + 1;
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

const tooWide = (row: number) =>
  new UnreadableWorkbook(`Row ${row} of the sheet has more than ${mostColumns} columns.`);

function shownValue(
  { type, style, value }: { type: string; style: number; value: string },
  { texts, formats, is1904 }: Context,
): string {
  if (type === 's') return texts[Number(value)] ?? '';
  if (type === 'b') return isTrue(value) ? 'TRUE' : value === '' ? '' : 'FALSE';
  if (type === 'd') return value.replace(/T00:00(:00(\.0+)?)?Z?$/, '');
  return type === 'n' ? shownNumber(value, formats[style] ?? general, is1904) : value;
}
