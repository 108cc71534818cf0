import { Readable } from 'node:stream';
import { z } from 'zod';
import { type Column, columnsOf } from '../../csv/columns.ts';
import { csvPages } from '../../csv/export.ts';
import type { File } from '../../files/files.schema.ts';
import { countBytes, zippedFile } from '../../files/zipped.ts';
import { HistoryOfRecord } from '../../history/history.schema.ts';
import { listHistories } from '../../history/history.ts';
import { DepositRefund } from '../../ledger/deposits/deposits.schema.ts';
import { listRefunds } from '../../ledger/deposits/deposits.ts';
import { writeCursor } from '../../paging.ts';
import { listOf, singleOf } from '../../shapes.ts';
import { type ZipFile, zipOf } from '../../system/zip.ts';
import { parseQuery } from '../../validation.ts';
import { listColumns, patiently } from './csv.ts';
import { addNames, withNameColumns } from './csv-names.ts';
import { noteExport } from './exports.ts';
import { type AnyContext, listReply, type Reply, type Route, route, single } from './route.ts';

const AccountExport = z.object({
  files: z.array(z.string()).meta({ description: 'What the archive has (`application/zip`).' }),
});

/** What the archive contains as a file. */
interface List {
  name: string;
  columns: Column[];
  /** Reads one page at a time, once the reader has taken the previous one. */
  read(context: AnyContext, after?: string): Promise<Reply>;
}

/**
 * Everything in an account as one archive: every list, as CSV and as JSON, and what has no list of its own. Only owners
 * can get it, in the dashboard: they take it along before they close an account.
 */
export function accountExport(routes: Route[]): Route {
  const lists = [
    ...routes.filter((each) => !each.id && listColumns(each) !== null && hasNoFilters(each)).map(listOfRoute),
    depositRefunds,
    histories,
  ].map(patient);
  return route({
    method: 'GET',
    path: '/account/export',
    permission: 'read',
    access: 'owner',
    tag: 'Account',
    summary: 'Export everything in the account',
    success: 200,
    response: singleOf(AccountExport),
    documents: {
      zip: async (_body, context) => {
        await noteExport(context.app, context.caller, '/account/export');
        return { content: Readable.from(zipOf(filesOf(lists, context)), { highWaterMark: 1 }) };
      },
    },
    handle: async () =>
      single(JSON.stringify({ files: lists.flatMap((list) => [`${list.name}.csv`, `${list.name}.json`]) })),
  });
}

/** Whether the list can be read without filters. Reports need a range. */
const hasNoFilters = ({ query }: Route): boolean => query === undefined || query.safeParse({}).success;

const patient = (list: List): List => ({
  ...list,
  read: (context, after) => patiently(context, () => list.read(context, after)),
});

const listOfRoute = (list: Route): List => ({
  name: list.path.slice(1).replaceAll('/', '-'),
  columns: withNameColumns(listColumns(list) ?? []),
  async read(context, after) {
    const cursor = after === undefined ? {} : { cursor: writeCursor(after, context.app.secrets, list.path) };
    const query = list.query && parseQuery(list.query, cursor);
    return list.handle({ ...context, query });
  },
});

const rowsOfPage = 100;

const depositRefunds: List = {
  name: 'deposit-refunds',
  columns: columnsOf(listOf(DepositRefund)) ?? [],
  read: async ({ db, caller }, after) =>
    listReply(
      await listRefunds(db, caller?.accountId ?? '', {
        limit: rowsOfPage,
        before: after ?? null,
        since: null,
      }),
    ),
};

const histories: List = {
  name: 'histories',
  columns: columnsOf(listOf(HistoryOfRecord)) ?? [],
  read: async ({ db, caller }, after) =>
    listReply(await listHistories(db, caller?.accountId ?? '', after ?? null, rowsOfPage)),
};

async function* filesOf(lists: List[], context: AnyContext): AsyncGenerator<ZipFile> {
  for (const list of lists) {
    yield { name: `${list.name}.csv`, content: csvOf(list, context) };
    yield { name: `${list.name}.json`, content: jsonOf(list, context) };
  }
  const files = lists.find(({ name }) => name === 'files');
  if (files) yield* contentsOf(files, context);
}

/** Photos and documents, each under its id. */
async function* contentsOf(files: List, context: AnyContext): AsyncGenerator<ZipFile> {
  const { db, caller } = context;
  const accountId = caller?.accountId ?? '';
  if ((await countBytes(db, accountId)) > mostInArchive) {
    yield { name: 'files/README.txt', content: [tooMany] };
    return;
  }
  for (let after: string | null | undefined; after !== null; ) {
    const page: Reply = await files.read(context, after);
    const { data } = JSON.parse(page.body) as { data: File[] };
    for (const file of data) yield zippedFile(db, accountId, file);
    after = page.nextAfter ?? null;
  }
}

/** Without an extension of the format, an archive ends at 4 GB. */
const mostInArchive = 3 * 1024 ** 3;
const tooMany =
  'There are more photos and documents than fit into one archive. files.csv lists them; GET /files/:id/content has each.\n';

async function* csvOf(list: List, context: AnyContext): AsyncGenerator<string> {
  const { db, caller } = context;
  yield* csvPages(list.columns, await list.read(context), (after) => list.read(context, after), {
    bom: true,
    complete: (records) =>
      patiently(context, () => addNames(db, caller?.accountId ?? '', records as Record<string, unknown>[])),
  });
}

async function* jsonOf(list: List, context: AnyContext): AsyncGenerator<string> {
  let page = await list.read(context);
  let opening = '[\n';
  for (;;) {
    const { data } = JSON.parse(page.body) as { data: object[] };
    if (data.length > 0) {
      yield opening + data.map((record) => JSON.stringify(record)).join(',\n');
      opening = ',\n';
    }
    if (!page.nextAfter) break;
    page = await list.read(context, page.nextAfter);
  }
  yield opening === '[\n' ? '[]\n' : '\n]\n';
}
