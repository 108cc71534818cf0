import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import {
  AppError,
  badRequest,
  conflict,
  invalidField,
  overloaded,
  payloadTooLarge,
  tooManyRequests,
} from '../errors.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { Slots } from '../system/slots.ts';
import { parse } from '../validation.ts';
import * as store from './contents.store.ts';
import { FileUpload, maxFileBytes } from './files.schema.ts';
import { type FileRow, hasRecord } from './files.store.ts';
import { noSuchRecord } from './files.ts';
import { rewriteImage } from './images.ts';
import { imageType, nameFor, typeOf } from './kinds.ts';
import { needScopeOf, type RecordRef } from './records.ts';

/** A body as it arrives: the file, or a form that contains it. */
interface Incoming {
  /** Null if it was not announced. */
  announcedBytes: number | null;
  readFile: <Result>(
    keep: (file: Readable) => Promise<Result>,
  ) => Promise<{ kept: Result; name: string | null; fields: Record<string, string> }>;
}

/** Leaves room for what surrounds a file in a form: boundaries, names, the record. */
export const maxFormBytes = maxFileBytes + 64 * 1024;

interface Receiving {
  db: Db;
  log: Log;
  caller: Caller;
  /** The account's quota in bytes. */
  quota: number;
  now: Date;
}

/** Everything about a file except its position. Its content is stored, but nobody can see it yet. */
interface Received {
  file: Omit<FileRow, 'position'>;
  /** The digest of what was sent. */
  digest: Buffer;
}

/**
 * Receives a file chunk by chunk, so that neither memory nor a database connection is held while a slow sender pauses.
 * Images are then re-encoded.
 */
export async function receiveFile(
  receiving: Receiving,
  given: FileUpload,
  incoming: Incoming,
): Promise<Received> {
  const { db, log, caller } = receiving;
  const { accountId } = caller;
  if ((incoming.announcedBytes ?? 0) > maxFormBytes) throw payloadTooLarge();
  if (given.record !== undefined) await checkRecord(db, caller, given.record);
  const leave = takeSlot(accountId);
  const id = newId();
  try {
    const quota = {
      id,
      bytes: Math.min(incoming.announcedBytes ?? maxFileBytes, maxFileBytes),
      ...receiving,
    };
    if (!(await store.beginContent(db, accountId, quota)))
      throw conflict(
        'storage_quota',
        'This account has no more room for files; delete some, or ask for more.',
      );
    const {
      kept,
      name: called,
      fields,
    } = await incoming.readFile((file) => keepContent(db, accountId, id, file));
    const said = { ...given, ...parse(FileUpload, fields) };
    if (said.record === undefined) throw invalidField('record', 'Required.');
    if (said.record !== given.record) await checkRecord(db, caller, said.record);
    const { thumbnail, ...content } = await rewritten(db, accountId, id, kept);
    const bytes = content.size + (thumbnail?.length ?? 0);
    await store.completeContent(db, accountId, id, { bytes, sha256: content.sha256, thumbnail });
    const { type, size, width, height } = content;
    const name = nameFor(said.name ?? called ?? '', type);
    const { type: record_type, id: record_id } = said.record;
    const { source } = caller;
    return {
      file: { id, record_type, record_id, name, content_type: type, size, width, height, source },
      digest: kept.sha256,
    };
  } catch (error) {
    await discard(db, log, accountId, id);
    throw error;
  } finally {
    leave();
  }
}

/** Deletes what did not become a file. If that fails too, it is deleted within an hour or two. */
export const discard = (db: Db, log: Log, accountId: string, id: string): Promise<void> =>
  store
    .discardContent(db, accountId, id)
    .catch((error) => log.warn({ err: error }, 'an upload that failed could not be taken back'));

async function checkRecord(db: Db, caller: Caller, record: RecordRef): Promise<void> {
  needScopeOf(caller, record.type);
  if (!(await hasRecord(db, caller.accountId, record))) throw noSuchRecord();
}

/**
 * How many uploads may be under way in this process. Each keeps a chunk in memory. One account may have only some of
 * them.
 */
