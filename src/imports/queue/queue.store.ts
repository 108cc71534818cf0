import type { Actor } from '../../caller.ts';
import type { Db } from '../../db/connect.ts';
import { listRecords, type Page } from '../../db/lists/list.ts';
import { actorJson } from '../../db/records/actor.ts';
import { type Field, id, json, number, present, text, time, word } from '../../db/records/json.ts';
import { getRecord, noJoins, type RecordShape } from '../../db/records/shape.ts';
import { literal, raw, type Sql, sql } from '../../db/sql.ts';
import { notFound } from '../../errors.ts';
import { idTime, newId } from '../../ids.ts';
import type { PageBounds } from '../../paging.ts';
import type { KindName } from '../kind.ts';
import type { ImportCreate, importStates } from './queue.schema.ts';

/** A part of the report, which exists only once the import is over. */
const reported = (name: string, otherwise: '0' | '[]' | 'null'): Field =>
  present(json(raw(`coalesce(i.report->'${name}', '${otherwise}'::json)`), name));

const shownFields: Field[] = [
  present(id('imp', 'i.id')),
  present(word('i.kind')),
  present(text('i.file')),
  present(number('i.size_bytes')),
  present(number('i.dry_run')),
  present(number('i.skip_errors')),
  present(word('i.state')),
  present(number('i.rows_done')),
  ...['rows', 'create', 'update', 'unchanged', 'skipped', 'left_out', 'error_count'].map((name) =>
    reported(name, '0'),
  ),
  present(number('i.rejected_rows', 'rejected')),
  json('i.error'),
  actorJson('i'),
  present(time('i.created_at')),
  time('i.started_at'),
  time('i.finished_at'),
];

const importShape: RecordShape = { table: 'imports', alias: 'i', joins: noJoins, fields: shownFields };
const shapeWithReport: RecordShape = {
  ...importShape,
  fields: [
    ...shownFields,
    reported('preset', 'null'),
    ...['columns', 'ignored_columns', 'parts', 'notes', 'errors'].map((name) => reported(name, '[]')),
  ],
};

export const listImports = (db: Db, accountId: string, bounds: PageBounds): Promise<Page> =>
  listRecords(db, importShape, { accountId, bounds });

export const getImport = (db: Db, accountId: string, importId: string): Promise<string> =>
  getRecord(db, shapeWithReport, accountId, importId);

export async function findRejected(
  db: Db,
  accountId: string,
  importId: string,
): Promise<{ rows: number; csv: string }> {
  const [row] = await db.query<{ rows: number; csv: string }>(sql`
    select rejected_rows as rows, coalesce(rejected, '') as csv from imports
    where account_id = ${accountId} and id = ${importId}`);
  if (row === undefined) throw notFound();
  return row;
}

/** The lock is held until the transaction ends, so that two requests at once count one after the other. */
export async function countWaiting(tx: Db, accountId: string): Promise<number> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`tenure import queue ${accountId}`}, 0))`,
  );
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::integer as count from imports
    where account_id = ${accountId} and state in ('queued', 'running')`);
  return row?.count ?? 0;
}

interface NewImport extends Omit<ImportCreate, 'file' | 'file_name'> {
  accountId: string;
  actor: Actor;
  address: string | null;
  file: string;
  content: Buffer;
}

/** Small enough that a statement with a piece of this size is nothing unusual for the database. */
const pieceBytes = 1024 * 1024;

export async function insertImport(tx: Db, made: NewImport): Promise<string> {
  const fresh = newId();
  const { accountId, actor, address, kind, file, content, dry_run, skip_errors } = made;
  const { mapping, date_format, events } = made;
  await tx.query(sql`
    insert into imports (account_id, id, kind, file, size_bytes, dry_run, skip_errors, options, actor_type, actor_id,
      actor_name, ip_address, created_at)
    values (${accountId}, ${fresh}, ${kind}, ${file}, ${content.length}, ${dry_run}, ${skip_errors},
      ${JSON.stringify({ mapping, date_format, events })}, ${actor.type}, ${actor.id}, ${actor.name}, ${address},
      ${idTime(fresh)})`);
  for (let piece = 0; piece * pieceBytes < content.length; piece++)
    await tx.query(sql`
      insert into import_files (account_id, import_id, piece, content)
      values (${accountId}, ${fresh}, ${piece}, ${content.subarray(piece * pieceBytes, (piece + 1) * pieceBytes)})`);
  return fresh;
}

export interface Claimed {
  account_id: string;
  id: string;
  kind: KindName;
  file: string;
  size_bytes: number;
  dry_run: boolean;
  skip_errors: boolean;
  options: Pick<ImportCreate, 'mapping' | 'date_format' | 'events'>;
  actor_type: Actor['type'];
  actor_id: string | null;
  actor_name: string;
  ip_address: string | null;
  attempts: number;
  /** How far the clock of a test account is ahead. */
  ahead_ms: number;
}

/** How long an import counts as running after its worker last reported. */
const claimSeconds = 60;

/** How many are tried at a time, because other workers may take the first ones. */
const triedAtOnce = 10;

/**
 * Takes the import that has waited longest among the first ones of each account, because an account's files may build
 * on each other. An import whose worker is gone is taken again. If two workers try to take the same one, the second
 * waits for the first, finds it taken, and continues with the next.
 */
