import { LRUCache } from 'lru-cache';
import type { Db } from '../db/connect.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
import { literal, sql } from '../db/sql.ts';
import { AppError } from '../errors.ts';
import { everyEvent, type SubscribableEvent } from './catalogue.ts';

/** How many deliveries may wait for an account's endpoints. They take about half a gigabyte of the database. */
export const defaultMostQueued = 500_000;
let most = defaultMostQueued;

/** Sets the limit for this process. */
export function limitQueues(deliveries: number): void {
  most = deliveries;
  rooms.clear();
}

interface Room {
  endpoints: number;
  /** How many deliveries may be queued before counting again. */
  deliveries: number;
}

/**
 * Counting hundreds of thousands of waiting deliveries takes a tenth of a second, so it is not done for every payment.
 * Between two counts, a process queues at most a hundredth of the limit.
 */
const rooms = new LRUCache<string, Room>({ max: 10_000, ttl: 5_000 });
/** Counts in progress. */
const counts = new Map<string, Promise<Room>>();
const uncounted = () => most / 100;
/** If there is less room than this, it is counted every time. */
const smallRoom = 1_000;

/** The number of events of each kind about to be recorded. */
interface Wanted {
  accountId: string;
  events: readonly { event: SubscribableEvent; count: number }[];
}

/**
 * Does a write that queues deliveries if the account's queue has room for them; otherwise throws a 409. Far from the
 * limit this costs next to nothing. Near it, or for very many deliveries, an account's writes take turns, so that two
 * at once cannot both take the last room.
 */
export async function withQueueRoom<Result>(
  db: Db,
  wanted: Wanted,
  write: (db: Db) => Promise<Result>,
): Promise<Result> {
  const { accountId, events } = wanted;
  const room = await roomOf(db, accountId);
  const atMost = events.reduce((sum, { count }) => sum + count, 0) * room.endpoints;
  if (room.deliveries >= atMost) {
    room.deliveries -= atMost;
    return write(db);
  }
  return db.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`tenure queue ${accountId}`}, 0))`);
    if ((await countRoom(tx, wanted)) < 0) throw new QueueFull();
    rooms.delete(accountId);
    return write(tx);
  });
}

export class QueueFull extends AppError {
  constructor() {
    super(
      'queue_full',
      `At most ${most} deliveries may wait for the webhook endpoints of an account. Disable or delete those that do not answer, or try again when they have caught up.`,
    );
  }
}

/**
 * Simultaneous callers share one count. A caller inside a transaction counts by itself: it holds one of the account's
 * connections, and the shared count may be waiting for that very one.
 */
async function roomOf(db: Db, accountId: string): Promise<Room> {
  const known = rooms.get(accountId);
  if (known) return known;
  if (db.inTransaction) return measureRoom(db, accountId);
  let count = counts.get(accountId);
  if (count === undefined) {
    count = measureRoom(db, accountId).finally(() => counts.delete(accountId));
    counts.set(accountId, count);
  }
  return count;
}

async function measureRoom(db: Db, accountId: string): Promise<Room> {
  const { endpoints, taken } = await lookAtQueue(db, { accountId, events: [] });
  const left = most - taken;
  const room = { endpoints, deliveries: left < smallRoom ? 0 : Math.min(left / 4, uncounted()) };
  rooms.set(accountId, room);
  return room;
}

/** How much room is left once all these are queued; below zero if they do not fit. */
export async function countRoom(db: Db, wanted: Wanted): Promise<number> {
  return most - (await lookAtQueue(db, wanted)).taken;
}

/** Runs two statements, because on a distributed database the queue and the endpoints are on different nodes. */
async function lookAtQueue(
  db: Db,
  { accountId, events }: Wanted,
): Promise<{ endpoints: number; taken: number }> {
  const endpoints = await db.query<{ id: string; isOpen: boolean; wanted: number }>(sql`
    select w.id, w.status <> 'disabled' as "isOpen", case when w.status = 'disabled' then 0 else
      (select coalesce(sum(n.count), 0) from ${rowsAsTable(events, { event: 'text', count: 'integer' })}
       where w.events && array[n.event, ${everyEvent}]) end::float8 as wanted
    from webhook_endpoints w where w.account_id = ${accountId}`);
  if (endpoints.length === 0) return { endpoints: 0, taken: 0 };
  const [queue] = await db.query<{ queued: number }>(sql`
    select coalesce(sum(queued.count), 0)::float8 as queued
    from unnest(${endpoints.map(({ id }) => id)}::uuid[]) as w(id) cross join lateral (
      select count(*) from (
        select from delivery_queue q where q.account_id = ${accountId} and q.endpoint_id = w.id
        limit ${literal(most + 1)}) q) queued`);
  const wanted = endpoints.reduce((sum, endpoint) => sum + endpoint.wanted, 0);
  return { endpoints: endpoints.filter(({ isOpen }) => isOpen).length, taken: wanted + (queue?.queued ?? 0) };
}
