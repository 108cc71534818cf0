import type { Delimiter } from './delimiter.ts';

export interface Row {
  /** Line of the file on which it starts, from 1. */
  line: number;
  cells: string[];
}

/** The file is not CSV from this line on. */
export class BrokenCsv extends Error {
  readonly line: number;
  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** Far more than any record of ours, and far less than an unclosed quote in a large file would take. */
const maxRowCharacters = 1_000_000;
/** Our files have about twenty, and reports of other systems at most a few hundred. */
const maxCells = 1_000;

/**
 * Parses CSV as it comes: with any of the usual line ends, mixed or not, and with misplaced quotes. We have our own
 * parser because an error must name its line. csv-parse takes a CRLF inside quotes for two lines, and on a mistake it
 * loses the rows that it has not emitted yet. The tests compare the two.
 */
export class CsvParser {
  readonly #delimiter: string;
  /** The beginning of an incomplete row. */
  #rest = '';
  #line = 1;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
  }

  /** The rows that this piece of text completes. */
  *push(text: string): Generator<Row> {
    yield* this.#rows(this.#rest + text, false);
    if (this.#rest.length > maxRowCharacters) throw this.#unclosed();
  }

  *end(): Generator<Row> {
    yield* this.#rows(this.#rest, true);
    if (this.#rest !== '') throw this.#unclosed();
  }

  *#rows(text: string, final: boolean): Generator<Row> {
    let start = 0;
    while (start < text.length) {
      const row = readRow(text, start, this.#delimiter, final);
      if (row === null) break;
      const line = this.#line;
      if (row.cells.length > maxCells) throw new BrokenCsv(line, `A row may have at most ${maxCells} cells.`);
      this.#line += row.lines;
      start = row.end;
      yield { line, cells: row.cells };
    }
    this.#rest = text.slice(start);
  }

  #unclosed(): BrokenCsv {
    return new BrokenCsv(this.#line, 'A quote is opened here and never closed.');
  }
}

interface ReadRow {
  cells: string[];
  /** Where the next row starts. */
  end: number;
  lines: number;
}

/** The row that starts here; null if its end is not in the text. */
function readRow(text: string, start: number, delimiter: string, final: boolean): ReadRow | null {
  const cells: string[] = [];
  let at = start;
  let lines = 1;
  for (;;) {
    let cell = '';
    if (text[at] === '"') {
      const quoted = readQuoted(text, at);
      if (quoted === null) return null;
      cell = quoted.cell;
      lines += lineEnds(cell);
      at = quoted.end;
    }
    // The cell, or the text after a quote that does not end the cell.
    const end = cellEnd(text, at, delimiter);
    if (end === text.length && !final) return null;
    cells.push(cell + text.slice(at, end));
    if (text[end] === delimiter) {
      at = end + 1;
      continue;
    }
    // A CR at the end of a piece may have its LF in the next one.
    if (text[end] === '\r' && end + 1 === text.length && !final) return null;
    const wide = text[end] === '\r' && text[end + 1] === '\n';
    return { cells, end: Math.min(text.length, end + (wide ? 2 : 1)), lines };
  }
}

function readQuoted(text: string, start: number): { cell: string; end: number } | null {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return null;
    if (text[quote + 1] !== '"')
      return { cell: text.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1 };
    at = quote + 2;
  }
}

const [lf, cr] = [10, 13];

function cellEnd(text: string, start: number, delimiter: string): number {
  const separator = delimiter.charCodeAt(0);
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === separator || code === lf || code === cr) return at;
  }
  return text.length;
}

function lineEnds(cell: string): number {
  if (!cell.includes('\n') && !cell.includes('\r')) return 0;
  return cell.match(/\r\n|\n|\r/g)?.length ?? 0;
}
