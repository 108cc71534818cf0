import type { Actor } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { roundedSize } from '../db/lists/bounds.ts';
import { type FoundPage, newestRows, type Page, pageOf } from '../db/lists/list.ts';
import { oneOf } from '../db/lists/selections.ts';
import { countOf, mostCounted } from '../db/lists/totals.ts';
import { id, json, number, publicId, text, time, timestamp, word } from '../db/records/json.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
import { noJoins, type RecordShape, recordJson } from '../db/records/shape.ts';
import { writtenHere } from '../db/records/written-in.ts';
import { all, join, literal, none, raw, type Sql, sql } from '../db/sql.ts';
import { eventNames, testEvent } from '../events/catalogue.ts';
import { envelopeEnd, queuedAt } from '../events/record.ts';
import { idTime, lowestIdAt, newId } from '../ids.ts';
import type { PageBounds } from '../paging.ts';
import { cancelledError } from '../webhooks/cancel-queued.ts';
import { type DeliveryFilter, deliveryStatuses } from './deliveries.schema.ts';

/*
 * A delivery is either in the queue or in the log, because one statement moves it. Readers see the same kind of row
 * from both.
 */
const queueRow = sql`select id, account_id, endpoint_id, event_id, event, kind, 'pending' as status, attempts,
  case when lease_until > now() then null else next_at end as next_at, last_status, last_error, created_at,
  null::timestamptz as finished_at from delivery_queue`;
const logColumns = sql`id, account_id, endpoint_id, event_id, event, kind, status, attempts,
  null::timestamptz as next_at, last_status, last_error, created_at, finished_at`;
const logRow = sql`select ${logColumns} from deliveries`;

const deliveryShape: RecordShape = {
  table: 'deliveries',
  alias: 'd',
  joins: noJoins,
  fields: [
    id('dlv', 'd.id'),
    id('we', 'd.endpoint_id', 'webhook_id'),
    id('evt', 'd.event_id'),
    word('d.event'),
    word('d.kind'),
    word('d.status'),
    number('d.attempts', 'attempt_count'),
    time('d.next_at', 'next_attempt_at'),
    number('d.last_status', 'last_response_status'),
    text('d.last_error'),
    time('d.created_at'),
    time('d.finished_at'),
  ],
};

/**
 * Puts together again what was sent: the headers follow from the delivery, and the body is the event's. The stored
 * signature is our own, a blank, and that of Standard Webhooks.
 */
const attemptFields = sql`a.attempt, ${timestamp('a.started_at')} as started_at, a.duration_ms, a.outcome,
  case when a.signature is not null then json_build_object(
    'headers', json_strip_nulls(json_build_object('Content-Type', 'application/json', 'X-Service-Event', d.event,
      'X-Service-Delivery', ${publicId('dlv', 'd.id')}, 'X-Service-Signature', split_part(a.signature, ' ', 1),
      'webhook-id', ${publicId('evt', 'd.event_id')}, 'webhook-timestamp', substring(a.signature from 't=([0-9]+)'),
      'webhook-signature', substring(a.signature from ' (.*)'))),
    'body', e.body) end as request,
  case when a.response_status is not null then json_build_object('status', a.response_status,
    'headers', coalesce(a.response_headers::json, '{}'), 'body', a.response_body) end as response,
  a.error`;

/** The attempt that ended the delivery is in the delivery's row; earlier ones are in a table of their own. */
const attempts = (accountId: string) => sql`
  select a.attempt, a.started_at, a.duration_ms, a.outcome, a.signature, a.response_status, a.response_headers,
    a.response_body, a.error
  from delivery_attempts a where a.account_id = ${accountId} and a.delivery_id = d.id
  union all
  select l.attempts, l.last_attempt_at, l.duration_ms, l.outcome, l.signature, l.last_status, l.response_headers,
    l.response_body, l.last_error
  from deliveries l where l.account_id = ${accountId} and l.id = d.id and l.outcome is not null`;

