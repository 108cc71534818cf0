import { days } from '../../clock.ts';
import type { Database } from '../../db/connect.ts';
import { queryBySize } from '../../db/plans/plan-by-table-size.ts';
import { rowsAsTable } from '../../db/records/rows-as-table.ts';
import { literal, none, raw, type Sql, sql } from '../../db/sql.ts';
import type { Claimed, Delivery } from './delivery.ts';
import { isPlainSuccess, settleSuccesses } from './settle-successes.ts';

/*
 * The engine's two statements that touch the records of many accounts: a claim reads events and endpoints, and a settle
 * writes results. Both start from the queue, one table for all accounts, and find every other row by its primary key.
 */

/**
 * With claims of up to 500 and settles of up to 1,000, instead of 200 and 250, a busy worker and PostgreSQL together
 * took 141 instead of 165 µs of processor time for a delivery (the lowest quarter of six turns each).
 */
export const claimMost = 500;

export interface ClaimRequest {
  claimId: string;
  /** The lane served last. The walk begins after it, so that each lane gets its turn. */
  after: string;
  /** How many deliveries to take at most, up to `claimMost`. */
  most: number;
  /** How many to take at most from a lane that `rooms` does not name. */
  perLane: number;
  /** How many more each lane of this process has room for. A lane with 0 is passed over. */
  rooms: Record<string, number>;
  leaseMs: number;
  maxAttempts: number;
  now: Date;
}

/** The first delivery of each lane comes with its endpoint, unless the endpoint was deleted. */
export type ClaimedRow = Claimed & (EndpointColumns | { [Column in keyof EndpointColumns]: null });

interface EndpointColumns {
  url: string;
  disabled: boolean;
  secret: Buffer;
  /** Null if there is no previous secret, or it has expired. */
  previousSecret: Buffer | null;
  failureCount: number;
  hasSucceeded: boolean;
}

/**
 * Takes due deliveries out of their lanes for one worker, with everything needed to send them. One index look-up finds
 * the next lane that has any, so the cost depends on the number of lanes served and not on the number of rows waiting:
 * taking 500 costs the same with a thousand queued as with millions. The walk is lazy and ends when enough are taken.
 *
 * The claim passes over rows that another worker is claiming (skip locked) and rows that are leased. A lease that ran
 * out belonged to a worker that died. Leases are measured by the database's clock alone, so machines whose clocks
 * disagree never send the same delivery. The attempt is counted here, so that a crash can never lead to one too many.
 *
 * Finding rows by ctid, and laterals with a limit, make Postgres fetch one row at a time by its index, whatever it
 * believes about the sizes of the tables.
 *
 * Every claim reads the endpoints again, so that changing a URL or secret, and disabling or deleting an endpoint, take
 * effect at once.
 *
 * `kind = q.kind` changes nothing, but makes Postgres compute the generated column `lane` again. That costs less than
 * finding out for every row that it is not needed (7 of 35 µs per delivery claimed, Postgres 18).
 */
export function claim(db: Database, request: ClaimRequest): Promise<ClaimedRow[]> {
  if (db.isDistributed()) return claimThenRead(db, request);
  return queryBySize<ClaimedRow>(
    db,
    sql`/* across accounts */
    ${claimSteps(request)}
    select ${claimedColumns}, e.body, ${endpointColumns(request.now)}
    from ${claimedInOrder}
    left join lateral (select * from events e where e.account_id = c.account_id and e.id = c.event_id limit 1) e on true
    left join lateral (
      select * from webhook_endpoints w
      where c.leads and w.account_id = c.account_id and w.id = c.endpoint_id limit 1) w on true`,
  );
}

/**
 * The same where events and endpoints are on other nodes than the queue. Two further statements read them for all
 * accounts, and Citus asks only those parts of the tables that have these accounts.
 */
