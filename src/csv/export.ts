import { csvLine } from './cells.ts';
import { type Column, cellsOf } from './columns.ts';

/** A page of a list: the JSON text of `{data, count}`, and where the next one starts. */
export interface ListPage {
  body: string;
  nextAfter?: string | null | undefined;
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
  { bom }: { bom: boolean },
): AsyncGenerator<string> {
  yield `${bom ? byteOrderMark : ''}${csvLine(columns.map(({ header }) => header))}${csvRows(columns, first)}`;
  for (let page = first; page.nextAfter; ) {
    page = await readNext(page.nextAfter);
    const rows = csvRows(columns, page);
    if (rows !== '') yield rows;
  }
}

function csvRows(columns: Column[], page: ListPage): string {
  const { data } = JSON.parse(page.body) as { data: unknown[] };
  return data.map((record) => csvLine(cellsOf(record, columns))).join('');
}
