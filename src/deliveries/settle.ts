import { type Element, plainArray, textArray } from '../db/arrays.ts';
import type { Database } from '../db/connect.ts';
import { sized } from '../db/sized.ts';
import { raw, sql } from '../db/sql.ts';

/** What became of one claim: how the delivery goes on, and the attempt that was made. */
export interface Settlement {
  id: string;
  claim_id: string;
  /** The endpoint whose health it tells of; null: a test, which tells nothing. */
  counts_for: string | null;
  /** How the delivery ended; null: it stays in the queue. */
  status: 'succeeded' | 'failed' | 'cancelled' | null;
  /** How long until it is tried again; null: at once. */
  wait_ms: number | null;
  /** Nothing was sent: the attempt that the claim counted is given back. */
  unsent: boolean;
  error: string | null;
  /** An attempt begun by a worker that died: it may have reached the endpoint or not. */
  interrupted: { number: number; started_at: Date } | null;
  attempt: AttemptMade | null;
}

export interface AttemptMade {
  number: number;
  started_at: Date;
  duration_ms: number;
  outcome: string;
  signature: string;
  response_status: number | null;
  /** JSON text. */
  response_headers: string | null;
  response_body: string | null;
}

export interface Settled {
  /** How many claims were still ours. */
  count: number;
  /** The others, which changed nothing. */
  lost: string[];
  /** Endpoints among them that are disabled, perhaps just now. */
  disabled: { accountId: string; endpointId: string }[];
}

/** After this long without any success, an endpoint that fails once more is disabled. */
const failingDays = 5;

/**
 * Writes down what became of a batch of claims, in one statement: all of it or nothing. The claim's id
 * fences it: where the lease was lost and somebody else has claimed the delivery since, nothing is changed
 * and nothing counted. For the same reason it does no harm to say it twice, so it may be repeated when the
 * database went away in the middle.
 *
 * Locks the endpoints' rows first, in one order for all workers, and then the queue's: as whoever deletes or
 * disables an endpoint does, so that the two never wait for each other. Waits are measured by the
 * database's clock, as promoteDue() does.
 */
export async function settle(db: Database, settlements: Settlement[], now: Date): Promise<Settled> {
  const columns = toColumns(settlements);
  const [row] = await sized<{ count: number; ids: string[] | null; disabled: Settled['disabled'] }>(
    db,
    sql`
    with mine as materialized (
      select r.*, q.account_id, q.endpoint_id, q.kind,
        to_timestamp(r.started_ms / 1000) as started_at, to_timestamp((r.started_ms + r.duration_ms) / 1000) as ended_at,
        r.outcome <> 'stopped' and q.kind <> 'test' as counts
      from unnest(${columns.id}::uuid[], ${columns.claim_id}::uuid[], ${columns.status}::text[],
        ${columns.wait_ms}::float8[], ${columns.unsent}::smallint[], ${columns.error}::text[],
        ${columns.number}::smallint[], ${columns.started_ms}::float8[], ${columns.duration_ms}::integer[],
        ${columns.outcome}::text[], ${columns.signature}::text[], ${columns.response_status}::integer[],
        ${columns.response_headers}::text[], ${columns.response_body}::text[], ${columns.interrupted_number}::smallint[],
        ${columns.interrupted_ms}::float8[], ${columns.lasting}::boolean[]) as r(id, claim_id, status, wait_ms, unsent, error,
        number, started_ms, duration_ms, outcome, signature, response_status, response_headers, response_body,
        interrupted_number, interrupted_ms, lasting)
      join delivery_queue q on q.id = r.id and q.claim_id = r.claim_id),
    tally as (
      select account_id, endpoint_id,
        max(ended_at) filter (where outcome = 'success') as success_at,
        max(ended_at) filter (where outcome <> 'success') as error_at,
        count(*) filter (where lasting) as failures,
        min(ended_at) filter (where lasting) as failing_since,
        coalesce(bool_or(status = 'failed') filter (where lasting), false) as used_up,
        bool_or(outcome = 'gone') as gone
      from mine where counts group by account_id, endpoint_id order by account_id, endpoint_id),
    endpoints as (
      update webhook_endpoints w set
        last_success_at = greatest(w.last_success_at, t.success_at),
        last_error_at = greatest(w.last_error_at, t.error_at),
        failure_count = case when t.success_at is null then w.failure_count else 0 end + t.failures,
        failing_since = case when t.success_at is null then coalesce(w.failing_since, t.failing_since)
          else t.failing_since end,
        status = case when w.status = 'disabled' or t.gone or ${failedForDays(now)} then 'disabled'
          when t.used_up then 'failing' when t.success_at is not null then 'active' else w.status end,
        disabled_reason = case when w.status = 'disabled' then w.disabled_reason when t.gone then 'gone'
          when ${failedForDays(now)} then 'failures' end
      from tally t where w.account_id = t.account_id and w.id = t.endpoint_id
      returning w.account_id, w.id, w.status),
    finished as (
      delete from delivery_queue q using mine m
      where q.id = m.id and q.claim_id = m.claim_id and m.status is not null and ${endpointsFirst}
      returning q.event_id, q.event, q.attempts, q.last_attempt_at, q.last_status, q.created_at, ${handedOn}),
    going_on as (
      update delivery_queue q set claim_id = null, lease_until = null, attempts = q.attempts - m.unsent,
        ready = m.wait_ms is null,
        next_at = case when m.wait_ms is null then q.next_at else now() + m.wait_ms * interval '1 millisecond' end,
        last_status = case when m.outcome is null then q.last_status else m.response_status end,
        last_error = coalesce(m.error, q.last_error)
      from mine m where q.id = m.id and q.claim_id = m.claim_id and m.status is null and ${endpointsFirst}
      returning ${handedOn}),
    logged as (
      insert into deliveries (account_id, id, endpoint_id, event_id, event, kind, status, attempts, last_attempt_at,
        last_status, last_error, created_at, finished_at, duration_ms, outcome, signature, response_headers, response_body)
      select account_id, id, endpoint_id, event_id, event, kind, status, attempts - unsent,
        coalesce(started_at, last_attempt_at), case when outcome is null then last_status else response_status end,
        error, created_at, ${now}, duration_ms, outcome, signature, response_headers, response_body
      from finished),
    attempted as (
      insert into delivery_attempts (${attemptColumns})
      select account_id, id, number, started_at, duration_ms, outcome, signature, response_status, response_headers,
        response_body, error from going_on where outcome is not null),
    interrupted as (
      insert into delivery_attempts (${attemptColumns}) ${interruptedOf('finished')} union all ${interruptedOf('going_on')}
      on conflict do nothing)
    select settled.count::integer,
      case when settled.count < ${settlements.length} then array(select id from finished union all select id from going_on) end
        as ids,
      (select coalesce(json_agg(json_build_object('accountId', account_id, 'endpointId', id)), '[]') from endpoints
       where status = 'disabled') as disabled
    from (select (select count(*) from finished) + (select count(*) from going_on) as count) settled`,
  );
  if (!row) throw new Error('A settle statement returned no row.');
  const kept = new Set(row.ids);
  const lost = row.ids === null ? [] : settlements.map(({ id }) => id).filter((id) => !kept.has(id));
  return { count: row.count, lost, disabled: row.disabled };
}

