import type { Actor } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { listRecords, type Page } from '../db/lists/list.ts';
import { actorJson } from '../db/records/actor.ts';
import { id, json, objectJson, present, publicId, text, time, word } from '../db/records/json.ts';
import { noJoins, type RecordShape, recordJson } from '../db/records/shape.ts';
import { join, literal, raw, sql } from '../db/sql.ts';
import { idTime, newId } from '../ids.ts';
import type { PageBounds } from '../paging.ts';
import { type Noun, nouns } from './nouns.ts';

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

/**
 * A page of the entries about all records, record by record. A deleted record no longer has a noun that would show its
 * prefix, so its id is shown without one.
 */
export async function listHistories(
  db: Db,
  accountId: string,
  after: string | null,
  limit: number,
): Promise<Page> {
  const [record = lowestId, entry = lowestId] = after?.split(' ') ?? [];
  const kinds = nouns.map(
    ({ table, id: prefix }) => sql`
      when exists (select from ${raw(table)} r where r.account_id = ${accountId} and r.id = h.record_id)
      then ${publicId(prefix, 'h.record_id')}`,
  );
  const fields = [present(text(raw('h.record'), 'record_id')), ...historyShape.fields];
  const rows = await db.query<{ json: string; position: string }>(sql`
    select ${objectJson(fields)} as json, h.record_id || ' ' || h.id as position from (
      select h.*, case ${join(kinds, ' ')} else encode(uuid_send(h.record_id), 'hex') end as record from (
        select * from history h
        where h.account_id = ${accountId} and (h.record_id, h.id) > (${record}::uuid, ${entry}::uuid)
        order by h.record_id, h.id limit ${limit + 1}) h) h
    order by h.record_id, h.id`);
  const shown = rows.slice(0, limit);
  const more = rows.length > limit;
  return {
    data: `[${shown.map(({ json }) => json).join(',')}]`,
    count: shown.length,
    nextAfter: more ? (shown.at(-1)?.position ?? null) : null,
  };
}

const lowestId = '00000000-0000-0000-0000-000000000000';

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

/** Deletes older entries. Returns how many. */
export async function deleteHistory(db: Db, accountId: string, before: Date, batch: number): Promise<number> {
  const rows = await db.query(sql`
    delete from history where account_id = ${accountId} and (record_id, id) in (
      select record_id, id from history where account_id = ${accountId} and created_at < ${before}
      limit ${literal(batch)})
    returning id`);
  return rows.length;
}
