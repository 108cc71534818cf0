import type { Database } from '../../db/connect.ts';
import { noteSizes, sized, sizesOf } from '../../db/plan-by-table-size.ts';
import { literal, sql } from '../../db/sql.ts';
import type { Endpoint } from './job.ts';

export const claimMost = 200;

export interface ClaimRequest {
  claimId: string;
  /** The lane served last: the walk begins behind it, so that all get their turn. */
  after: string;
  /** Most deliveries to take, up to `claimMost`. */
  most: number;
  /** Most from a lane that `rooms` does not name. */
  perLane: number;
  /** How many each lane of this process still has room for; 0 passes it over. */
  rooms: Record<string, number>;
  leaseMs: number;
  maxAttempts: number;
  now: Date;
}

export interface ClaimedRow {
  id: string;
  account_id: string;
  endpoint_id: string;
  event_id: string;
  event: string;
  kind: 'event' | 'redelivery' | 'test';
  /** The event's; null where retention took it while its delivery was queued. */
  body: string | null;
  /** The attempt that this claim is for, from 1. */
  attempt: number;
  /** When a worker that is gone began the attempt before this one, which it may have made or not. */
  interrupted_at: Date | null;
  /** Its attempts were used up when that worker went: nothing may be sent any more. */
  exhausted: boolean;
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
  /** What was made of it. */
  read: Endpoint | null;
}

export interface Claimed {
  rows: ClaimedRow[];
  /** Theirs, by id. One that was deleted meanwhile is missing. */
  endpoints: Map<string, EndpointRow>;
}

/** A test has a lane of its own: it must not wait behind its endpoint's backlog. */
export const laneOf = ({ kind, id, endpoint_id }: ClaimedRow): string => (kind === 'test' ? id : endpoint_id);

/**
 * Takes due deliveries out of their lanes for one worker, with all that is needed to send them. One index look-up finds the
 * next lane that has any, so the cost follows the number of lanes served and not the number of rows waiting: 200
 * taken cost the same with a thousand and with millions queued. The walk is lazy and ends when enough are taken.
 *
 * Rows that another worker is claiming at this moment are passed over (skip locked), those that are leased
 * too; a lease that ran out belongs to a worker that died. Leases are measured by the database's clock
 * alone: the machines' own clocks may disagree without two workers sending the same delivery. A claim is an
 * attempt, counted here, so that a crash can never lead to one too many.
 *
 * Places and look-ups with a limit keep Postgres from any other way than one row at a time by its index, whatever it thinks
 * of the tables' sizes.
 *
 * Endpoints are read anew with every claim, so that a changed URL, a new secret, a disabled or deleted one count at
 * once; each comes with the first of its lane's deliveries.
 *
 * Naming `kind`, which stays as it is, makes Postgres work out `lane`, which is made from it, once more: that costs less than
 * finding out for every row that it need not (7 of 35 µs per delivery claimed, Postgres 18).
 */
export async function claim(db: Database, request: ClaimRequest): Promise<Claimed> {
  const { claimId, after, most, perLane, rooms, leaseMs, maxAttempts, now } = request;
  const rows = await sized<ClaimedRow & MaybeEndpoint>(
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
      select * from (
        select taken.*, turn from lanes cross join lateral (
          select q.ctid as place, q.next_at, q.attempts, q.lease_until, q.last_attempt_at from delivery_queue q
          where q.ready and q.lane = lanes.lane and (q.lease_until is null or q.lease_until < now())
          order by q.next_at
          limit coalesce((${JSON.stringify(rooms)}::jsonb -> lanes.lane::text)::integer, ${perLane}::integer)
          for update skip locked) taken
        where turn > 0
        limit ${literal(claimMost)}) enough
      limit ${most}),
    claimed as (
      update delivery_queue q set claim_id = ${claimId}, lease_until = now() + ${leaseMs} * interval '1 millisecond',
        attempts = case when q.attempts < ${allowed(maxAttempts)} then q.attempts + 1 else q.attempts end,
        last_attempt_at = now(), kind = q.kind
      from due where q.ctid = due.place
      returning q.id, q.account_id, q.endpoint_id, q.event_id, q.event, q.kind, q.attempts as attempt, due.turn, due.next_at,
        case when due.lease_until is not null then due.last_attempt_at end as interrupted_at,
        due.attempts = q.attempts as exhausted)
    select c.id, c.account_id, c.endpoint_id, c.event_id, c.event, c.kind, c.attempt, c.interrupted_at, c.exhausted, e.body,
      w.url, w.status = 'disabled' as disabled, w.secret,
      case when w.previous_secret_expires_at > ${now} then w.previous_secret end as previous_secret,
      w.failure_count, w.last_success_at is not null as has_succeeded
    from (
      select *, row_number() over (partition by turn order by next_at) = 1 as leads from claimed order by turn, next_at) c
    left join lateral (select * from events e where e.account_id = c.account_id and e.id = c.event_id limit 1) e on true
    left join lateral (
      select * from webhook_endpoints w where c.leads and w.account_id = c.account_id and w.id = c.endpoint_id limit 1) w on true`,
  );
  return { rows, endpoints: endpointsOf(rows) };
}

type MaybeEndpoint = Omit<EndpointRow, 'account_id' | 'id' | 'url' | 'read'> & { url: string | null };

function endpointsOf(rows: (ClaimedRow & MaybeEndpoint)[]): Map<string, EndpointRow> {
  const endpoints = new Map<string, EndpointRow>();
  for (const row of rows) {
    const { endpoint_id: id, url } = row;
    if (url !== null) endpoints.set(id, { ...row, url, id, read: null });
  }
  return endpoints;
}

/** A test is sent once. */
const allowed = (maxAttempts: number) => sql`case q.kind when 'test' then 1 else ${maxAttempts}::integer end`;

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
      select id from delivery_queue where not ready and next_at <= now() order by next_at limit ${literal(most)}
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