const failedForDays = (now: Date) =>
  sql`(t.success_at is null and w.failing_since < ${now}::timestamptz - ${failingDays} * interval '1 day')`;

const attemptColumns =
  raw(`account_id, delivery_id, attempt, started_at, duration_ms, outcome, signature, response_status,
  response_headers, response_body, error`);

/** Always true, but only known when all endpoints are updated. */
const endpointsFirst = sql`(select count(*) from endpoints) >= 0`;

/*
 * Each step hands on what the next ones need: joining them by id, Postgres (which expects one row of each)
 * would compare every row with every other.
 */
const handedOn =
  raw(`m.account_id, m.id, m.endpoint_id, m.kind, m.status, m.unsent, m.error, m.number, m.started_at,
  m.duration_ms, m.outcome, m.signature, m.response_status, m.response_headers, m.response_body, m.interrupted_number,
  m.interrupted_ms`);

const interruptedOf = (step: string) => sql`
  select account_id, id, interrupted_number, to_timestamp(interrupted_ms / 1000), null::integer, 'interrupted', null::text, null::integer, null::text,
    null::text, ${interruptedError}::text from ${raw(step)} where interrupted_number is not null`;

const interruptedError = 'The worker stopped before the result was known; the endpoint may have received it.';

/** One array per column: as JSON a delivery took Postgres 64 µs instead of 54. Times are numbers for the same reason. */
function toColumns(settlements: Settlement[]) {
  const plain = (pick: (settlement: Settlement) => Element) => plainArray(settlements.map(pick));
  const text = (pick: (settlement: Settlement) => Element) => textArray(settlements.map(pick));
  return {
    id: plain(({ id }) => id),
    claim_id: plain(({ claim_id }) => claim_id),
    status: plain(({ status }) => status),
    wait_ms: plain(({ wait_ms }) => wait_ms),
    unsent: plain(({ unsent }) => (unsent ? 1 : 0)),
    error: text(({ error }) => error),
    number: plain(({ attempt }) => attempt?.number),
    started_ms: plain(({ attempt }) => attempt?.started_at.getTime()),
    duration_ms: plain(({ attempt }) => attempt?.duration_ms),
    outcome: plain(({ attempt }) => attempt?.outcome),
    signature: text(({ attempt }) => attempt?.signature),
    response_status: plain(({ attempt }) => attempt?.response_status),
    response_headers: text(({ attempt }) => attempt?.response_headers),
    response_body: text(({ attempt }) => attempt?.response_body),
    interrupted_number: plain(({ interrupted }) => interrupted?.number),
    interrupted_ms: plain(({ interrupted }) => interrupted?.started_at.getTime()),
    lasting: plainArray(lastingFailures(settlements)),
  };
}

/** Whether each is a failure with no success of its endpoint after it: only such count towards the endpoint's failures. */
function lastingFailures(settlements: Settlement[]): string[] {
  const succeeded = new Set<string | null>();
  const lasting: string[] = [];
  for (const { attempt, counts_for } of settlements.toReversed()) {
    if (attempt?.outcome === 'success') succeeded.add(counts_for);
    lasting.push(succeeded.has(counts_for) ? 'f' : 't');
  }
  return lasting.reverse();
}