const withAttempts = (accountId: string): RecordShape => ({
  ...deliveryShape,
  fields: [
    ...deliveryShape.fields,
    json(
      sql`select coalesce(json_agg(row_to_json(shown) order by shown.attempt), '[]') from (
        select ${attemptFields} from (${attempts(accountId)}) a
        left join events e on e.account_id = ${accountId} and e.id = d.event_id) shown`,
      'attempts',
    ),
  ],
});

/** Workers cancel a long queue bit by bit. Once the endpoint is deleted, the rest of its queue will not be sent. */
const isGone = (accountId: string): Sql => sql`(q.kind <> 'test' and not exists (
  select w.id from webhook_endpoints w where w.account_id = ${accountId} and w.id = q.endpoint_id))`;

/** One delivery with its attempts. */
export async function findDelivery(db: Db, accountId: string, id: string): Promise<string | null> {
  const [row] = await db.query<{ json: string }>(sql`
    select ${recordJson(withAttempts(accountId))} as json from (
      select q.id, q.account_id, q.endpoint_id, q.event_id, q.event, q.kind,
        case when ${isGone(accountId)} then 'cancelled' else q.status end as status, q.attempts,
        case when not ${isGone(accountId)} then q.next_at end as next_at, q.last_status,
        case when ${isGone(accountId)} then ${cancelledError} else q.last_error end as last_error,
        q.created_at, q.finished_at
      from (${queueRow} where id = ${id} and account_id = ${accountId}) q
      union all ${logRow} where account_id = ${accountId} and id = ${id}) d`);
  return row?.json ?? null;
}

export async function isFinished(db: Db, accountId: string, id: string): Promise<boolean> {
  const rows = await db.query(sql`select from deliveries where account_id = ${accountId} and id = ${id}`);
  return rows.length > 0;
}

/** One endpoint's deliveries, newest first: a page of the queue and a page of the log, merged. */
export async function listDeliveries(
  db: Db,
  accountId: string,
  endpointId: string,
  filter: DeliveryFilter,
  bounds: PageBounds,
): Promise<Page> {
  const { limit } = bounds;
  const statuses = filter.status ?? deliveryStatuses;
  const finished = statuses.filter((status) => status !== 'pending');
  const sources = [
    ...(statuses.includes('pending') ? [queued(accountId, endpointId, filter, bounds)] : []),
    ...(finished.length > 0 ? [logged(accountId, endpointId, finished, filter, bounds)] : []),
  ];
  if (db.isDistributed())
    return mergeSources(db, sources, bounds, countDeliveries(accountId, endpointId, filter, bounds));
  const total = bounds.total
    ? countOf(join(countDeliveries(accountId, endpointId, filter, bounds), ' union all '))
    : null;
  const [row] = await db.query<FoundPage>(sql`
    select coalesce('[' || string_agg(json, ',' order by id desc) filter (where n <= ${limit}) || ']', '[]') as data,
      count(*)::integer as found, max(id::text) filter (where n = ${limit}) as last
      ${total ? sql`, (${total}) as total` : none}
    from (
      select row_number() over (order by d.id desc) as n, d.id, ${recordJson(deliveryShape)} as json
      from (select * from (${join(sources, ' union all ')}) merged order by id desc limit ${limit + 1}::integer) d
    ) page`);
  if (!row) throw new Error('A list statement returned no row.');
  return pageOf(row, limit);
}

/**
 * The same for a distributed database, where the queue and the log are on different nodes. A delivery that moves from
 * one to the other in between appears in both.
 */
async function mergeSources(
  db: Db,
  sources: Sql[],
  { limit, total: isCounted }: PageBounds,
  matching: Sql[],
): Promise<Page> {
  const rows = new Map<string, string>();
  for (const source of sources)
    for (const { id, json } of await db.query<{ id: string; json: string }>(
      sql`select d.id, ${recordJson(deliveryShape)} as json from (${source}) d`,
    ))
      rows.set(id, json);
  const ids = [...rows.keys()].sort().reverse();
  const shown = ids.slice(0, limit);
  let total = 0;
  if (isCounted)
    for (const each of matching) {
      const [counted] = await db.query<{ count: number }>(countOf(each));
      total += counted?.count ?? 0;
    }
  const data = `[${shown.map((id) => rows.get(id)).join(',')}]`;
  const page = { data, found: ids.length, last: shown.at(-1) ?? null };
  return pageOf(isCounted ? { ...page, total: Math.min(total, mostCounted) } : page, limit);
}