async function claimThenRead(db: Database, request: ClaimRequest): Promise<ClaimedRow[]> {
  const rows = await queryBySize<Omit<Claimed, 'body'> & { leads: boolean }>(
    db,
    sql`${claimSteps(request)} select ${claimedColumns}, c.leads from ${claimedInOrder}`,
  );
  if (rows.length === 0) return [];
  const leading = rows.filter(({ leads }) => leads);
  const [events, endpoints] = await Promise.all([
    db.query<{ id: string; body: string }>(sql`/* across accounts */
      select id, body from events
      where account_id = any(${accountsOf(rows)}::uuid[]) and id = any(${rows.map(({ eventId }) => eventId)}::uuid[])`),
    db.query<EndpointColumns & { id: string }>(sql`/* across accounts */
      select w.id, ${endpointColumns(request.now)} from webhook_endpoints w
      where w.account_id = any(${accountsOf(leading)}::uuid[])
        and w.id = any(${leading.map(({ endpointId }) => endpointId)}::uuid[])`),
  ]);
  const bodies = new Map(events.map(({ id, body }) => [id, body]));
  const endpointOf = new Map(endpoints.map(({ id, ...rest }) => [id, rest]));
  return rows.map(({ leads, ...row }) => ({
    ...row,
    body: bodies.get(row.eventId) ?? null,
    ...((leads && endpointOf.get(row.endpointId)) || noEndpoint),
  }));
}

const accountsOf = (rows: { accountId: string }[]): string[] => [
  ...new Set(rows.map(({ accountId }) => accountId)),
];

const noEndpoint = {
  url: null,
  disabled: null,
  secret: null,
  previousSecret: null,
  failureCount: null,
  hasSucceeded: null,
};

const claimedColumns =
  raw(`c.id, c.account_id as "accountId", c.endpoint_id as "endpointId", c.event_id as "eventId",
      c.event, c.kind, c.attempt, c.interrupted_at as "interruptedAt", c.exhausted`);

const claimedInOrder = raw(`(
      select *, row_number() over (partition by turn order by next_at) = 1 as leads
      from claimed order by turn, next_at) c`);

const endpointColumns = (now: Date): Sql => sql`w.url, w.status = 'disabled' as disabled, w.secret,
      case when w.previous_secret_expires_at > ${now} then w.previous_secret end as "previousSecret",
      w.failure_count as "failureCount", w.last_success_at is not null as "hasSucceeded"`;

const claimSteps = ({ claimId, after, most, perLane, rooms, leaseMs, maxAttempts }: ClaimRequest): Sql => sql`
    with recursive lanes as (
      select ${after}::uuid as lane, false as wrapped, 0 as turn
      union all
      select coalesce(behind.lane, first.lane), wrapped or behind.lane is null, turn + 1
      from lanes
      left join lateral (
        select q.lane from delivery_queue q where q.ready and q.lane > lanes.lane
        order by q.lane limit 1) behind on true
      left join lateral (
        select q.lane from delivery_queue q where q.ready and behind.lane is null and not lanes.wrapped
        order by q.lane limit 1) first on true
      where case when wrapped or behind.lane is null then coalesce(behind.lane, first.lane) <= ${after}::uuid
                 else true end),
    due as (
      select * from (
        select taken.*, turn from lanes cross join lateral (
          select q.ctid as tid, q.next_at, q.attempts, q.lease_until, q.last_attempt_at from delivery_queue q
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
      from due where q.ctid = due.tid
      returning q.id, q.account_id, q.endpoint_id, q.event_id, q.event, q.kind, q.attempts as attempt, due.turn,
        due.next_at,
        case when due.lease_until is not null then due.last_attempt_at end as interrupted_at,
        due.attempts = q.attempts as exhausted)`;

/** A test is sent only once. */
const allowed = (maxAttempts: number) => sql`case q.kind when 'test' then 1 else ${maxAttempts}::integer end`;

interface Settled {
  /** How many deliveries were still ours. */
  count: number;
  /** The other deliveries, which were left alone. */
  lost: string[];
  /** Endpoints of these deliveries that are disabled, perhaps by this settle. */
  disabled: { accountId: string; endpointId: string }[];
}

/**
 * After this long without a success, the next delivery that uses up its attempts disables the endpoint. A failed
 * attempt is not enough: if there was nothing to send for days, it may be the first since the endpoint was repaired.
 */
const failingDays = 5;

/**
 * Writes the results of a batch in one statement: all of them or none. The claim's id is the fence: if the lease was
 * lost and another worker has claimed the delivery since, the delivery is left alone. So it does no harm to repeat a
 * settle, which happens if the database goes away in the middle.
 *
 * The statement locks the endpoints' rows first, in the same order for all workers, and then the queue's rows. Deleting
 * or disabling an endpoint does the same, so that the two never wait for each other. Waits are measured by the
 * database's clock, as in promoteDue().
 */
