import type { Db } from '../db/connect.ts';
import { publicId } from '../db/records/json.ts';
import { type RecordShape, recordJson } from '../db/records/list.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
import { none, raw, type Sql, sql } from '../db/sql.ts';
import { idTime, newId } from '../ids.ts';
import type { SubscribableEvent } from './catalogue.ts';
import { withQueueRoom } from './queue-room.ts';

export interface Change {
  accountId: string;
  shape: RecordShape;
  /** Steps that `rows` reads from, as `name as (…)`. */
  first?: Sql;
  /** `insert … returning *`, `update … returning *`, or a select of rows written earlier in the transaction. */
  rows: Sql;
  /** The number of those rows at most. */
  count?: number;
  /** What happened to each of them, in order. */
  events: SubscribableEvent[];
  /** What is written because of them: a statement that reads from `changed`, and from the steps of `first`. */
  also?: Sql;
  /** False: the JSON is not returned. */
  answered?: boolean;
  /** Whether somebody asked for it, who can be refused if too many deliveries are waiting. */
  bounded?: boolean | undefined;
}

/**
 * Makes a change and its events. A single statement writes the rows, builds the records' JSON, stores that as the body
 * of the events, and queues a delivery for every subscribed endpoint: all of it commits, or nothing does. Returns the
 * JSON of the changed records, ordered by id.
 *
 * `rows` returns the table's own columns, and a later step makes the JSON: a distributed Postgres refuses functions
 * such as to_char in `returning`.
 */
export async function recordChange(db: Db, change: Change): Promise<string[]> {
  const write = async (on: Db) => {
    const rows = await on.query<{ json: string }>(changeStatement(change));
    return rows.map(({ json }) => json);
  };
  if (!change.bounded) return write(db);
  const { accountId, count = 1 } = change;
  return withQueueRoom(db, { accountId, events: change.events.map((event) => ({ event, count })) }, write);
}

/** As recordChange, for a change of exactly one record. */
export async function recordOne(db: Db, change: Change): Promise<string> {
  const [json] = await recordChange(db, change);
  if (json === undefined) throw new Error('A written record returned no row.');
  return json;
}

/** As recordChange, but nobody is told. */
export async function changeQuietly(db: Db, change: Pick<Change, 'first' | 'rows' | 'also'>): Promise<void> {
  await db.query(sql`with ${steps(change)} select from changed limit 0`);
}

const steps = ({ first, rows, also }: Pick<Change, 'first' | 'rows' | 'also'>): Sql =>
  sql`${first ? sql`${first}, ` : none}changed as (${rows})${also ? sql`, also as (${also})` : none}`;

function changeStatement({ accountId, shape, count = 1, events, answered = true, ...change }: Change): Sql {
  const alias = raw(shape.alias);
  const key = events[0]?.split('.')[0] ?? '';
  return sql`
    with ${steps(change)},
    record as (
      select row_number() over (order by ${alias}.id) as position, ${recordJson(shape)} as json
      from changed ${alias} ${shape.joins}),
    event as (
      insert into events (account_id, id, event, body, created_at)
      select ${accountId}, n.id, n.event,
        '{"id":"' || ${publicId('evt', 'n.id')} || '","event":"' || n.event || '","created_at":"' || n.at ||
        ${`","data":{"${key}":`}::text || record.json || '}}', n.at::timestamptz
      from record join ${rowsAsTable(planEvents(events, count), eventColumns)} on n.position = record.position
      returning id, event, created_at),
    queued as (${queueForSubscribers(accountId)})
    ${answered ? sql`select json from record order by position` : sql`select from record limit 0`}`;
}

const eventColumns = { id: 'uuid', event: 'text', position: 'integer', at: 'text' };

/** One id for each event of each row. Ids and times always come from the program. */
function planEvents(events: string[], count: number): { [Column in keyof typeof eventColumns]: unknown }[] {
  const plan = [];
  for (let position = 1; position <= count; position++) {
    for (const event of events) {
      const id = newId();
      plan.push({ id, event, position, at: idTime(id).toISOString() });
    }
  }
  return plan;
}

/** One row in the queue for each event and each endpoint subscribed to it, due at once (`ready`). */
const queueForSubscribers = (accountId: string): Sql => sql`
  insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
  select ${deliveryId('event.id', 'w.id')}, w.account_id, w.id, event.id, event.event, 'event', true,
    event.created_at, event.created_at
  from event join webhook_endpoints w
    on w.account_id = ${accountId} and w.events @> array[event.event] and w.status <> 'disabled'`;

/**
 * A delivery's id follows from its event and its endpoint: the event's time, then a hash of both, in the form of a
 * UUIDv7. So the statement needs no ids from outside, and no event can be queued twice for an endpoint.
 */
export function deliveryId(event: string, endpoint: string): Sql {
  const hash = `md5(${event}::text || ${endpoint}::text)`;
  return raw(
    `(left(encode(uuid_send(${event}), 'hex'), 12) || '7' || left(${hash}, 3) || '8' || substr(${hash}, 4, 15))::uuid`,
  );
}
