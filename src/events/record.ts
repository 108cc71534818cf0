import { type Actor, shownActor } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { publicId } from '../db/records/json.ts';
import { type InsertOfRows, insertAsValues, insertGiven } from '../db/records/rows.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
import { type RecordShape, recordJson } from '../db/records/shape.ts';
import { writtenHere } from '../db/records/written-in.ts';
import { none, raw, type Sql, sql } from '../db/sql.ts';
import { formatId, idTime, isTestAccount, newId } from '../ids.ts';
import { apiVersion, everyEvent, type SubscribableEvent } from './catalogue.ts';
import { type Differs, historyOf, insertHistory, isKept, oldValues } from './history.ts';
import { withQueueRoom } from './queue-room.ts';

export interface Change {
  accountId: string;
  /** Who makes the change. */
  actor: Actor;
  shape: RecordShape;
  /** Steps that `rows` reads from, as `name as (…)`. */
  first?: Sql;
  /** `insert … returning *`, `update … returning *`, or a select of rows written earlier in the transaction. */
  rows: Sql | InsertOfRows;
  /** The most rows that there can be. */
  count?: number;
  /** The ids of the rows, for an update. */
  ids?: string[];
  /** What happened to each row, in order. */
  events: SubscribableEvent[];
  /**
   * A further write that follows from the rows: a statement that reads from `changed`, and on a single PostgreSQL from
   * `first`.
   */
  also?: Sql;
  /** Changes that the row itself does not show (history.ts). */
  differs?: Differs;
  /** The action in the history, if it does not follow from the first event. */
  action?: string;
  /** False if the JSON is not needed. */
  answered?: boolean;
  /** False to leave it out of the history. */
  isRemembered?: boolean;
  /** True if somebody asked for the change, so that it can be refused when too many deliveries are waiting. */
  bounded?: boolean | undefined;
}

/**
 * Makes a change, its events and its history. A single statement writes the rows, builds the records' JSON, stores that
 * as the body of the events, notes who changed what, and queues a delivery for every subscribed endpoint. All of it
 * commits, or none. Returns the JSON of the changed records, ordered by id.
 *
 * `rows` returns the table's own columns, and a later step makes the JSON, because a distributed Postgres refuses
 * functions such as to_char in `returning`.
 */
export async function recordChange(db: Db, change: Change): Promise<string[]> {
  const write = async (on: Db) => {
    if (on.isDistributed()) return on.transaction((tx) => changeInSteps(tx, change));
    const rows = await on.query<{ json: string }>(changeStatement(change));
    return rows.map(({ json }) => json);
  };
  if (!change.bounded) return write(db);
  const { accountId, ids, count = ids?.length ?? 1 } = change;
  return withQueueRoom(db, { accountId, events: change.events.map((event) => ({ event, count })) }, write);
}

/** Like recordChange, for exactly one record. */
export async function recordOne(db: Db, change: Change): Promise<string> {
  const [json] = await recordChange(db, change);
  if (json === undefined) throw new Error('A written record returned no row.');
  return json;
}

/** Like recordChange, but without events, and with the JSON only on request. `action` says what happened. */
export async function changeQuietly(
  db: Db,
  { events = [], action = actionOf(events), answered = false, ...change }: Quiet,
): Promise<string[]> {
  if (db.isDistributed())
    return db.transaction((tx) =>
      changeInSteps(tx, { ...change, events: [], action, answered, isRemembered: isKept(action) }),
    );
  const { accountId, actor, shape, ids, count = ids?.length ?? 1, differs } = change;
  const alias = raw(shape.alias);
  const planned = rowsAsTable(planEvents([action], count), eventColumns);
  const old = oldValues(false, { accountId, shape, action, differs, ids });
  const rows = await db.query<{ json: string }>(sql`
    with ${old.first}${steps(change)}${
      isKept(action)
        ? sql`,
    told as (
      select n.id, n.at, n.leads, changed.record_id, changed.changes
      from (
        select row_number() over (order by ${alias}.id) as position, ${alias}.id as record_id, ${old.changes} as changes
        from changed ${alias} ${old.join}) changed
      join ${planned} on n.position = changed.position),
    history as (${insertHistory(accountId, actor, action)})`
        : none
    }
    ${
      answered
        ? sql`select ${recordJson(shape)} as json from changed ${alias} ${shape.joins} order by ${alias}.id`
        : sql`select from changed limit 0`
    }`);
  return rows.map(({ json }) => json);
}