export async function settle(db: Database, deliveries: Delivery[], now: Date): Promise<Settled> {
  // Given the accounts' ids, Citus asks only the parts of the table where they are, instead of all.
  const where = db.isDistributed() ? sql`and w.account_id = any(${accountsOf(deliveries)}::uuid[])` : none;
  const steps = deliveries.every(isPlainSuccess)
    ? settleSuccesses(deliveries, now, where)
    : settleAny(deliveries, now, where);
  const [row] = await queryBySize<{ count: number; ids: string[] | null; disabled: Settled['disabled'] }>(
    db,
    sql`/* across accounts */
    with ${steps}
    select n.count, case when n.count < ${deliveries.length} then array(select id from settled) end as ids,
      (select coalesce(json_agg(json_build_object('accountId', account_id, 'endpointId', id)), '[]') from endpoints
       where status = 'disabled') as disabled
    from (select count(*)::integer as count from settled) n`,
  );
  if (!row) throw new Error('A settle statement returned no row.');
  const kept = new Set(row.ids);
  const lost = row.ids === null ? [] : deliveries.map(({ id }) => id).filter((id) => !kept.has(id));
  return { count: row.count, lost, disabled: row.disabled };
}

/** The steps of settling results of any kind. */
const settleAny = (deliveries: Delivery[], now: Date, where: Sql): Sql => sql`
    mine as materialized (
      select n.*, q.account_id, q.endpoint_id, q.kind,
        to_timestamp(n.started_ms / 1000) as started_at,
        to_timestamp((n.started_ms + n.duration_ms) / 1000) as ended_at,
        now() + n.wait_ms * interval '1 millisecond' as waits_until,
        n.outcome <> 'stopped' and q.kind <> 'test' as counts
      from ${rowsAsTable(toRows(deliveries), columns)}
      join delivery_queue q on q.id = n.id and q.claim_id = n.claim_id),
    tally as (
      select account_id, endpoint_id,
        max(ended_at) filter (where outcome = 'success') as success_at,
        max(ended_at) filter (where outcome <> 'success') as error_at,
        count(*) filter (where lasting) as failures,
        min(ended_at) filter (where lasting) as failing_since,
        coalesce(bool_or(status = 'failed') filter (where lasting), false) as used_up,
        array_agg(sent_to) filter (where outcome = 'gone') as gone_from,
        (array_agg(sent_to order by ended_at desc) filter (where lasting and sent_to is not null))[1] as sent_to
      from mine where counts group by account_id, endpoint_id order by account_id, endpoint_id),
    endpoints as (
      update webhook_endpoints w set
        last_success_at = greatest(w.last_success_at, t.success_at),
        last_error_at = greatest(w.last_error_at, t.error_at),
        failure_count = case when t.success_at is null then w.failure_count else 0 end
          + case when ${stillThere} then t.failures else 0 end,
        failing_since = coalesce(case when t.success_at is null then w.failing_since end,
          case when ${stillThere} then t.failing_since end),
        status = case when w.status = 'disabled' or ${isGone} or ${failedForDays(now)} then 'disabled'
          when t.used_up and ${stillThere} then 'failing' when t.success_at is not null then 'active' else w.status end,
        disabled_reason = case when w.status = 'disabled' then w.disabled_reason when ${isGone} then 'gone'
          when ${failedForDays(now)} then 'failures' end
      from tally t where w.account_id = t.account_id and w.id = t.endpoint_id ${where}
      returning w.account_id, w.id, w.status),
    finished as (
      delete from delivery_queue q using mine m
      where q.id = m.id and q.claim_id = m.claim_id and m.status is not null and ${endpointsFirst}
      returning q.event_id, q.event, q.attempts, q.last_attempt_at, q.last_status, q.created_at, ${handedOn}),
    going_on as (
      update delivery_queue q set claim_id = null, lease_until = null, attempts = q.attempts - m.unsent,
        ready = m.wait_ms is null,
        next_at = coalesce(m.waits_until, q.next_at),
        last_status = case when m.outcome is null then q.last_status else m.response_status end,
        last_error = coalesce(m.error, q.last_error)
      from mine m where q.id = m.id and q.claim_id = m.claim_id and m.status is null and ${endpointsFirst}
      returning ${handedOn}),
    logged as (
      insert into deliveries (account_id, id, endpoint_id, event_id, event, kind, status, attempts, last_attempt_at,
        last_status, last_error, created_at, finished_at, duration_ms, outcome, signature, response_headers,
        response_body)
      select account_id, id, endpoint_id, event_id, event, kind, status, attempts - unsent,
        coalesce(started_at, last_attempt_at), case when outcome is null then last_status else response_status end,
        error, created_at, ${now}, duration_ms, outcome, signature, response_headers, response_body
      from finished),
    attempted as (
      insert into delivery_attempts (${attemptColumns})
      select account_id, id, number, started_at, duration_ms, outcome, signature, response_status, response_headers,
        response_body, error from going_on where outcome is not null),
    interrupted as (
      insert into delivery_attempts (${attemptColumns})
      ${interruptedOf('finished')} union all ${interruptedOf('going_on')}
      on conflict do nothing),
    settled as (select id from finished union all select id from going_on)`;

