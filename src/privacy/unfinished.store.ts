import type { Db } from '../db/connect.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
import { literal, sql } from '../db/sql.ts';
import { type AboutTenant, concerns, highestId, historyOf } from './about-tenant.store.ts';
import { erasedNote } from './redact.ts';

export const steps = ['events', 'deliveries', 'attempts', 'answers'] as const;
type Step = (typeof steps)[number];

export interface Unfinished {
  tenant_id: string;
  erased_at: Date;
  step: Step;
  position: string | null;
  looks: number;
}

export const findAccountsToErase = (db: Db, now: Date): Promise<{ account_id: string }[]> =>
  db.query(sql`/* across accounts */
    select distinct account_id from erasures where next_at is not null and next_at <= ${now}::timestamptz limit 100`);

/** Takes an erasure, any or that of one tenant, that is due and that no other process is working on. */
export async function takeUnfinished(
  tx: Db,
  accountId: string,
  now: Date,
  tenantId: string | null,
): Promise<Unfinished | null> {
  const [row] = await tx.query<Unfinished>(sql`
    select tenant_id, erased_at, step, position, looks from erasures
    where account_id = ${accountId} and next_at is not null and next_at <= ${now}::timestamptz
      and (${tenantId}::uuid is null or tenant_id = ${tenantId}::uuid)
    order by next_at limit 1 for update skip locked`);
  return row ?? null;
}

export async function putUnfinished(
  tx: Db,
  accountId: string,
  { tenant_id, step, position, looks }: Unfinished,
  nextAt: Date | null,
): Promise<void> {
  await tx.query(sql`
    update erasures set step = ${step}, position = ${position}, looks = ${looks}, next_at = ${nextAt}
    where account_id = ${accountId} and tenant_id = ${tenant_id}`);
}

/** How much is read at once: about a megabyte. */
const batch = 500;
/** Fewer, because a kept answer may be a long list. */
const answerBatch = 20;

/** Where the next batch begins; null if there is none. */
export type Position = string | null;

interface Looked<Row> {
  rows: Row[];
  next: Position;
}

const looked = <Row>(rows: Row[], positionOf: (row: Row) => string, most = batch): Looked<Row> => {
  const last = rows.at(-1);
  return { rows, next: last === undefined || rows.length < most ? null : positionOf(last) };
};

/**
 * Events from the newest on, so that those still to be sent come first. Only events about the tenant come with their
 * body.
 */
export async function findEvents(
  tx: Db,
  about: AboutTenant,
  position: Position,
  since: string,
): Promise<Looked<{ id: string; body: string | null }>> {
  const rows = await tx.query<{ id: string; body: string | null }>(sql`
    select e.id, case when ${concerns(about)} then e.body end as body from (
      select id, event, body from events
      where account_id = ${about.accountId} and id < ${position ?? highestId} and id >= ${since}
      order by id desc limit ${literal(batch)}) e
    order by e.id desc`);
  return looked(rows, ({ id }) => id);
}

export async function replaceBodies(
  tx: Db,
  accountId: string,
  rows: { id: string; body: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql`
    update events e set body = n.body from ${rowsAsTable(rows, { id: 'uuid', body: 'text' })}
    where e.account_id = ${accountId} and e.id = n.id`);
}

const hasAnswer = sql`(coalesce(response_body <> ${erasedNote}, false) or coalesce(response_headers <> '{}', false))`;
const eraseAnswer = sql`response_body = case when response_body is not null then ${erasedNote}::text end,
  response_headers = case when response_headers is not null then '{}' end`;

/**
 * Erases what endpoints answered to those events, and to events that are no longer kept: an answer may repeat what was
 * sent.
 */
export async function eraseResponses(
  tx: Db,
  about: AboutTenant,
  position: Position,
  since: string,
): Promise<Position> {
  const { accountId } = about;
  const { rows, next } = looked(
    await tx.query<{ id: string; meant: boolean }>(sql`
      select d.id, d.answered and (e.id is null or ${concerns(about)}) as meant from (
        select id, event_id, ${hasAnswer} as answered from deliveries
        where account_id = ${accountId} and id < ${position ?? highestId} and id >= ${since}
        order by id desc limit ${literal(batch)}) d
      left join events e on e.account_id = ${accountId} and e.id = d.event_id
      order by d.id desc`),
    ({ id }) => id,
  );
  const ids = rows.filter(({ meant }) => meant).map(({ id }) => id);
  if (ids.length > 0)
    await tx.query(sql`
      update deliveries set ${eraseAnswer}
      where account_id = ${accountId} and id = any(${ids}::uuid[])`);
  return next;
}

/** The same for earlier attempts, both of deliveries that have ended and of those that are waiting. */
export async function eraseAttempts(
  tx: Db,
  about: AboutTenant,
  position: Position,
  since: string,
): Promise<Position> {
  const { accountId } = about;
  const [before = highestId, attempt = '0'] = position?.split(' ') ?? [];
  const { rows, next } = looked(
    await tx.query<{ delivery_id: string; attempt: number; meant: boolean }>(sql`
      select a.delivery_id, a.attempt, a.answered and (e.id is null or ${concerns(about)}) as meant from (
        select delivery_id, attempt, ${hasAnswer} as answered
        from delivery_attempts
        where account_id = ${accountId} and (delivery_id, attempt) < (${before}::uuid, ${Number(attempt)}::smallint)
          and delivery_id >= ${since}
        order by delivery_id desc, attempt desc limit ${literal(batch)}) a
      left join deliveries d on d.account_id = ${accountId} and d.id = a.delivery_id
      left join delivery_queue q on q.account_id = ${accountId} and q.id = a.delivery_id
      left join events e on e.account_id = ${accountId} and e.id = coalesce(d.event_id, q.event_id)
      order by a.delivery_id desc, a.attempt desc`),
    (row) => `${row.delivery_id} ${row.attempt}`,
  );
  const meant = rows.filter((row) => row.meant);
  if (meant.length > 0)
    await tx.query(sql`
      update delivery_attempts a set ${eraseAnswer}
      from ${rowsAsTable(meant, { delivery_id: 'uuid', attempt: 'smallint' })}
      where a.account_id = ${accountId} and a.delivery_id = n.delivery_id and a.attempt = n.attempt`);
  return next;
}

interface KeptAnswer {
  key: string;
  body: Buffer;
}

/** Answers that are kept for their Idempotency-Keys. */
export async function findAnswers(
  tx: Db,
  { accountId }: AboutTenant,
  position: Position,
): Promise<Looked<KeptAnswer>> {
  const rows = await tx.query<KeptAnswer>(sql`
    select key, body from idempotency_keys where account_id = ${accountId} and key > ${position ?? ''}
    order by key limit ${literal(answerBatch)}`);
  return looked(rows, ({ key }) => key, answerBatch);
}

/** Does nothing if the key has been used again. */
export async function replaceAnswer(
  tx: Db,
  accountId: string,
  { key, body }: KeptAnswer,
  redacted: Buffer,
): Promise<void> {
  await tx.query(sql`
    update idempotency_keys set body = ${redacted}
    where account_id = ${accountId} and key = ${key} and body = ${body}`);
}

/** Notes that an answer may contain: those of the last day and a little more. */
export async function findNotes(tx: Db, about: AboutTenant, since: Date): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from (${historyOf(about, about.ownLeaseIds)}) entries
    where action = 'noted' and created_at > ${since}`);
  return rows.map(({ id }) => id);
}