/** Counts everything that matches, in the queue and in the log. */
function countDeliveries(
  accountId: string,
  endpointId: string,
  { status: statuses = [...deliveryStatuses], event }: DeliveryFilter,
  { since }: PageBounds,
): Sql[] {
  const where = all([
    sql`account_id = ${accountId}`,
    sql`endpoint_id = ${endpointId}`,
    ...within({ before: null, since }),
    ...(event === undefined ? [] : [sql`event = any(${event}::text[])`]),
  ]);
  return [
    sql`select id from delivery_queue where ${where} and 'pending' = any(${statuses}::text[])`,
    sql`select id from deliveries where ${where} and status = any(${statuses}::text[])`,
  ];
}

function queued(accountId: string, endpointId: string, { event }: DeliveryFilter, bounds: PageBounds): Sql {
  const where = all([
    sql`endpoint_id = ${endpointId}`,
    sql`account_id = ${accountId}`,
    ...within(bounds),
    ...(event === undefined ? [] : [sql`event = any(${event}::text[])`]),
  ]);
  return sql`(${queueRow} where ${where} order by id desc limit ${literal(roundedSize(bounds.limit) + 1)})`;
}

/** Each event and status is one range of an index, so a page costs the same at any size. */
function logged(
  accountId: string,
  endpointId: string,
  statuses: string[],
  { event }: DeliveryFilter,
  bounds: PageBounds,
): Sql {
  const selection = [
    { column: 'endpoint_id', value: endpointId },
    oneOf('event', event ?? eventNames),
    oneOf('status', statuses),
  ];
  const newest = newestRows(deliveryShape, { accountId, bounds, selections: [selection] });
  return sql`(select ${logColumns} from (${newest}) newest)`;
}

const within = ({ before, since }: Pick<PageBounds, 'before' | 'since'>): Sql[] => [
  ...(before === null ? [] : [sql`id < ${before}`]),
  ...(since === null ? [] : [sql`id >= ${since}`]),
];

export interface Redeliverable {
  pending: boolean;
  kind: string;
  event_kept: boolean;
  endpoint_status: string | null;
}

export async function findForRedelivery(
  db: Db,
  accountId: string,
  id: string,
): Promise<Redeliverable | null> {
  const [row] = await db.query<Redeliverable>(sql`
    select d.status = 'pending' as pending, d.kind, e.id is not null as event_kept, w.status as endpoint_status
    from (
      ${queueRow} where id = ${id} and account_id = ${accountId}
      union all ${logRow} where account_id = ${accountId} and id = ${id}) d
    left join events e on e.account_id = ${accountId} and e.id = d.event_id
    left join webhook_endpoints w on w.account_id = ${accountId} and w.id = d.endpoint_id`);
  return row ?? null;
}

/** Queues the same event for the same endpoint again; returns the new delivery's id. */
export async function insertRedelivery(db: Db, accountId: string, id: string, kind: string): Promise<string> {
  const fresh = newId();
  const at = queuedAt(accountId, sql`${idTime(fresh)}::timestamptz`);
  await db.query(sql`
    insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
    select ${fresh}, account_id, endpoint_id, event_id, event, ${kind}, true, ${at}, ${at}
    from deliveries where account_id = ${accountId} and id = ${id}`);
  return fresh;
}

/** The endpoint's status, which cannot change until the transaction ends; null if there is no such endpoint. */
export async function lockEndpoint(tx: Db, accountId: string, id: string): Promise<string | null> {
  const [row] = await tx.query<{ status: string }>(sql`
    select status from webhook_endpoints where account_id = ${accountId} and id = ${id} for no key update`);
  return row?.status ?? null;
}

export async function hasEvent(db: Db, accountId: string, id: string): Promise<boolean> {
  const rows = await db.query(sql`select id from events where account_id = ${accountId} and id = ${id}`);
  return rows.length > 0;
}

