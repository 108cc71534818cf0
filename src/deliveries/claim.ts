import { plainArray } from '../db/arrays.ts';
import type { Database } from '../db/connect.ts';
import { noteSizes, sized, sizesOf } from '../db/sized.ts';
import { sql } from '../db/sql.ts';

export interface ClaimRequest {
  claimId: string;
  /** The lane served last: the walk begins behind it, so that all get their turn. */
  after: string;
  /** Most deliveries to take. */
  most: number;
  /** Most from a lane that `rooms` does not name. */
  perLane: number;
  /** How many each lane of this process still has room for; 0 passes it over. */
  rooms: Record<string, number>;
  leaseMs: number;
  maxAttempts: number;
}

export interface ClaimedRow {
  id: string;
  account_id: string;
  endpoint_id: string;
  event_id: string;
  event: string;
  kind: 'event' | 'redelivery' | 'test';
  lane: string;
  /** The attempt that this claim is for, from 1. */
  attempt: number;
  /** When a worker that is gone began the attempt before this one, which it may have made or not. */
  interrupted_at: Date | null;
  /** Its attempts were used up when that worker went: nothing may be sent any more. */
  exhausted: boolean;
}

/**
 * Takes due deliveries out of their lanes for one worker. One index look-up finds the next lane that has
 * any, so the cost follows the number of lanes served and not the number of rows waiting: 200 taken cost
 * the same with a thousand and with millions queued. The walk is lazy and ends when enough are taken.
 *
 * Rows that another worker is claiming at this moment are passed over (skip locked), those that are leased
 * too; a lease that ran out belongs to a worker that died. Leases are measured by the database's clock
 * alone: the machines' own clocks may disagree without two workers sending the same delivery. A claim is an
 * attempt, counted here, so that a crash can never lead to one too many.
 */
export function claim(db: Database, request: ClaimRequest): Promise<ClaimedRow[]> {
  const { claimId, after, most, perLane, rooms, leaseMs, maxAttempts } = request;
  return sized<ClaimedRow>(
    db,
    sql`
    with recursive lanes as (
      select ${after}::uuid as lane, false as wrapped, 0 as turn
      union all
      select coalesce(behind.lane, first.lane), wrapped or behind.lane is null, turn + 1
      from lanes
      left join lateral (
        select q.lane from delivery_queue q where q.ready and q.lane > lanes.lane order by q.lane limit 1) behind on true
      left join lateral (
        select q.lane from delivery_queue q where q.ready and behind.lane is null and not lanes.wrapped
        order by q.lane limit 1) first on true
      where case when wrapped or behind.lane is null then coalesce(behind.lane, first.lane) <= ${after}::uuid
                 else true end),
    due as (
      select taken.*, turn from lanes cross join lateral (
        select q.ctid as place, q.id, q.next_at, q.attempts, q.lease_until, q.last_attempt_at from delivery_queue q
        where q.ready and q.lane = lanes.lane and (q.lease_until is null or q.lease_until < now())
        order by q.next_at
        limit coalesce((${JSON.stringify(rooms)}::jsonb -> lanes.lane::text)::integer, ${perLane}::integer)
        for update skip locked) taken
      where turn > 0
      limit ${most}),
    claimed as (
      update delivery_queue q set claim_id = ${claimId}, lease_until = now() + ${leaseMs} * interval '1 millisecond',
        attempts = case when attempts < ${allowed(maxAttempts)} then attempts + 1 else attempts end, last_attempt_at = now()
      where q.ctid = any(array(select place from due))
      returning q.id, q.account_id, q.endpoint_id, q.event_id, q.event, q.kind, q.lane, q.attempts)
    select claimed.id, account_id, endpoint_id, event_id, event, kind, lane, claimed.attempts as attempt,
      case when due.lease_until is not null then due.last_attempt_at end as interrupted_at,
      due.attempts = claimed.attempts as exhausted
    from claimed join due on due.id = claimed.id
    order by due.turn, due.next_at`,
  );
}

/** A test is sent once. */
const allowed = (maxAttempts: number) => sql`case kind when 'test' then 1 else ${maxAttempts}::integer end`;

/**
 * Makes retries that have fallen due ready to be claimed, a batch at a time. Returns how many, and in how
 * many milliseconds the next one is due (null: none waits). Looks at the tables' sizes and the clock on the way.
 */
export async function promoteDue(
  db: Database,
  most: number,
): Promise<{ promoted: number; nextInMs: number | null; nowMs: number }> {
  const [row] = await sized<{ promoted: number; nextInMs: number | null; nowMs: number; sizes: number[] }>(
    db,
    sql`
    with due as (
      select id from delivery_queue where not ready and next_at <= now() order by next_at limit ${most}
      for update skip locked),
    promoted as (
      update delivery_queue set ready = true where id = any(array(select id from due)) returning id)
    select (select count(*) from promoted)::integer as promoted,
      (select extract(epoch from next_at - now())::float8 * 1000 from delivery_queue
       where not ready and next_at > now() order by next_at limit 1) as "nextInMs",
      extract(epoch from now())::float8 * 1000 as "nowMs",
      ${sizesOf('delivery_queue', 'events', 'webhook_endpoints')} as sizes`,
  );
  noteSizes(db, row?.sizes ?? []);
  return { promoted: row?.promoted ?? 0, nextInMs: row?.nextInMs ?? null, nowMs: row?.nowMs ?? 0 };
}

export interface EndpointRow {
  account_id: string;
  id: string;
  url: string;
  disabled: boolean;
  secret: Buffer;
  /** Null where there is none, or its time is over. */
  previous_secret: Buffer | null;
  failure_count: number;
  has_succeeded: boolean;
}

/**
 * The endpoints and the event bodies of a claim. Read anew with every claim, so that a changed URL, a new
 * secret, a disabled or deleted endpoint count at once.
 */
export async function loadClaimed(db: Database, rows: ClaimedRow[], now: Date): Promise<Loaded> {
  const endpoints = distinct(rows, (row) => row.endpoint_id);
  const events = distinct(rows, (row) => row.event_id);
  const [endpointRows, eventRows] = await Promise.all([
    sized<EndpointRow>(
      db,
      sql`
      select w.account_id, w.id, w.url, w.status = 'disabled' as disabled, w.secret,
        case when w.previous_secret_expires_at > ${now} then w.previous_secret end as previous_secret,
        w.failure_count, w.last_success_at is not null as has_succeeded
      from unnest(${plainArray(endpoints.map((row) => row.account_id))}::uuid[], ${plainArray(endpoints.map((row) => row.endpoint_id))}::uuid[])
        as wanted(account_id, id) join webhook_endpoints w on w.account_id = wanted.account_id and w.id = wanted.id`,
    ),
    sized<{ id: string; body: string }>(
      db,
      sql`
      select e.id, e.body
      from unnest(${plainArray(events.map((row) => row.account_id))}::uuid[], ${plainArray(events.map((row) => row.event_id))}::uuid[])
        as wanted(account_id, id) join events e on e.account_id = wanted.account_id and e.id = wanted.id`,
    ),
  ]);
  return {
    endpoints: new Map(endpointRows.map((row) => [row.id, row])),
    bodies: new Map(eventRows.map((row) => [row.id, Buffer.from(row.body)])),
  };
}

export interface Loaded {
  endpoints: Map<string, EndpointRow>;
  bodies: Map<string, Buffer>;
}

function distinct(rows: ClaimedRow[], key: (row: ClaimedRow) => string): ClaimedRow[] {
  return [...new Map(rows.map((row) => [key(row), row])).values()];
}
