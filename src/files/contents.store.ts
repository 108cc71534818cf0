import type { Db } from '../db/connect.ts';
import { literal, type Sql, sql } from '../db/sql.ts';

/** Small enough for a connection's turn, and large enough that a photo takes a dozen statements. */
export const chunkBytes = 256 * 1024;

/**
 * Begins to store a content, and counts as many bytes as were announced, so that simultaneous uploads cannot exceed the
 * quota together. Returns false if the account has no room for it.
 */
export function beginContent(
  db: Db,
  accountId: string,
  { id, bytes, quota, now }: { id: string; bytes: number; quota: number; now: Date },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.query(
      sql`select pg_advisory_xact_lock(hashtextextended(${`tenure file quota ${accountId}`}, 0))`,
    );
    const rows = await tx.query(sql`
      insert into file_contents (account_id, id, bytes, created_at)
      select ${accountId}, ${id}, ${bytes}::bigint, ${now}
      where ${bytes}::bigint + coalesce(
        (select sum(bytes) from file_contents where account_id = ${accountId}), 0) <= ${quota}::bigint
      returning id`);
    return rows.length > 0;
  });
}

export async function addChunk(
  db: Db,
  accountId: string,
  id: string,
  number: number,
  data: Buffer,
): Promise<void> {
  await db.query(sql`
    insert into file_chunks (account_id, content_id, number, data) values (${accountId}, ${id}, ${number}, ${data})`);
}

/** Undefined if the file has been deleted. */
export async function readChunk(
  db: Db,
  accountId: string,
  id: string,
  number: number,
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ data: Buffer }>(sql`
    select data from file_chunks where account_id = ${accountId} and content_id = ${id} and number = ${number}`);
  return row?.data;
}

export async function dropChunks(db: Db, accountId: string, id: string): Promise<void> {
  await db.query(sql`delete from file_chunks where account_id = ${accountId} and content_id = ${id}`);
}

export async function completeContent(
  db: Db,
  accountId: string,
  id: string,
  { bytes, sha256, thumbnail }: { bytes: number; sha256: Buffer; thumbnail: Buffer | null },
): Promise<void> {
  await db.query(sql`
    update file_contents set bytes = ${bytes}::bigint, sha256 = ${sha256}, thumbnail = ${thumbnail}
    where account_id = ${accountId} and id = ${id} and not kept`);
}

/** The content of a file that is made in the same transaction. */
export const keepContent = (accountId: string, id: string): Sql => sql`
  update file_contents set kept = true where account_id = ${accountId} and id = ${id} and not kept returning id`;

/** Deletes a content that did not become a file. */
export async function discardContent(db: Db, accountId: string, id: string): Promise<void> {
  await db.query(sql`delete from file_contents where account_id = ${accountId} and id = ${id} and not kept`);
}

/** Deletes contents begun before a moment that never became files: the process died, or the caller went away. */
export async function discardOld(db: Db, accountId: string, before: Date, most: number): Promise<number> {
  const rows = await db.query(sql`
    delete from file_contents where account_id = ${accountId} and not kept and id in (
      select id from file_contents where account_id = ${accountId} and not kept and created_at < ${before}
      limit ${literal(most)})
    returning id`);
  return rows.length;
}

export async function findHash(db: Db, accountId: string, id: string): Promise<Buffer | null> {
  const [row] = await db.query<{ sha256: Buffer | null }>(
    sql`select sha256 from file_contents where account_id = ${accountId} and id = ${id}`,
  );
  return row?.sha256 ?? null;
}

export async function findThumbnail(db: Db, accountId: string, id: string): Promise<Buffer | null> {
  const [row] = await db.query<{ thumbnail: Buffer | null }>(
    sql`select thumbnail from file_contents where account_id = ${accountId} and id = ${id} and kept`,
  );
  return row?.thumbnail ?? null;
}

/** The size of all files of an account, in bytes. */
export async function countBytes(db: Db, accountId: string): Promise<number> {
  const [row] = await db.query<{ bytes: number }>(
    sql`select coalesce(sum(bytes), 0)::float8 as bytes from file_contents where account_id = ${accountId}`,
  );
  return row?.bytes ?? 0;
}

export async function isOpen(db: Db, accountId: string): Promise<boolean> {
  const rows = await db.query(sql`select id from accounts where id = ${accountId} and closed_at is null`);
  return rows.length > 0;
}
