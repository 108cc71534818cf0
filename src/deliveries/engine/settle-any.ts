import { rowsAsTable } from '../../db/rows-as-table.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import type { Settlement } from '../sending/settlement.ts';

/**
 * After this long without any success, an endpoint is disabled by the next delivery that uses up its attempts. A failed attempt
 * is not enough: where there was nothing to send for days, it may be the first since the endpoint was mended.
 */
const failingDays = 5;

/** Results of any kind. */
export function settleAny(settlements: Settlement[], now: Date): Sql {
  return sql`
    with mine as materialized (
      select n.*, q.account_id, q.endpoint_id, q.kind,
        to_timestamp(n.started_ms / 1000) as started_at, to_timestamp((n.started_ms + n.duration_ms) / 1000) as ended_at,
        n.outcome <> 'stopped' and q.kind <> 'test' as counts
      from ${rowsAsTable(toRows(settlements), columns)}
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
    ${summary(settlements, ['finished', 'going_on'])}`;
}

/** How many there were and, where that is not all, which; and endpoints that are disabled. */
export const summary = (settlements: Settlement[], steps: string[]): Sql => sql`
    select settled.count::integer,
      case when settled.count < ${settlements.length} then array(${raw(steps.map((step) => `select id from ${step}`).join(' union all '))}) end
        as ids,
      (select coalesce(json_agg(json_build_object('accountId', account_id, 'endpointId', id)), '[]') from endpoints
       where status = 'disabled') as disabled
    from (select ${raw(steps.map((step) => `(select count(*) from ${step})`).join(' + '))} as count) settled`;

/** It was the address that the endpoint still has which is gone. */
const isGone = sql`(w.url = any(t.gone_from))`;

/** What failed is the address that the endpoint still has. */
const stillThere = sql`coalesce(t.sent_to = w.url, true)`;

const failedForDays = (now: Date) =>
  sql`(t.used_up and ${stillThere} and t.success_at is null and w.failing_since < ${now}::timestamptz - ${failingDays} * interval '1 day')`;

const attemptColumns =
  raw(`account_id, delivery_id, attempt, started_at, duration_ms, outcome, signature, response_status,
  response_headers, response_body, error`);

/** Always true, but only known when all endpoints are updated. */
export const endpointsFirst = sql`(select count(*) from endpoints) >= 0`;

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

/** Times are numbers: to read them takes Postgres less. */
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

function toRows(settlements: Settlement[]): { [Column in keyof typeof columns]: unknown }[] {
  const lasting = lastingFailures(settlements);
  return settlements.map(
    ({ id, claim_id, status, wait_ms, unsent, error, attempt, interrupted, sent_to }, at) => ({
      id,
      claim_id,
      status,
      wait_ms,
      unsent: unsent ? 1 : 0,
      error,
      number: attempt?.number,
      started_ms: attempt?.started_at.getTime(),
      duration_ms: attempt?.duration_ms,
      outcome: attempt?.outcome,
      signature: attempt?.signature,
      response_status: attempt?.response_status,
      response_headers: attempt?.response_headers,
      response_body: attempt?.response_body,
      interrupted_number: interrupted?.number,
      interrupted_ms: interrupted?.started_at.getTime(),
      lasting: lasting[at],
      sent_to: attempt?.outcome === 'success' ? null : sent_to,
    }),
  );
}

/** Whether each is a failure with no success of its endpoint after it: only such count towards the endpoint's failures. */
function lastingFailures(settlements: Settlement[]): boolean[] {
  const succeeded = new Set<string | undefined>();
  const lasting: boolean[] = [];
  for (const { attempt, counts_for } of settlements.toReversed()) {
    const endpoint = counts_for?.endpoint_id;
    if (attempt?.outcome === 'success') succeeded.add(endpoint);
    lasting.push(!succeeded.has(endpoint));
  }
  return lasting.reverse();
}
