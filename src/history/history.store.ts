import type { Actor } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { actorJson } from '../db/records/actor.ts';
import { id, json, present, text, time, word } from '../db/records/json.ts';
import { listRecords, noJoins, type Page, type RecordShape, recordJson } from '../db/records/list.ts';
import { literal, raw, sql } from '../db/sql.ts';
import { idTime, newId } from '../ids.ts';
import type { PageBounds } from '../paging.ts';
import type { Noun } from './nouns.ts';

const historyShape: RecordShape = {
  table: 'history',
  alias: 'h',
  joins: noJoins,
  fields: [
    present(id('hst', 'h.id')),
    present(word('h.action')),
    actorJson('h'),
    json('h.changes'),
    text('h.note'),
    present(time('h.created_at')),
  ],
};

export const listHistory = (db: Db, accountId: string, recordId: string, bounds: PageBounds): Promise<Page> =>
  listRecords(db, historyShape, {
    accountId,
    bounds,
    selections: [[{ column: 'record_id', value: recordId, selective: true }]],
  });

export async function exists(db: Db, { table }: Noun, accountId: string, recordId: string): Promise<boolean> {
  const rows = await db.query(
    sql`select id from ${raw(table)} where account_id = ${accountId} and id = ${recordId}`,
  );
  return rows.length > 0;
}

/** The entry's JSON, or null if there is no such record. */
export async function insertNote(
  db: Db,
  { table }: Noun,
  accountId: string,
  recordId: string,
  { actor, note }: { actor: Actor; note: string },
): Promise<string | null> {
  const entry = newId();
  const [row] = await db.query<{ json: string }>(sql`
    with noted as (
      insert into history (account_id, record_id, id, action, note, actor_type, actor_id, actor_name, created_at)
      select ${accountId}, r.id, ${entry}, 'noted', ${note}, ${actor.type}, ${actor.id}::uuid, ${actor.name},
        ${idTime(entry)}::timestamptz
      from ${raw(table)} r where r.account_id = ${accountId} and r.id = ${recordId}
      returning *)
    select ${recordJson(historyShape)} as json from noted h`);
  return row?.json ?? null;
}

/** Deletes what is older. Returns how many. */
export async function deleteHistory(db: Db, accountId: string, before: Date, batch: number): Promise<number> {
  const rows = await db.query(sql`
    delete from history where account_id = ${accountId} and (record_id, id) in (
      select record_id, id from history where account_id = ${accountId} and created_at < ${before}
      limit ${literal(batch)})
    returning id`);
  return rows.length;
}