/** The endpoint still has the address that answered 410. */
const isGone = sql`(w.url = any(t.gone_from))`;

/** The endpoint still has the address that failed. */
const stillThere = sql`coalesce(t.sent_to = w.url, true)`;

const failedForDays = (now: Date) =>
  sql`(t.used_up and ${stillThere} and t.success_at is null
    and w.failing_since < ${new Date(now.getTime() - days(failingDays))}::timestamptz)`;

const attemptColumns =
  raw(`account_id, delivery_id, attempt, started_at, duration_ms, outcome, signature, response_status,
  response_headers, response_body, error`);

/** Always true, but Postgres can know that only after it has updated all endpoints. */
const endpointsFirst = sql`(select count(*) from endpoints) >= 0`;

/*
 * Each step hands on what the next ones need. If they joined each other by id instead, Postgres, which expects one row
 * from each, would compare every row with every other.
 */
const handedOn =
  raw(`m.account_id, m.id, m.endpoint_id, m.kind, m.status, m.unsent, m.error, m.number, m.started_at,
  m.duration_ms, m.outcome, m.signature, m.response_status, m.response_headers, m.response_body, m.interrupted_number,
  m.interrupted_ms`);

const interruptedOf = (step: string) => sql`
  select account_id, id, interrupted_number, to_timestamp(interrupted_ms / 1000), null::integer, 'interrupted',
    null::text, null::integer, null::text, null::text, ${interruptedError}::text from ${raw(step)} where interrupted_number is not null`;

const interruptedError = 'The worker stopped before the result was known; the endpoint may have received it.';

/** Times are sent as numbers, which Postgres reads faster. */
const columns = {
  id: 'uuid',
  claim_id: 'uuid',
  status: 'text',
  wait_ms: 'float8',
  unsent: 'smallint',
  error: 'text',
  number: 'smallint',
  started_ms: 'float8',
  duration_ms: 'integer',
  outcome: 'text',
  signature: 'text',
  response_status: 'integer',
  response_headers: 'text',
  response_body: 'text',
  interrupted_number: 'smallint',
  interrupted_ms: 'float8',
  lasting: 'boolean',
  sent_to: 'text',
};

function toRows(deliveries: Delivery[]): { [Column in keyof typeof columns]: unknown }[] {
  const lasting = lastingFailures(deliveries);
  return deliveries.map((delivery, at) => {
    const { id, claimId, attempt, settlement, outcome, startedOn, signature, sentTo } = delivery;
    const { interruptedAt, exhausted } = delivery;
    return {
      id,
      claim_id: claimId,
      status: settlement?.status,
      wait_ms: settlement?.waitMs,
      unsent: settlement?.unsent ? 1 : 0,
      error: settlement?.error,
      number: outcome && attempt,
      started_ms: outcome && startedOn?.getTime(),
      duration_ms: outcome?.durationMs,
      outcome: outcome?.kind,
      signature: outcome && signature,
      response_status: outcome?.status,
      response_headers: outcome && outcome.status !== null ? JSON.stringify(outcome.responseHeaders) : null,
      response_body: outcome?.responseBody,
      interrupted_number: interruptedAt && (exhausted ? attempt : attempt - 1),
      interrupted_ms: interruptedAt?.getTime(),
      lasting: lasting[at],
      sent_to: outcome?.kind === 'success' ? null : sentTo,
    };
  });
}

/**
 * For each delivery, whether no success of the same endpoint comes after it. Only then does a failure count against the
 * endpoint.
 */
function lastingFailures(deliveries: Delivery[]): boolean[] {
  const succeeded = new Set<string>();
  const lasting: boolean[] = [];
  for (const { outcome, kind, endpointId } of deliveries.toReversed()) {
    if (outcome?.kind === 'success' && kind !== 'test') succeeded.add(endpointId);
    lasting.push(!succeeded.has(endpointId));
  }
  return lasting.reverse();
}
