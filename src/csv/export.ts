import { csvLine } from './cells.ts';
import { type Column, cellsOf } from './columns.ts';

/** A page of a list: the JSON text of `{data, count}`, and where the next one starts. */
interface ListPage {
  body: string;
  nextAfter?: string | null | undefined;
}

interface CsvOptions {
  bom: boolean;
  /** Which field of a single record has the rows. */
  rows?: string | undefined;
  /** Adds to the records of a page what the columns show but the list lacks. */
  complete?: ((records: object[]) => Promise<void>) | undefined;
}

/** Excel reads a file as UTF-8 only if it starts with this. */
const byteOrderMark = '\ufeff';

/**
 * Writes a list as CSV, one page at a time. It reads the next page once the reader has taken the previous one, so
 * memory does not grow with the list.
 */
export async function* csvPages(
  columns: Column[],
  first: ListPage,
  readNext: (after: string) => Promise<ListPage>,
  { bom, rows: field, complete }: CsvOptions,
): AsyncGenerator<string> {
  const rowsOf = async (page: ListPage) => {
    const { data } = JSON.parse(page.body) as { data: object[] | Record<string, object[]> };
    const records = Array.isArray(data) ? data : (data[field ?? ''] ?? []);
    await complete?.(records);
    return records.map((record) => csvLine(cellsOf(record, columns))).join('');
  };
  yield `${bom ? byteOrderMark : ''}${csvLine(columns.map(({ header }) => header))}${await rowsOf(first)}`;
  for (let page = first; page.nextAfter; ) {
    page = await readNext(page.nextAfter);
    const rows = await rowsOf(page);
    if (rows !== '') yield rows;
  }
}
