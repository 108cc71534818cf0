import { floatArray, integerArray, textArray, uuidArray } from '../../db/arrays.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { AttemptMade, Settlement } from '../sending/settlement.ts';
import { endpointsFirst, summary } from './settle-any.ts';

/**
 * Whether a batch is of nothing but first-hand successes, as most are. The statement for them has half the columns and a
 * third of the steps: it takes Postgres a quarter less for each.
 */
export const areSuccesses = (settlements: Settlement[]): settlements is Success[] =>
  settlements.every(
    ({ status, interrupted, attempt }) => status === 'succeeded' && interrupted === null && attempt !== null,
  );

interface Success extends Settlement {
  attempt: AttemptMade;
}

/**
 * The same as settling them in the general way, but for a claim that was lost: the delivery is not touched then either, yet
 * its endpoint has answered, and that is noted.
 */
export function settleSuccesses(successes: Success[], now: Date): Sql {
  const attempts = successes.map(({ attempt }) => attempt);
  const answered = latestAnswers(successes);
  return sql`
    with endpoints as (
      update webhook_endpoints w set
        last_success_at = greatest(w.last_success_at, to_timestamp(t.answered_ms / 1000)), failure_count = 0, failing_since = null,
        status = case w.status when 'disabled' then 'disabled' else 'active' end,
        disabled_reason = case w.status when 'disabled' then w.disabled_reason end
      from unnest(${uuidArray(answered.map(({ account_id }) => account_id))}::uuid[],
        ${uuidArray(answered.map(({ endpoint_id }) => endpoint_id))}::uuid[],
        ${floatArray(answered.map(({ answeredMs }) => answeredMs))}::float8[]) as t(account_id, id, answered_ms)
      where w.account_id = t.account_id and w.id = t.id
      returning w.account_id, w.id, w.status),
    finished as (
      delete from delivery_queue q
      using unnest(${uuidArray(successes.map(({ id }) => id))}::uuid[],
        ${uuidArray(successes.map(({ claim_id }) => claim_id))}::uuid[],
        ${floatArray(attempts.map(({ started_at }) => started_at.getTime()))}::float8[],
        ${integerArray(attempts.map(({ duration_ms }) => duration_ms))}::integer[],
        ${textArray(attempts.map(({ signature }) => signature))}::text[],
        ${integerArray(attempts.map(({ response_status }) => response_status))}::integer[],
        ${textArray(attempts.map(({ response_headers }) => response_headers))}::text[],
        ${textArray(attempts.map(({ response_body }) => response_body))}::text[])
        as r(id, claim_id, started_ms, duration_ms, signature, response_status, response_headers, response_body)
      where q.id = r.id and q.claim_id = r.claim_id and ${endpointsFirst}
      returning q.account_id, q.id, q.endpoint_id, q.event_id, q.event, q.kind, q.attempts, q.created_at, r.started_ms,
        r.duration_ms, r.signature, r.response_status, r.response_headers, r.response_body),
    logged as (
      insert into deliveries (account_id, id, endpoint_id, event_id, event, kind, status, attempts, last_attempt_at,
        last_status, created_at, finished_at, duration_ms, outcome, signature, response_headers, response_body)
      select account_id, id, endpoint_id, event_id, event, kind, 'succeeded', attempts, to_timestamp(started_ms / 1000),
        response_status, created_at, ${now}, duration_ms, 'success', signature, response_headers, response_body
      from finished)
    ${summary(successes, ['finished'])}`;
}

/** When each endpoint last answered, in the order in which all workers lock endpoints. */
function latestAnswers(successes: Success[]) {
  const latest = new Map<string, { account_id: string; endpoint_id: string; answeredMs: number }>();
  for (const { counts_for, attempt } of successes) {
    if (counts_for === null) continue;
    const { account_id, endpoint_id } = counts_for;
    const answeredMs = attempt.started_at.getTime() + attempt.duration_ms;
    const known = latest.get(endpoint_id);
    if (known === undefined) latest.set(endpoint_id, { account_id, endpoint_id, answeredMs });
    else known.answeredMs = Math.max(known.answeredMs, answeredMs);
  }
  return [...latest.values()].sort(
    (a, b) => order(a.account_id, b.account_id) || order(a.endpoint_id, b.endpoint_id),
  );
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
