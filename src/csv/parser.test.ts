import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from './cells.ts';
import { BrokenCsv, CsvParser, type Row } from './parser.ts';

/** All rows of a text that arrives in pieces of this size. */
function rowsOf(text: string, size = text.length || 1, delimiter: ',' | ';' = ','): Row[] {
  const parser = new CsvParser(delimiter);
  const rows: Row[] = [];
  for (let at = 0; at < text.length; at += size) rows.push(...parser.push(text.slice(at, at + size)));
  return [...rows, ...parser.end()];
}

const cells = (text: string, size?: number) => rowsOf(text, size).map((row) => row.cells);
const cell = fc.string({
  unit: fc.constantFrom('a', 'é', ' ', '"', ',', ';', '\n', '\r', '\t', '='),
  maxLength: 6,
});
const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });

test('written text is read back, in whatever pieces it arrives, just as by another parser', () => {
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 9 }), (rows, size) => {
      const text = rows.map(csvLine).join('');
      expect(cells(text, size)).toEqual(rows);
      expect(parse(text, { relax_column_count: true, record_delimiter: ['\r\n', '\n', '\r'] })).toEqual(rows);
    }),
  );
});

test('lines are counted as an editor does', () => {
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 9 }), (rows, size) => {
      const lines = rowsOf(rows.map(csvLine).join(''), size).map(({ line }) => line);
      const before = (at: number) =>
        rows
          .slice(0, at)
          .map(csvLine)
          .join('')
          .split(/\r\n|\n|\r/).length;
      expect(lines).toEqual(rows.map((_, at) => before(at)));
    }),
  );
});

test('line ends may be mixed, and the last may be missing', () => {
  expect(cells('a,b\r\n1,2\n3,4\r5,6', 3)).toEqual([
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
    ['5', '6'],
  ]);
});

test('quotes inside a cell are taken as they are', () => {
  expect(cells('5" pipe,"a"b,"c"')).toEqual([['5" pipe', 'ab', 'c']]);
});

test('an unclosed quote is reported at its row, after the earlier rows', () => {
  const parser = new CsvParser(',');
  expect([...parser.push('a,b\n1,2\n3,"x\n4,5\n')]).toHaveLength(2);
  expect(() => [...parser.end()]).toThrow(BrokenCsv);
  const long = new CsvParser(',');
  expect(() => [...long.push(`a,"${'x\n'.repeat(600_000)}`)]).toThrow(expect.objectContaining({ line: 1 }));
});
