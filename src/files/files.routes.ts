import { z } from 'zod';
import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { getRecord } from '../db/records/shape.ts';
import { notFound } from '../errors.ts';
import { apiVersion } from '../events/catalogue.ts';
import { listReply, route, type SentFile, single } from '../http/routes/route.ts';
import { formatId } from '../ids.ts';
import { pageBounds } from '../paging.ts';
import { listOf, singleOf } from '../shapes.ts';
import { findHash, findThumbnail } from './contents.store.ts';
import {
  ContentQuery,
  DeletedFile,
  File,
  FileList,
  FilePatch,
  FileUpload,
  Link,
  LinkQuery,
  maxFilesOfRecord,
} from './files.schema.ts';
import { type FileRow, fileShape, listFiles } from './files.store.ts';
import { addFile, changeFile, deleteFile, findVisible } from './files.ts';
import { imageType, nameFor } from './kinds.ts';
import { writeLink } from './links.ts';
import { needScopeOf, visibleTypes } from './records.ts';
import { discard, maxFormBytes, readContent, receiveFile } from './uploads.ts';

const tag = 'Files';
const mebibyte = 1024 * 1024;

const Bytes = z.string().meta({ format: 'binary', description: 'The bytes.' });

export const fileRoutes = [
  route({
    method: 'GET',
    path: '/files',
    permission: 'read',
    tag,
    summary: 'List files',
    description:
      'Newest first; `position` says how they are arranged on their record. A key with scopes sees the files of records that it may read.',
    query: FileList,
    success: 200,
    response: listOf(File),
    async handle({ app, db, caller, query }) {
      const bounds = pageBounds(query, app.secrets, '/files');
      if (query.record !== undefined) needScopeOf(caller, query.record.type);
      const filter = { record: query.record, types: visibleTypes(caller) };
      return listReply(await listFiles(db, caller.accountId, filter, bounds));
    },
  }),
  route({
    method: 'POST',
    path: '/files',
    permission: 'write',
    tag,
    summary: 'Add a file to a record',
    description:
      'The body is the file itself, with `record` and `name` in the query; or a form (`multipart/form-data`) with the file in a part called `file`, where `record` and `name` may be fields. ' +
      'At most 25 MB: images, PDF, documents of Word, Excel, PowerPoint and OpenDocument, RTF, and plain text. Its content decides what kind of file it is. ' +
      'Images are re-encoded upright, without location and camera.',
    query: FileUpload,
    upload: true,
    maxBodyBytes: maxFormBytes,
    success: 201,
    response: singleOf(File),
    conflicts: `The record already has ${maxFilesOfRecord} files, or the account has no more room for files.`,
    tool: false,
    async prepare({ app, db, caller, query, upload }) {
      const incoming = upload();
      const quota = app.config.FILES_MB_PER_ACCOUNT * mebibyte;
      const { file, digest } = await receiveFile(
        { db, log: app.log, caller, quota, now: app.now() },
        query,
        incoming,
      );
      // With an Idempotency-Key, a repeat is recognised by what was sent.
      const { record_id, name } = file;
      incoming.setFingerprint(Buffer.concat([Buffer.from(`${record_id} ${name}\n`), digest]));
      // A replay leaves it behind, and so does a refusal at the last moment.
      incoming.whenOver(() => void discard(db, app.log, caller.accountId, file.id));
      return file;
    },
    handle: async ({ db, caller, prepared }) => single(await addFile(db, caller, prepared)),
  }),
  route({
    method: 'GET',
    path: '/files/:id',
    permission: 'read',
    tag,
    summary: 'Get a file',
    description: 'The record of the file. `GET /files/:id/content` has the bytes.',
    id: 'file',
    success: 200,
    response: singleOf(File),
    async handle({ db, caller, id }) {
      await findVisible(db, caller, id);
      return single(await getRecord(db, fileShape, caller.accountId, id));
    },
  }),
  route({
    method: 'GET',
    path: '/files/:id/content',
    permission: 'read',
    tag,
    summary: 'Get the content of a file',
    description:
      'The bytes, as an attachment; with `disposition=inline`, images are shown in place. 404 for the thumbnail of a file that is not an image. Takes `Range` for one range, with `If-Range`. ' +
      'A `link` opens it without a key.',
    id: 'file',
    query: ContentQuery,
    sendsFile: true,
    success: 200,
    response: Bytes,
    tool: false,
    async handle({ db, caller, id, query }) {
      const file = await findVisible(db, caller, id);
      const inline = query.disposition === 'inline';
      const asked = query.variant === 'thumbnail' ? thumbnailOf : contentOf;
      return { body: '', file: await asked(db, caller, file, inline) };
    },
  }),
  route({
    method: 'GET',
    path: '/files/:id/link',
    permission: 'read',
    tag,
    summary: 'Get a short-lived link to a file',
    // Assistants list files and read them. Tools for everything else would be too much for them to read.
    tool: false,
    description: 'Whoever has the link can open the content until it expires, without a key.',
    id: 'file',
    query: LinkQuery,
    secret: true,
    success: 200,
    response: singleOf(Link),
    async handle({ app, db, caller, id, query, visitor }) {
      await findVisible(db, caller, id);
      const expires = Math.floor(app.now().getTime() / 1000) + query.expires_in;
      const link = writeLink({ accountId: caller.accountId, fileId: id, expires }, app.secrets);
      const { disposition } = query;
      const search = new URLSearchParams({ ...(disposition === 'inline' ? { disposition } : {}), link });
      const url = `${visitor.origin}/api/${apiVersion}/files/${formatId('file', id)}/content?${search}`;
      return single(JSON.stringify({ url, expires_at: new Date(expires * 1000).toISOString() }));
    },
  }),
  route({
    method: 'PATCH',
    path: '/files/:id',
    permission: 'write',
    tag,
    summary: 'Rename a file, or move it among the files of its record',
    tool: false,
    id: 'file',
    body: FilePatch,
    success: 200,
    response: singleOf(File),
    handle: async ({ db, caller, id, body, now }) => single(await changeFile(db, caller, id, body, now)),
  }),
  route({
    method: 'DELETE',
    path: '/files/:id',
    permission: 'write',
    tag,
    summary: 'Delete a file',
    tool: false,
    description: 'For good, with its content.',
    id: 'file',
    success: 200,
    response: singleOf(DeletedFile),
    handle: async ({ db, caller, id }) => single(await deleteFile(db, caller, id)),
  }),
];

async function thumbnailOf(
  db: Db,
  caller: Caller,
  { id, name }: FileRow,
  inline: boolean,
): Promise<SentFile> {
  const content = await findThumbnail(db, caller.accountId, id);
  if (content === null) throw notFound();
  return {
    content,
    type: 'image/webp',
    tag: `${id.replaceAll('-', '').slice(-14)}-preview`,
    name: nameFor(name, 'image/webp'),
    inline,
  };
}

async function contentOf(db: Db, caller: Caller, file: FileRow, inline: boolean): Promise<SentFile> {
  const { id, name, size, content_type } = file;
  const hash = await findHash(db, caller.accountId, id);
  return {
    content: { size, read: (from, until) => readContent(db, caller.accountId, id, { from, until }) },
    type: content_type === 'text/plain' ? 'text/plain; charset=utf-8' : content_type,
    // As long as the tags of records.
    tag: hash?.toString('base64url').slice(0, 22) ?? id,
    name,
    inline: inline && imageType(content_type) !== null,
  };
}
