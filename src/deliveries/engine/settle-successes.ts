import { floatArray, integerArray, textArray, uuidArray } from '../../db/arrays.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Delivery } from './delivery.ts';

/** Whether there is nothing to write but an attempt that succeeded. That is true of most deliveries. */
export const isPlainSuccess = ({ settlement, interruptedAt }: Delivery): boolean =>
  settlement?.status === 'succeeded' && interruptedAt === null;

/**
 * The steps of settling a batch of nothing but plain successes, which most batches are. They do the same as the steps
 * for any kind of result, with half the columns and a third of the steps: Postgres takes 36 instead of 48 µs a
 * delivery. `where` is a further condition on the endpoints.
 */
export function settleSuccesses(deliveries: Delivery[], now: Date, where: Sql): Sql {
  return sql`
    mine as materialized (
      select q.account_id, q.endpoint_id, q.kind, n.*
      from unnest(${uuidArray(deliveries.map(({ id }) => id))}::uuid[],
        ${uuidArray(deliveries.map(({ claimId }) => claimId))}::uuid[],
        ${floatArray(deliveries.map(({ startedOn }) => startedOn?.getTime() ?? null))}::float8[],
        ${integerArray(deliveries.map(({ outcome }) => outcome?.durationMs ?? null))}::integer[],
        ${textArray(deliveries.map(({ signature }) => signature))}::text[],
        ${integerArray(deliveries.map(({ outcome }) => outcome?.status ?? null))}::integer[],
        ${textArray(deliveries.map(({ outcome }) => JSON.stringify(outcome?.responseHeaders)))}::text[],
        ${textArray(deliveries.map(({ outcome }) => outcome?.responseBody ?? null))}::text[])
        as n(id, claim_id, started_ms, duration_ms, signature, response_status, response_headers, response_body)
      join delivery_queue q on q.id = n.id and q.claim_id = n.claim_id),
    endpoints as (
      update webhook_endpoints w set
        last_success_at = greatest(w.last_success_at, t.success_at), failure_count = 0, failing_since = null,
        status = case when w.status = 'disabled' then 'disabled' else 'active' end,
        disabled_reason = case when w.status = 'disabled' then w.disabled_reason end
      from (
        select account_id, endpoint_id, to_timestamp(max(started_ms + duration_ms) / 1000) as success_at
        from mine where kind <> 'test' group by account_id, endpoint_id order by account_id, endpoint_id) t
      where w.account_id = t.account_id and w.id = t.endpoint_id ${where}
      returning w.account_id, w.id, w.status),
    finished as (
      delete from delivery_queue q using mine m
      where q.id = m.id and q.claim_id = m.claim_id and (select count(*) from endpoints) >= 0
      returning q.account_id, q.id, q.endpoint_id, q.event_id, q.event, q.kind, q.attempts, q.created_at, m.started_ms,
        m.duration_ms, m.signature, m.response_status, m.response_headers, m.response_body),
    logged as (
      insert into deliveries (account_id, id, endpoint_id, event_id, event, kind, status, attempts, last_attempt_at,
        last_status, created_at, finished_at, duration_ms, outcome, signature, response_headers, response_body)
      select account_id, id, endpoint_id, event_id, event, kind, 'succeeded', attempts,
        to_timestamp(started_ms / 1000), response_status, created_at, ${now}, duration_ms, 'success', signature,
        response_headers, response_body
      from finished),
    settled as (select id from finished)`;
}