type Quiet = Omit<Change, 'events'> & { events?: SubscribableEvent[] };

const steps = ({ first, rows, also }: { first?: Sql | undefined; rows: Sql; also?: Sql | undefined }): Sql =>
  sql`${first ? sql`${first}, ` : none}changed as (${rows})${also ? sql`, also as (${also})` : none}`;

/** `updated` from `payment.updated`: the action in the history. The change's other events follow from it. */
const actionOf = ([event = '']: string[]): string => event.slice(event.indexOf('.') + 1);

function changeStatement({
  accountId,
  actor,
  shape,
  ids,
  count = ids?.length ?? 1,
  events,
  action = actionOf(events),
  answered = true,
  isRemembered = isKept(action),
  ...change
}: Change): Sql {
  const alias = raw(shape.alias);
  const old = oldValues(false, { accountId, shape, action, differs: change.differs, ids });
  return sql`
    with ${old.first}${steps(change)},
    record as (
      select row_number() over (order by ${alias}.id) as position, ${alias}.id as record_id, ${recordJson(shape)} as json,
        ${old.changes} as changes
      from changed ${alias} ${shape.joins} ${old.join}),
    told as (
      select n.id, n.event, n.at, n.leads, record.record_id, record.json, record.changes
      from record join ${rowsAsTable(planEvents(events, count), eventColumns)} on n.position = record.position),
    event as (${insertEvents(accountId, actor, recordKey(events))} returning id, event, created_at),
    ${isRemembered ? sql`history as (${insertHistory(accountId, actor, action)}),` : none}
    queued as (${queueForSubscribers(accountId, actor, raw('event'))})
    ${answered ? sql`select json from record order by position` : sql`select from record limit 0`}`;
}

/**
 * The same for a distributed database. There the steps of one statement would run one after the other anyway, and
 * whatever one of them hands to an insert is sent to every node, so that no account could be written to while any node
 * is away (docs/decisions/0042-steps-of-our-own-on-a-cluster.md). What comes from the program goes to the account's
 * node alone.
 */
async function changeInSteps(
  tx: Db,
  {
    accountId,
    actor,
    shape,
    ids,
    count = ids?.length ?? 1,
    events,
    action = actionOf(events),
    answered = true,
    isRemembered = isKept(action),
    first,
    rows,
    also,
    differs,
  }: Change,
): Promise<string[]> {
  const alias = raw(shape.alias);
  const old = oldValues(true, { accountId, shape, action, differs, ids });
  const those = (recordIds: string[]) =>
    sql`select * from ${raw(shape.table)} where account_id = ${accountId} and id = any(${recordIds}::uuid[])`;
  // Many rows are worth copying to their node.
  const isOne = 'insert' in rows && count === 1 && first === undefined;
  // Read from the table, so that only the account's node is asked, whatever else the JSON needs.
  const written = isOne ? those(await insertAsValues(tx, rows.insert)) : rows;
  // Deleted rows cannot be read afterwards.
  const isGone = action === 'deleted';
  const records = await tx.query<{ record_id: string; json: string; changes: string | null }>(sql`
    with ${old.first}${steps({ first, rows: written, also: isGone ? also : undefined })}
    select ${alias}.id as record_id, ${recordJson(shape)} as json, ${old.changes} as changes
    from changed ${alias} ${shape.joins} ${old.join} order by ${alias}.id`);
  if (records.length === 0) return [];
  if (also && !isGone) {
    const recordIds = records.map(({ record_id }) => record_id);
    await tx.query(sql`
      with changed as (${those(recordIds)})
      ${also}`);
  }
  const told = planEvents(events.length > 0 ? events : [action], records.length).map((event) => ({
    ...event,
    ...records[event.position - 1],
  }));
  const end = envelopeEnd(accountId, actor);
  const bodies = told.map(({ id, event, at, json = '' }) => ({
    id,
    event,
    body: `{"id":"${formatId('evt', id)}","event":"${event}","created_at":"${at}","data":{"${recordKey(events)}":${json}${end}`,
    created_at: at,
  }));
  if (events.length > 0)
    await tx.query(
      insertGiven('events', bodyColumns, bodies, { account_id: accountId, written_in: writtenHere }),
    );
  if (isRemembered) await tx.query(historyOf(accountId, actor, action, told));
  const queued = rowsAsTable(told, { id: 'uuid', event: 'text', at: 'timestamptz' });
  if (events.length > 0)
    await tx.query(
      queueForSubscribers(
        accountId,
        actor,
        sql`(select n.id, n.event, n.at as created_at from ${queued}) event`,
      ),
    );
  return answered ? records.map(({ json }) => json) : [];
}

