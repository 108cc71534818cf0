import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { type Delimiter, detectDelimiter } from './delimiter.ts';
import { decode, detectEncoding, type Encoding } from './encoding.ts';
import type { Source } from './source.ts';

export interface Row {
  /** Line of the file on which it starts, from 1. */
  line: number;
  cells: string[];
}

export interface Format {
  encoding: Encoding;
  delimiter: Delimiter;
}

/** The file is not CSV from this line on. */
export class BrokenCsv extends Error {
  readonly line: number;
  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** Far above any record of ours, far below what an unclosed quote in a large file would take. */
const maxRowCharacters = 1_000_000;
const headCharacters = 64 * 1024;

export async function detectFormat(source: Source): Promise<Format> {
  const encoding = await detectEncoding(source);
  let head = '';
  for await (const text of decode(source, encoding)) {
    head += text;
    if (head.length >= headCharacters) break;
  }
  return { encoding, delimiter: detectDelimiter(head) };
}

/** The rows of a file, blank ones left out, read as fast as they are taken. */
export async function* readRows(
  source: Source,
  format: Format,
  onBytes?: (count: number) => void,
): AsyncGenerator<Row> {
  const parser = parse({
    delimiter: format.delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRowCharacters,
  });
  const text = Readable.from(decode(source, format.encoding, onBytes), { highWaterMark: 2 });
  // An error of either ends the iteration below.
  pipeline(text, parser, () => undefined);
  let line = 1;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      const row = { line, cells };
      // The parser's own count takes a CRLF inside quotes for two lines.
      line += 1 + cells.reduce((sum, cell) => sum + lineEnds(cell), 0);
      if (row.line === 1 && /^sep=.?$/i.test(cells[0] ?? '')) continue;
      if (cells.some((cell) => cell.trim() !== '')) yield row;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new BrokenCsv(line, explain(error));
  }
}

function lineEnds(cell: string): number {
  if (!cell.includes('\n') && !cell.includes('\r')) return 0;
  return cell.match(/\r\n|\n|\r/g)?.length ?? 0;
}

function explain(error: CsvError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE')
    return 'A quote is opened here and not closed.';
  return error.message;
}
