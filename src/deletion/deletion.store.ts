import type { Db } from '../db/connect.ts';
import { join, literal, raw, type Sql, sql } from '../db/sql.ts';
import type { ReferringType } from './deletion.schema.ts';

/** Records of one type that refer to a record. */
export interface Referring {
  type: ReferringType;
  /** A select of their `id`. */
  select(accountId: string, id: string): Sql;
}

/**
 * Waits for those who are just adding a reference, and keeps others from adding one: each takes a key-share lock for
 * its foreign key. So whatever is counted after this is complete. Returns false if the account has no such record.
 */
export async function lockRecord(tx: Db, table: string, accountId: string, id: string): Promise<boolean> {
  const rows = await tx.query(
    sql`select id from ${raw(table)} where account_id = ${accountId} and id = ${id} for update`,
  );
  return rows.length > 0;
}

const mostIds = 5;

export interface Found {
  type: ReferringType;
  count: number;
  ids: string[];
}

export function findReferences(tx: Db, accountId: string, id: string, by: Referring[]): Promise<Found[]> {
  const each = by.map(
    ({ type, select }) => sql`
      select ${type}::text as type, count(*)::integer as count,
        (array_agg(r.id::text order by r.id desc))[1:${literal(mostIds)}] as ids
      from (${select(accountId, id)}) r having count(*) > 0`,
  );
  return tx.query<Found>(join(each, ' union all '));
}

export const deleteRow = (table: string, accountId: string, id: string): Sql =>
  sql`delete from ${raw(table)} where account_id = ${accountId} and id = ${id} returning *`;

/** If the same file is imported again, it then creates the record again. */
export async function forgetImportKeys(
  tx: Db,
  accountId: string,
  kind: string,
  ids: string[],
): Promise<void> {
  await tx.query(sql`
    delete from import_keys where account_id = ${accountId} and kind = ${kind} and record_id = any(${ids}::uuid[])`);
}