export async function claimImport(db: Db, claim: string): Promise<Claimed | null> {
  const waiting = await db.query<Own>(sql`/* across accounts */
    select n.account_id, n.id from imports n
    join accounts a on a.id = n.account_id and a.closed_at is null
    where n.state in ('queued', 'running') and (n.claimed_until is null or n.claimed_until < now())
      and not exists (select from imports b
        where b.account_id = n.account_id and b.state in ('queued', 'running') and b.id < n.id)
    order by n.id limit ${literal(triedAtOnce)}`);
  for (const { account_id: accountId, id } of waiting) {
    const ahead_ms = await readAhead(db, accountId);
    const [row] = await db.query<Omit<Claimed, 'ahead_ms'>>(sql`
      update imports set state = 'running', claim = ${claim}, attempts = attempts + 1, rows_done = 0,
        claimed_until = now() + ${literal(claimSeconds)} * interval '1 second',
        started_at = least(started_at, ${nowAhead(ahead_ms)})
      where account_id = ${accountId} and id = ${id} and state in ('queued', 'running')
        and (claimed_until is null or claimed_until < now())
      returning account_id, id, kind, file, size_bytes, dry_run, skip_errors, options, actor_type, actor_id, actor_name,
        ip_address, attempts`);
    if (row) return { ...row, ahead_ms };
  }
  return null;
}

/** The time in a test account. Imports are made at that time. */
const nowAhead = (aheadMs: number): Sql => sql`now() + ${aheadMs}::float8 * interval '1 millisecond'`;

async function readAhead(db: Db, accountId: string): Promise<number> {
  const [clock] = await db.query<{ ahead_ms: number }>(sql`
    select ahead_ms::float8 as ahead_ms from account_clocks where account_id = ${accountId}`);
  return clock?.ahead_ms ?? 0;
}

type Own = Pick<Claimed, 'account_id' | 'id'>;

export async function readContent(db: Db, { account_id, id, size_bytes }: Claimed): Promise<Buffer> {
  const content = Buffer.alloc(size_bytes);
  for (let piece = 0; piece * pieceBytes < size_bytes; piece++) {
    const [row] = await db.query<{ content: Buffer }>(sql`
      select content from import_files
      where account_id = ${account_id} and import_id = ${id} and piece = ${piece}`);
    row?.content.copy(content, piece * pieceBytes);
  }
  return content;
}

/** Says that its worker is alive. Returns false if somebody else has taken it by now. */
export async function keepClaim(
  db: Db,
  { account_id, id }: Own,
  claim: string,
  rowsDone: number,
): Promise<boolean> {
  const rows = await db.query(sql`
    update imports set rows_done = ${rowsDone}, claimed_until = now() + ${literal(claimSeconds)} * interval '1 second'
    where account_id = ${account_id} and id = ${id} and claim = ${claim} and state = 'running' returning id`);
  return rows.length > 0;
}

/** Makes the import wait for this long. If the failure was its own fault, the attempt counts. */
export async function putBack(
  db: Db,
  { account_id, id }: Own,
  claim: string,
  { afterSeconds, counts }: { afterSeconds: number; counts: boolean },
): Promise<void> {
  await db.query(sql`
    update imports set state = 'queued', claim = null, attempts = attempts - ${literal(counts ? 0 : 1)},
      claimed_until = now() + ${literal(afterSeconds)} * interval '1 second'
    where account_id = ${account_id} and id = ${id} and claim = ${claim} and state = 'running'`);
}

export interface Finished {
  state: Extract<(typeof importStates)[number], 'applied' | 'valid' | 'failed'>;
  rowsDone: number;
  report: object | null;
  rejected: string | null;
  rejectedRows: number;
  error: { type: string; message: string } | null;
}

/** Files may contain characters that the database does not accept. */
const storable = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();
const storableJson = (value: object | null): string | null =>
  value && JSON.stringify(value, (_, each) => (typeof each === 'string' ? storable(each) : each));

/** Ends an import. Returns false if somebody else has taken it by now. */
export async function finishImport(
  tx: Db,
  { account_id, id, ahead_ms }: Own & Pick<Claimed, 'ahead_ms'>,
  claim: string,
  { state, rowsDone, report, rejected, rejectedRows, error }: Finished,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update imports set state = ${state}, rows_done = ${rowsDone}, report = ${storableJson(report)},
      rejected = ${rejected && storable(rejected)}, rejected_rows = ${rejectedRows}, error = ${storableJson(error)},
      claim = null, claimed_until = null, finished_at = ${nowAhead(ahead_ms)}
    where account_id = ${account_id} and id = ${id} and claim = ${claim} and state = 'running' returning id`);
  if (rows.length > 0)
    await tx.query(sql`delete from import_files where account_id = ${account_id} and import_id = ${id}`);
  return rows.length > 0;
}

/** Deletes finished imports with ids below this one. Returns how many. */
export async function deleteImports(
  db: Db,
  accountId: string,
  before: string,
  batch: number,
): Promise<number> {
  const rows = await db.query(sql`
    delete from imports where account_id = ${accountId} and id in (
      select id from imports
      where account_id = ${accountId} and id < ${before} and state not in ('queued', 'running')
      order by id limit ${literal(batch)})
    returning id`);
  return rows.length;
}

/** Deletes what files said about people. The counts stay. */
export async function eraseDetails(tx: Db, accountId: string): Promise<void> {
  await tx.query(sql`
    update imports set rejected = null, rejected_rows = 0,
      report = (report::jsonb || '{"errors": [], "notes": []}')::json
    where account_id = ${accountId} and report is not null`);
}

export const listFileNames = (tx: Db, accountId: string): Promise<{ id: string; file: string }[]> =>
  tx.query(sql`select id, file from imports where account_id = ${accountId}`);

export async function eraseFileNames(tx: Db, accountId: string, ids: string[]): Promise<void> {
  await tx.query(
    sql`update imports set file = '[erased]' where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
}