/**
 * Queues events again that were sent to an endpoint since some time: the oldest first, those after one event, at most
 * as many as there are ids. Returns them in that order. Events that are already waiting are left out, and with `failed`
 * so are those that have arrived since, so asking twice sends nothing twice. The caller has locked the endpoint, so
 * that two callers do not queue the same events.
 */
export async function queueAgain(
  db: Db,
  accountId: string,
  endpointId: string,
  { since, status, after }: { since: string; status: 'failed' | 'all'; after: string | undefined },
  ids: string[],
): Promise<string[]> {
  const sent = (statuses: Sql): Sql => sql`
    select d.event_id, d.event from deliveries d
    where d.account_id = ${accountId} and d.endpoint_id = ${endpointId} and d.status in (${statuses})
      and d.id >= ${lowestIdAt(new Date(since))} and d.kind <> 'test'`;
  const wanted = status === 'all' ? sql`'failed', 'cancelled', 'succeeded'` : sql`'failed', 'cancelled'`;
  const arrived = sql`and a.event_id not in (select event_id from (${sent(sql`'succeeded'`)}) arrived)`;
  const chosen = sql`
    select row_number() over (order by a.event_id) as number, a.event_id, a.event
    from (select distinct event_id, event from (${sent(wanted)}) each) a
    join events e on e.account_id = ${accountId} and e.id = a.event_id
    where a.event_id not in (
        select event_id from delivery_queue where endpoint_id = ${endpointId} and account_id = ${accountId})
      ${status === 'all' ? none : arrived}
      ${after === undefined ? none : sql`and a.event_id > ${after}`}
    order by a.event_id limit ${ids.length}::integer`;
  // A distributed database would mix up the types of rows on their way from the nodes to the queue.
  const source = db.isDistributed() ? await readChosen(db, chosen) : chosen;
  const rows = await db.query<{ event_id: string }>(sql`
    insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
    select n.id, ${accountId}, ${endpointId}, chosen.event_id, chosen.event, 'redelivery', true, n.at, n.at
    from (${source}) chosen join ${rowsAsTable(
      ids.map((id, at) => ({ id, number: at + 1, at: idTime(id).toISOString() })),
      { id: 'uuid', number: 'integer', at: 'timestamptz' },
    )} on n.number = chosen.number
    returning event_id`);
  return rows.map((row) => row.event_id).sort();
}

async function readChosen(db: Db, chosen: Sql): Promise<Sql> {
  const rows = await db.query<{ event_id: string; event: string }>(chosen);
  const numbered = rows.map((row, at) => ({ ...row, number: at + 1 }));
  return sql`select n.* from ${rowsAsTable(numbered, { number: 'integer', event_id: 'uuid', event: 'text' })}`;
}

/**
 * Inserts a test event and its delivery to one endpoint. Returns the delivery's id, or null if there is no such
 * endpoint.
 */
export async function insertTest(
  db: Db,
  accountId: string,
  endpointId: string,
  webhook: RecordShape,
  actor: Actor,
): Promise<string | null> {
  const event = newId();
  const at = idTime(event).toISOString();
  const due = queuedAt(accountId, raw('event.created_at'));
  const rows = await db.query<{ id: string }>(sql`
    with endpoint as (
      select w.id, ${recordJson(webhook)} as json from webhook_endpoints w
      where w.account_id = ${accountId} and w.id = ${endpointId}),
    event as (
      insert into events (account_id, id, event, body, created_at, written_in)
      select ${accountId}, ${event}, ${testEvent}, ${envelopeStart(event, at)}::text || json || ${envelopeEnd(accountId, actor)}::text, ${at}::timestamptz,
        ${writtenHere}
      from endpoint returning id, event, created_at)
    insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
    select ${newId()}, ${accountId}, ${endpointId}, event.id, event.event, 'test', true, ${due}, ${due}
    from event returning id`);
  return rows[0]?.id ?? null;
}

const envelopeStart = (event: string, at: string): string =>
  `{"id":"evt_${event.replaceAll('-', '')}","event":"${testEvent}","created_at":"${at}","data":{"webhook":`;
