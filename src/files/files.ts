import { audit } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { insertRows, updateRows } from '../db/records/rows.ts';
import { getRecord } from '../db/records/shape.ts';
import { numbered } from '../db/records/written-in.ts';
import type { Sql } from '../db/sql.ts';
import { refuseViolations } from '../db/violations.ts';
import { conflict, invalidField, notFound } from '../errors.ts';
import { recordChange, recordOne } from '../events/record.ts';
import type { Writing } from '../events/writer.ts';
import { formatId } from '../ids.ts';
import { keepContent } from './contents.store.ts';
import { files } from './files.columns.ts';
import { type FileChange, maxFilesOfRecord } from './files.schema.ts';
import * as store from './files.store.ts';
import { nameFor } from './kinds.ts';
import { needScopeOf, recordKinds } from './records.ts';

export { erasedName } from './files.store.ts';

export const noSuchRecord = () => invalidField('record', 'There is no record with this id here.');

/** Makes a file of what has arrived, as the last one of its record. It is visible from this statement on. */
export function addFile(db: Db, caller: Caller, file: Omit<store.FileRow, 'position'>): Promise<string> {
  const { accountId, actor } = caller;
  return db.transaction(async (tx) => {
    await store.lockRecordFiles(tx, accountId, file.record_id);
    const others = await store.findFilesOf(tx, accountId, file.record_id);
    if (others.length >= maxFilesOfRecord)
      throw conflict('limit_reached', `A record may have at most ${maxFilesOfRecord} files.`);
    const row = { ...file, position: (others.at(-1)?.position ?? 0) + 1 };
    const gone = Object.fromEntries(recordKinds.map(({ type }) => [`files_${type}_id_fk`, noSuchRecord]));
    const kept = await tx.query(keepContent(accountId, file.id));
    if (kept.length === 0) throw new Error('A file was made without its content.');
    return refuseViolations(
      'files',
      () =>
        recordOne(tx, {
          accountId,
          actor,
          shape: store.fileShape,
          rows: insertRows(files, accountId, [row], { values: numbered }),
          events: ['file.created'],
          isRemembered: false,
          bounded: true,
        }),
      gone,
    );
  });
}

/** Gives a file another name, or another position among the files of its record. */
export function changeFile(
  db: Db,
  caller: Caller,
  id: string,
  { name, position }: FileChange,
  now: Date,
): Promise<string> {
  const { accountId } = caller;
  return db.transaction(async (tx) => {
    const file = await findVisible(tx, caller, id);
    await store.lockRecordFiles(tx, accountId, file.record_id);
    const all = await store.findFilesOf(tx, accountId, file.record_id);
    const own = all.find((each) => each.id === id);
    if (own === undefined) throw notFound();
    const others = all.filter((each) => each !== own);
    const arranged = position === undefined ? all : others.toSpliced(position - 1, 0, own);
    const changed = arranged
      .map((each, at) => ({
        ...each,
        position: position === undefined ? each.position : at + 1,
        name: each === own && name !== undefined ? nameFor(name, own.content_type) : each.name,
      }))
      .filter((each) => {
        const before = all.find((one) => one.id === each.id);
        return before?.position !== each.position || before.name !== each.name;
      });
    if (changed.length > 0)
      await recordChange(tx, {
        accountId,
        actor: caller.actor,
        shape: store.fileShape,
        rows: updateRows(files, accountId, changed, now),
        ids: changed.map((each) => each.id),
        events: ['file.updated'],
        isRemembered: false,
        answered: false,
        bounded: true,
      });
    return getRecord(tx, store.fileShape, accountId, id);
  });
}

/** Deletes a file for good, with its content. */
export function deleteFile(db: Db, caller: Caller, id: string): Promise<string> {
  const { accountId, actor } = caller;
  return db.transaction(async (tx) => {
    await findVisible(tx, caller, id);
    const deleted = await recordChange(tx, {
      accountId,
      actor,
      shape: store.fileShape,
      rows: store.deleteRows(accountId, [id]),
      also: store.deleteContents(accountId),
      events: ['file.deleted'],
      isRemembered: false,
    });
    // Somebody else was faster.
    if (deleted.length === 0) throw notFound();
    const publicId = formatId('file', id);
    await audit(tx, caller, 'record.deleted', { subject: publicId });
    return JSON.stringify({ id: publicId, deleted: true });
  });
}

const atOnce = 500;

/**
 * Deletes the files of records that are deleted, or of a tenant who is erased. For a tenant, events must not reveal the
 * files' names. `records` selects the ids of the records.
 */
export async function deleteFilesOf(
  tx: Db,
  { accountId, actor }: Pick<Writing, 'accountId' | 'actor'>,
  records: Sql,
  how: { erased: boolean } = { erased: false },
): Promise<void> {
  const ids = await store.findIdsOf(tx, accountId, records);
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce);
    await recordChange(tx, {
      accountId,
      actor,
      shape: how.erased ? store.erasedShape : store.fileShape,
      rows: store.deleteRows(accountId, some),
      also: store.deleteContents(accountId),
      count: some.length,
      events: ['file.deleted'],
      isRemembered: false,
      answered: false,
    });
  }
}

/** A file on a record that the caller may see. */
export async function findVisible(db: Db, caller: Caller, id: string): Promise<store.FileRow> {
  const file = await store.findFile(db, caller.accountId, id);
  if (file === undefined) throw notFound();
  needScopeOf(caller, file.record_type);
  return file;
}
