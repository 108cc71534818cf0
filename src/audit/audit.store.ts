import type { Actor } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { listRecords, type Page } from '../db/lists/list.ts';
import { oneOf } from '../db/lists/selections.ts';
import { actorJson } from '../db/records/actor.ts';
import { id, json, present, text, time, word } from '../db/records/json.ts';
import { noJoins, type RecordShape } from '../db/records/shape.ts';
import { literal, sql } from '../db/sql.ts';
import { idTime, newId } from '../ids.ts';
import type { PageBounds } from '../paging.ts';
import type { AuditAction, AuditFilter } from './audit.schema.ts';

const auditShape: RecordShape = {
  table: 'audit_log',
  alias: 'l',
  joins: noJoins,
  fields: [
    present(id('aud', 'l.id')),
    present(word('l.action')),
    actorJson('l'),
    text('l.ip_address'),
    text('l.subject'),
    json('l.changes'),
    present(time('l.created_at')),
  ],
};

interface NewEntry {
  accountId: string;
  actor: Actor;
  address: string | null;
  action: AuditAction;
  subject: string | null;
  /** JSON. */
  changes: string | null;
}

export async function insertEntry(db: Db, entry: NewEntry): Promise<void> {
  const { accountId, actor, address, action, subject, changes } = entry;
  const fresh = newId();
  await db.query(sql`
    insert into audit_log (account_id, id, action, actor_type, actor_id, actor_name, ip_address, subject, changes, created_at)
    values (${accountId}, ${fresh}, ${action}, ${actor.type}, ${actor.id}, ${actor.name}, ${address}, ${subject}, ${changes},
      ${idTime(fresh)})`);
}

/** The lock is held until the transaction ends. */
export async function lockSubject(tx: Db, accountId: string, subject: string): Promise<void> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`tenure audit ${accountId} ${subject}`}, 0))`,
  );
}

/** The latest entry about a subject with an id from `since` on. */
export async function findEntry(
  tx: Db,
  accountId: string,
  { action, subject, since }: { action: AuditAction; subject: string; since: string },
): Promise<{ id: string; changes: string | null } | null> {
  const [row] = await tx.query<{ id: string; changes: string | null }>(sql`
    select id, changes from audit_log
    where account_id = ${accountId} and action = ${action} and id >= ${since} and subject = ${subject}
    order by id desc limit 1`);
  return row ?? null;
}

export async function changeEntry(
  tx: Db,
  accountId: string,
  id: string,
  { address, changes }: { address: string; changes: string },
): Promise<void> {
  await tx.query(sql`
    update audit_log set ip_address = ${address}, changes = ${changes} where account_id = ${accountId} and id = ${id}`);
}

export async function everyAccount(db: Db): Promise<string[]> {
  const rows = await db.query<{ id: string }>(sql`/* across accounts */ select id from accounts`);
  return rows.map(({ id }) => id);
}

export function listEntries(
  db: Db,
  accountId: string,
  { action }: AuditFilter,
  bounds: PageBounds,
): Promise<Page> {
  const selections = action === undefined ? [] : [[oneOf('action', action)]];
  return listRecords(db, auditShape, { accountId, bounds, selections });
}

/** Deletes entries with ids below this one. Returns how many. */
export async function deleteEntries(
  db: Db,
  accountId: string,
  before: string,
  batch: number,
): Promise<number> {
  const rows = await db.query(sql`
    delete from audit_log where account_id = ${accountId} and id in (
      select id from audit_log where account_id = ${accountId} and id < ${before} order by id limit ${literal(batch)})
    returning id`);
  return rows.length;
}
