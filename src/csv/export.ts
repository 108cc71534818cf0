import { csvLine } from './cells.ts';
import { type Column, cellsOf } from './columns.ts';

/** A page of a list: the JSON text of `{data, count}`, and where the next one starts. */
export interface ListPage {
  body: string;
  nextAfter?: string | null | undefined;
}

export interface CsvOptions {
  bom: boolean;
  /** Adds to the records of a page what columns show and the list has not. */
  complete?: ((records: object[]) => Promise<void>) | undefined;
}

/** Excel takes a file for UTF-8 only when it starts with this. */
const byteOrderMark = '\ufeff';

/**
 * A list as CSV, a page at a time: the next page is read when the reader has taken the one before, so memory
 * stays the same for any length.
 */
export async function* csvPages(
  columns: Column[],
  first: ListPage,
  readNext: (after: string) => Promise<ListPage>,
  { bom, complete }: CsvOptions,
): AsyncGenerator<string> {
  const rowsOf = async (page: ListPage) => {
    const { data } = JSON.parse(page.body) as { data: object[] };
    await complete?.(data);
    return data.map((record) => csvLine(cellsOf(record, columns))).join('');
  };
  yield `${bom ? byteOrderMark : ''}${csvLine(columns.map(({ header }) => header))}${await rowsOf(first)}`;
  for (let page = first; page.nextAfter; ) {
    page = await readNext(page.nextAfter);
    const rows = await rowsOf(page);
    if (rows !== '') yield rows;
  }
}