const bodyColumns = { id: 'uuid', event: 'text', body: 'text', created_at: 'timestamptz' };

/** `payment` from `payment.updated`: the record's key in an event's data. */
const recordKey = ([event = '']: string[]): string => event.split('.')[0] ?? '';

const insertEvents = (accountId: string, actor: Actor, key: string): Sql => sql`
  insert into events (account_id, id, event, body, created_at, written_in)
  select ${accountId}, told.id, told.event,
    '{"id":"' || ${publicId('evt', 'told.id')} || '","event":"' || told.event || '","created_at":"' || told.at ||
    ${`","data":{"${key}":`}::text || told.json || ${envelopeEnd(accountId, actor)}::text,
    told.at::timestamptz, ${writtenHere}
  from told`;

/** The part of an event's body after the record. */
export const envelopeEnd = (accountId: string, actor: Actor): string =>
  `},"actor":${JSON.stringify(shownActor(actor))},"api_version":"${apiVersion}"${isTestAccount(accountId) ? ',"mode":"test"' : ''}}`;

const eventColumns = { id: 'uuid', event: 'text', position: 'integer', at: 'text', leads: 'boolean' };

interface PlannedEvent {
  id: string;
  event: string;
  position: number;
  at: string;
  leads: boolean;
}

/** One id for each event of each row. Ids and times always come from the program. */
function planEvents(events: string[], count: number): PlannedEvent[] {
  const plan: PlannedEvent[] = [];
  for (let position = 1; position <= count; position++) {
    for (const [at, event] of events.entries()) {
      const id = newId();
      plan.push({ id, event, position, at: idTime(id).toISOString(), leads: at === 0 });
    }
  }
  return plan;
}

/**
 * One row in the queue for each event and each endpoint subscribed to it, due at once (`ready`). An endpoint may skip
 * what certain keys do, including imports that they sent. (No list contains null, or the id of a person.)
 */
const queueForSubscribers = (accountId: string, { id }: Actor, event: Sql): Sql => sql`
  insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
  select ${deliveryId('event.id', 'w.id')}, w.account_id, w.id, event.id, event.event, 'event', true,
    ${queuedAt(accountId, raw('event.created_at'))}, ${queuedAt(accountId, raw('event.created_at'))}
  from ${event} join webhook_endpoints w
    on w.account_id = ${accountId} and w.events && array[event.event, ${everyEvent}] and w.status <> 'disabled'
    and not w.skip_actors @> array[${id}::uuid]`;

/** Deliveries use real time, even if the event's account has a time of its own. */
export const queuedAt = (accountId: string, at: Sql): Sql => (isTestAccount(accountId) ? raw('now()') : at);

/**
 * A delivery's id follows from its event and its endpoint: the event's time, then a hash of both, in the form of a
 * UUIDv7. So the statement needs no ids from outside, and no event can be queued twice for an endpoint.
 */
function deliveryId(event: string, endpoint: string): Sql {
  const hash = `md5(${event}::text || ${endpoint}::text)`;
  return raw(
    `(left(encode(uuid_send(${event}), 'hex'), 12) || '7' || left(${hash}, 3) || '8' || substr(${hash}, 4, 15))::uuid`,
  );
}
