import type { Db } from '../db/connect.ts';
import { listRecords, type Page } from '../db/lists/list.ts';
import { type RowOf, shapeOf, type WithId } from '../db/records/columns.ts';
import { present, word } from '../db/records/json.ts';
import { findRows } from '../db/records/rows.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import type { PageBounds } from '../paging.ts';
import { files } from './files.columns.ts';
import { type RecordRef, type RecordType, recordKinds, tableOf } from './records.ts';

export type FileRow = WithId<RowOf<typeof files>>;

const prefixes = recordKinds.map(({ type, prefix }) => `when '${type}' then '${prefix}'`).join(' ');
const record = present(
  word(raw(`(case f.record_type ${prefixes} end || '_' || encode(uuid_send(f.record_id), 'hex'))`), 'record'),
);

export const fileShape: RecordShape = shapeOf(files, { id: [record] });

/** The name of files that are erased with a tenant, because a name may be personal. */
export const erasedName = 'Erased file';
export const erasedShape: RecordShape = {
  ...fileShape,
  fields: fileShape.fields.map((field) =>
    field.name === 'name' ? present(word(raw(`'${erasedName}'`), 'name')) : field,
  ),
};

export function listFiles(
  db: Db,
  accountId: string,
  filter: { record: RecordRef | undefined; types: RecordType[] | null },
  bounds: PageBounds,
): Promise<Page> {
  const { record, types } = filter;
  return listRecords(db, fileShape, {
    accountId,
    bounds,
    ...(record && { few: sql`f.record_id = ${record.id}` }),
    conditions: types === null ? [] : [sql`f.record_type = any(${types}::text[])`],
  });
}

export async function hasRecord(db: Db, accountId: string, { type, id }: RecordRef): Promise<boolean> {
  const rows = await db.query(
    sql`select id from ${raw(tableOf(type))} where account_id = ${accountId} and id = ${id}`,
  );
  return rows.length > 0;
}

export async function findFile(db: Db, accountId: string, id: string): Promise<FileRow | undefined> {
  const [row] = await findRows(db, files, accountId, [id], false);
  return row;
}

/** Takes the lock that lets only one caller at a time add, move or delete files of a record. */
export async function lockRecordFiles(tx: Db, accountId: string, recordId: string): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`tenure files ${accountId} ${recordId}`}, 0))`,
  );
}

/** The files of a record, in order. */
export async function findFilesOf(tx: Db, accountId: string, recordId: string): Promise<FileRow[]> {
  const found = await tx.query<{ id: string }>(
    sql`select id from files where account_id = ${accountId} and record_id = ${recordId}`,
  );
  const rows = await findRows(
    tx,
    files,
    accountId,
    found.map(({ id }) => id),
    true,
  );
  return rows.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
}

/** The ids of the files of some records. */
export async function findIdsOf(tx: Db, accountId: string, records: Sql): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from files where account_id = ${accountId} and record_id in (${records}) order by id for update`);
  return rows.map(({ id }) => id);
}

/** Deletes files, and their bytes in the same statement. */
export const deleteRows = (accountId: string, ids: string[]): Sql =>
  sql`delete from files where account_id = ${accountId} and id = any(${ids}::uuid[]) returning *`;

export const deleteContents = (accountId: string): Sql =>
  sql`delete from file_contents where account_id = ${accountId} and id in (select id from changed)`;
