import { needScope } from '../../api-keys/scopes.ts';
import type { Caller } from '../../caller.ts';
import { listReply, route, single } from '../../http/routes/route.ts';
import { pageBounds } from '../../paging.ts';
import { listOf, singleOf } from '../../shapes.ts';
import { maxUploadBytes } from '../imports.schema.ts';
import { recordKinds } from '../kind.ts';
import { Import, ImportCreate, ImportList, ImportWithReport, RejectedRows } from './queue.schema.ts';
import { findRejected, getImport, listImports } from './queue.store.ts';
import { queueImport } from './queue.ts';

const tag = 'Imports';

/** A file may refer to any record, and its rows may be of any kind, so importing requires all scopes. */
function needEveryNoun(caller: Caller): void {
  for (const noun of recordKinds) needScope(caller, noun);
}

export const queueRoutes = [
  route({
    method: 'GET',
    path: '/imports',
    permission: 'read',
    tag,
    summary: 'List imports',
    description:
      'Newest first, those of the last 30 days. If there is more, the `Link` header has the address of the next page.',
    query: ImportList,
    success: 200,
    response: listOf(Import),
    tool: false,
    handle: async ({ app, db, caller, query }) =>
      listReply(await listImports(db, caller.accountId, pageBounds(query, app.secrets, '/imports'))),
  }),
  route({
    method: 'POST',
    path: '/imports',
    permission: 'write',
    tag,
    summary: 'Import a file',
    description:
      'Takes a CSV file as text in JSON (the body up to 1 MiB), or CSV or an Excel workbook (XLSX) as `file` in a form (multipart/form-data, up to 50 MiB) beside the same fields. A worker imports it, all or nothing: the answer is the queued import, and `GET /imports/{id}` shows its progress. Importing a file again changes only what has changed in it. A key with scopes needs `imports` and those of all records.',
    body: ImportCreate,
    maxBodyBytes: maxUploadBytes,
    form: true,
    success: 201,
    response: singleOf(ImportWithReport),
    tool: false,
    handle: async ({ db, caller, body, form }) => {
      needEveryNoun(caller);
      const { filename = null, content = Buffer.from(body.file) } = form?.get('file') ?? {};
      return single(await queueImport(db, caller, body, { name: filename, content }));
    },
  }),
  route({
    method: 'GET',
    path: '/imports/:id',
    permission: 'read',
    tag,
    summary: 'Get an import',
    description: 'Its progress and, once it is over, what it did and what is wrong with the file.',
    id: 'imp',
    success: 200,
    response: singleOf(ImportWithReport),
    tool: false,
    handle: async ({ db, caller, id }) => single(await getImport(db, caller.accountId, id)),
  }),
  route({
    method: 'GET',
    path: '/imports/:id/rejected',
    permission: 'read',
    tag,
    summary: 'Get the rejected rows of an import',
    description:
      'The rows with errors as a CSV file, with what is wrong with each: correct them, and import the file again. A key with scopes needs those of all records.',
    id: 'imp',
    success: 200,
    response: singleOf(RejectedRows),
    tool: false,
    documents: { csv: async (body) => ({ content: JSON.parse(body).data.csv }) },
    handle: async ({ db, caller, id }) => {
      needEveryNoun(caller);
      return single(JSON.stringify(await findRejected(db, caller.accountId, id)));
    },
  }),
];