const mostUploads = 100;
const mostOfAccount = 8;
const uploads = new Slots();

function takeSlot(accountId: string): () => void {
  if (uploads.of(accountId) >= mostOfAccount) throw tooManyRequests(1);
  if (uploads.all() >= mostUploads) throw overloaded(1);
  return uploads.take(accountId);
}

interface Kept {
  type: string;
  size: number;
  sha256: Buffer;
}

/** Writes a content as it arrives, in chunks of one size. The first chunk shows what it is. */
async function keepContent(db: Db, accountId: string, id: string, stream: Readable): Promise<Kept> {
  const hash = createHash('sha256');
  let type: string | undefined;
  let size = 0;
  let number = 0;
  for await (const { chunk, isLast } of inChunks(stream)) {
    size += chunk.length;
    if (size > maxFileBytes) throw payloadTooLarge();
    type ??= await typeOf(chunk, isLast);
    hash.update(chunk);
    await store.addChunk(db, accountId, id, number++, chunk);
  }
  if (type === undefined)
    throw badRequest('validation_failed', { formErrors: ['The file is empty.'], fieldErrors: {} });
  return { type, size, sha256: hash.digest() };
}

async function* inChunks(stream: Readable): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  let pieces: Buffer[] = [];
  let length = 0;
  try {
    // The stream is not destroyed if we stop early, because the answer goes out on the same connection.
    for await (const piece of stream.iterator({ destroyOnReturn: false })) {
      pieces.push(piece as Buffer);
      length += (piece as Buffer).length;
      while (length > store.chunkBytes) {
        const all = Buffer.concat(pieces, length);
        yield { chunk: all.subarray(0, store.chunkBytes), isLast: false };
        pieces = [all.subarray(store.chunkBytes)];
        length -= store.chunkBytes;
      }
    }
  } catch (error) {
    throw error instanceof AppError ? error : badRequest('bad_request', 'The request was cut off.');
  }
  if (length > 0) yield { chunk: Buffer.concat(pieces, length), isLast: true };
}

interface Rewritten extends Kept {
  width: number | null;
  height: number | null;
  thumbnail: Buffer | null;
}

/** Replaces an image by a re-encoded one, without hidden data. */
async function rewritten(db: Db, accountId: string, id: string, kept: Kept): Promise<Rewritten> {
  const type = imageType(kept.type);
  if (type === null) return { ...kept, width: null, height: null, thumbnail: null };
  const readAll = async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of readContent(db, accountId, id, { from: 0, until: kept.size }))
      chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const { data, width, height, thumbnail } = await rewriteImage(readAll, type, accountId);
  if (data.length > maxFileBytes) throw payloadTooLarge();
  await store.dropChunks(db, accountId, id);
  for (let at = 0; at < data.length; at += store.chunkBytes)
    await store.addChunk(db, accountId, id, at / store.chunkBytes, data.subarray(at, at + store.chunkBytes));
  const sha256 = createHash('sha256').update(data).digest();
  return { type, size: data.length, sha256, width, height, thumbnail };
}

/** Reads a range of a content, one statement for each chunk. Between statements, only the chunk is in memory. */
export async function* readContent(
  db: Db,
  accountId: string,
  id: string,
  { from, until }: { from: number; until: number },
): AsyncGenerator<Buffer> {
  for (let number = Math.floor(from / store.chunkBytes); number * store.chunkBytes < until; number++) {
    const begins = number * store.chunkBytes;
    const chunk = await store.readChunk(db, accountId, id, number);
    // It was deleted while being read. The connection is aborted, so that half a file never looks whole.
    if (chunk === undefined) throw new Error('A file was deleted while it was read.');
    yield chunk.subarray(Math.max(0, from - begins), Math.min(chunk.length, until - begins));
  }
}

const unkeptMs = 3_600_000;

/** Deletes what was begun but never became a file. The slowest upload lasts half an hour (http/uploads/steady.ts). */
export const forgetUnkept = (db: Db, accountId: string, now: Date, batch: number): Promise<number> =>
  store.discardOld(db, accountId, new Date(now.getTime() - unkeptMs), batch);
