import type { Database, Db } from '../../src/db/connect.ts';
import { raw, sql } from '../../src/db/sql.ts';
import { type ClaimRequest, claim } from '../../src/deliveries/engine/across-accounts.store.ts';
import { claimedNow, type Delivery } from '../../src/deliveries/engine/delivery.ts';
import { newId } from '../../src/ids.ts';

/* Adds and takes the queue's rows without the API and without a worker. */

interface Queued {
  accountId: string;
  endpointId: string;
  count?: number;
  id?: string;
  eventId?: string;
  event?: string;
  kind?: Delivery['kind'];
  /** How long until it is tried again. 0: it is due. */
  waitMs?: number;
  attempts?: number;
}

/** Queues deliveries of events that are not recorded, unless `eventId` says otherwise. */
export async function queueDeliveries(db: Db, queued: Queued): Promise<void> {
  const { accountId, endpointId, count = 1, id = null, eventId = null, attempts = 0, waitMs = 0 } = queued;
  const { event = 'tenant.created', kind = 'event' } = queued;
  await db.query(sql`
    insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, attempts,
      created_at)
    select coalesce(${id}::uuid, ${timeOrderedId}), ${accountId}, ${endpointId},
      coalesce(${eventId}::uuid, gen_random_uuid()), ${event}, ${kind}, ${waitMs === 0},
      clock_timestamp() + ${waitMs} * interval '1 millisecond', ${attempts}, now()
    from generate_series(1, ${count}::integer)`);
}

/** Records this many events, and queues each for all of these endpoints, as writes do. */
export async function queueEvents(
  db: Db,
  accountId: string,
  count: number,
  endpointIds: string[],
): Promise<void> {
  await db.query(sql`
    with e as (
      insert into events (account_id, id, event, body, created_at)
      select ${accountId}, ${timeOrderedId}, 'tenant.created', '{"n":' || n || '}', now()
      from generate_series(1, ${count}::integer) n returning account_id, id, event)
    insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
    select ${timeOrderedId}, e.account_id, w.id, e.id, e.event, 'event', true, clock_timestamp(), now()
    from e cross join unnest(${endpointIds}::uuid[]) w(id)`);
}

const timeOrderedId = raw(`(lpad(to_hex((extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0')
  || '7' || substr(md5(random()::text), 1, 3) || '8' || substr(md5(random()::text), 1, 15))::uuid`);

/** Claims as a worker does. Limits that are not given are large. */
export async function claimDeliveries(
  db: Database,
  { claimId = newId(), leaseMs = 10_000, ...request }: Partial<ClaimRequest> = {},
): Promise<Delivery[]> {
  const usual = { after: newId(), most: 200, perLane: 200, rooms: {}, maxAttempts: 5, now: new Date() };
  const claimedAt = performance.now();
  const rows = await claim(db, { claimId, leaseMs, ...usual, ...request });
  return rows.map((row) => claimedNow(row, claimId, claimedAt, leaseMs));
}

/** The delivery as it is when its endpoint has answered with 200. */
export const succeeded = (delivery: Delivery): Delivery => ({
  ...delivery,
  startedOn: new Date(),
  signature: `t=1790000000,v1=${'0'.repeat(64)}`,
  outcome: {
    kind: 'success',
    status: 200,
    responseHeaders: { 'content-type': 'text/plain' },
    responseBody: 'ok',
    retryAfterMs: null,
    error: null,
    durationMs: 12,
  },
  settlement: { status: 'succeeded', waitMs: null, unsent: false, error: null },
});
