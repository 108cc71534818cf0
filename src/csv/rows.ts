import { TimeSlice } from '../system/time-slices.ts';
import { type Delimiter, detectDelimiter } from './delimiter.ts';
import { decode, detectEncoding, type Encoding } from './encoding.ts';
import { CsvParser, type Row } from './parser.ts';
import type { Source } from './source.ts';

export { BrokenCsv, type Row } from './parser.ts';

export interface Format {
  encoding: Encoding;
  delimiter: Delimiter;
}

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

/** The rows of a file without blank ones, read in slices of time and only as fast as they are consumed. */
export async function* readRows(
  source: Source,
  format: Format,
  onBytes?: (count: number) => void,
): AsyncGenerator<Row> {
  const parser = new CsvParser(format.delimiter);
  const slice = new TimeSlice();
  for await (const text of decode(source, format.encoding, onBytes))
    for (const row of parser.push(text)) {
      if (slice.isOver()) await slice.next();
      if (isRecord(row)) yield withLineBreaks(row, source);
    }
  for (const row of parser.end()) if (isRecord(row)) yield withLineBreaks(row, source);
}

const withLineBreaks = ({ line, cells }: Row, { lineBreak }: Source): Row => ({
  line,
  cells: lineBreak === undefined ? cells : cells.map((cell) => cell.replaceAll(lineBreak, '\n')),
});

/** Whether a row is neither blank nor Excel's own first line. */
const isRecord = ({ line, cells }: Row): boolean =>
  cells.some((cell) => cell.trim() !== '') && !(line === 1 && /^sep=.?$/i.test(cells[0] ?? ''));
