import { Readable } from 'node:stream';
import { z } from 'zod';
import { csvPages } from '../../csv/export.ts';
import type { File } from '../../files/files.schema.ts';
import { countBytes, zippedFile } from '../../files/zipped.ts';
import { writeCursor } from '../../paging.ts';
import { singleOf } from '../../shapes.ts';
import { type ZipFile, zipOf } from '../../system/zip.ts';
import { parseQuery } from '../../validation.ts';
import { listColumns } from './csv.ts';
import { addNames, withNameColumns } from './csv-names.ts';
import { noteExport } from './exports.ts';
import { type AnyContext, type Reply, type Route, route, single } from './route.ts';

const AccountExport = z.object({
  files: z.array(z.string()).meta({ description: 'What the archive has (`application/zip`).' }),
});

/**
 * Everything in an account as one archive: every list, as CSV and as JSON. Of the dashboard alone, for owners: it is
 * what they take along before they close an account.
 */
export function accountExport(routes: Route[]): Route {
  const lists = routes.filter((each) => !each.id && listColumns(each) !== null && hasNoFilters(each));
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
      single(
        JSON.stringify({ files: lists.flatMap((list) => [`${nameOf(list)}.csv`, `${nameOf(list)}.json`]) }),
      ),
  });
}

/** Reports need a range. */
const hasNoFilters = ({ query }: Route): boolean => query === undefined || query.safeParse({}).success;

const nameOf = ({ path }: Route): string => path.slice(1).replaceAll('/', '-');

async function* filesOf(lists: Route[], context: AnyContext): AsyncGenerator<ZipFile> {
  for (const list of lists) {
    yield { name: `${nameOf(list)}.csv`, content: csvOf(list, context) };
    yield { name: `${nameOf(list)}.json`, content: jsonOf(list, context) };
  }
  const files = lists.find(({ path }) => path === '/files');
  if (files) yield* contentsOf(files, context);
}

/** Photos and documents, each under its id. */
async function* contentsOf(files: Route, context: AnyContext): AsyncGenerator<ZipFile> {
  const { db, caller } = context;
  const accountId = caller?.accountId ?? '';
  if ((await countBytes(db, accountId)) > mostInArchive) {
    yield { name: 'files/README.txt', content: [tooMany] };
    return;
  }
  for (let after: string | null | undefined; after !== null; ) {
    const page: Reply = await readPage(files, context, after);
    const { data } = JSON.parse(page.body) as { data: File[] };
    for (const file of data) yield zippedFile(db, accountId, file);
    after = page.nextAfter ?? null;
  }
}

/** An archive without extensions of the format ends at 4 GB. */
const mostInArchive = 3 * 1024 ** 3;
const tooMany =
  'The photos and documents are more than fit into one archive. files.csv lists them; GET /files/:id/content has each.\n';

/** A page at a time, when the reader has taken the one before. */
async function readPage(list: Route, context: AnyContext, after?: string): Promise<Reply> {
  const cursor = after === undefined ? {} : { cursor: writeCursor(after, context.app.secrets, list.path) };
  const query = list.query && parseQuery(list.query, cursor);
  return list.handle({ ...context, query });
}

async function* csvOf(list: Route, context: AnyContext): AsyncGenerator<string> {
  const { db, caller } = context;
  yield* csvPages(
    withNameColumns(listColumns(list) ?? []),
    await readPage(list, context),
    (after) => readPage(list, context, after),
    {
      bom: true,
      complete: (records) => addNames(db, caller?.accountId ?? '', records as Record<string, unknown>[]),
    },
  );
}

async function* jsonOf(list: Route, context: AnyContext): AsyncGenerator<string> {
  let page = await readPage(list, context);
  let opening = '[\n';
  for (;;) {
    const { data } = JSON.parse(page.body) as { data: object[] };
    if (data.length > 0) {
      yield opening + data.map((record) => JSON.stringify(record)).join(',\n');
      opening = ',\n';
    }
    if (!page.nextAfter) break;
    page = await readPage(list, context, page.nextAfter);
  }
  yield opening === '[\n' ? '[]\n' : '\n]\n';
}
