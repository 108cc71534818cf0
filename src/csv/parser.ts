import type { Delimiter } from './delimiter.ts';

export interface Row {
  /** The line of the file on which it starts, counted from 1. */
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
/** Our files have about twenty columns, and reports from other systems a few hundred at most. */
const maxCells = 1_000;

/**
 * Where in a cell the next character is: at its start, inside it, in quotes, or after a quote that may be the first of
 * two.
 */
type State = 'start' | 'plain' | 'quoted' | 'quote';

const [lf, cr] = [10, 13];

/**
 * Parses CSV as it arrives: with any of the usual line ends, mixed or not, and with misplaced quotes. We have our own
 * parser because an error must name its line. csv-parse counts a CRLF inside quotes as two lines, and on a mistake it
 * loses the rows it has not emitted yet. The tests compare the two.
 *
 * Each character is read once, however the text is cut into pieces: what is unfinished at the end of a piece is kept as
 * it was understood. A row without end is refused as soon as it is too long.
 */
export class CsvParser {
  readonly #separator: number;
  #state: State = 'start';
  /** The unfinished row: its cells, the beginning of the next one, and its length so far. */
  #cells: string[] = [];
  #cell = '';
  #characters = 0;
  /** Whether the last piece ended with a CR, whose LF may be the first character of the next one. */
  #endedWithCr = false;
  /** The line of the next character, and the line on which the row starts. */
  #line = 1;
  #rowLine = 1;

  constructor(delimiter: Delimiter) {
    this.#separator = delimiter.charCodeAt(0);
  }

  /** The rows that this piece of text completes. */
  *push(text: string): Generator<Row> {
    let at = this.#endedWithCr && text.charCodeAt(0) === lf ? 1 : 0;
    if (text !== '') this.#endedWithCr = false;
    while (at < text.length) {
      const from = at;
      at = this.#step(text, at);
      this.#characters += at - from;
      if (this.#characters > maxRowCharacters) throw this.#tooLong();
      if (this.#state !== 'plain' || at === text.length) continue;
      this.#endCell();
      const code = text.charCodeAt(at++);
      if (code === this.#separator) continue;
      if (code === cr && text.charCodeAt(at) === lf) at++;
      else this.#endedWithCr = code === cr && at === text.length;
      yield this.#endRow();
    }
  }

  *end(): Generator<Row> {
    if (this.#state === 'quoted') throw this.#unclosed();
    if (this.#state === 'start' && this.#cells.length === 0) return;
    this.#endCell();
    yield this.#endRow();
  }

  /** Reads up to the end of the piece, of the cell, or of the quoted part. Returns where that is. */
  #step(text: string, at: number): number {
    if (this.#state === 'start') {
      const isQuoted = text[at] === '"';
      this.#state = isQuoted ? 'quoted' : 'plain';
      if (isQuoted) return at + 1;
    }
    if (this.#state === 'quote') {
      // Two quotes mean one. After a single quote, the cell may continue unquoted.
      const isDouble = text[at] === '"';
      this.#state = isDouble ? 'quoted' : 'plain';
      if (isDouble) this.#cell += '"';
      if (isDouble) return at + 1;
      this.#line += lineEnds(this.#cell);
    }
    if (this.#state === 'quoted') {
      const quote = text.indexOf('"', at);
      this.#cell += text.slice(at, quote === -1 ? text.length : quote);
      if (quote === -1) return text.length;
      this.#state = 'quote';
      return quote + 1;
    }
    const end = cellEnd(text, at, this.#separator);
    if (end > at) this.#cell += text.slice(at, end);
    return end;
  }

  #endCell(): void {
    // The file ended right after a quote.
    if (this.#state === 'quote') this.#line += lineEnds(this.#cell);
    this.#cells.push(this.#cell);
    if (this.#cells.length > maxCells)
      throw new BrokenCsv(this.#rowLine, `A row may have at most ${maxCells} cells.`);
    this.#cell = '';
    this.#state = 'start';
  }

  #endRow(): Row {
    const row = { line: this.#rowLine, cells: this.#cells };
    this.#cells = [];
    this.#characters = 0;
    this.#line += 1;
    this.#rowLine = this.#line;
    return row;
  }

  #tooLong(): BrokenCsv {
    if (this.#state === 'quoted' || this.#state === 'quote') return this.#unclosed();
    return new BrokenCsv(this.#rowLine, `A row may have at most ${maxRowCharacters} characters.`);
  }

  #unclosed(): BrokenCsv {
    return new BrokenCsv(this.#rowLine, 'A quote is opened here and never closed.');
  }
}

function cellEnd(text: string, start: number, separator: number): number {
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
