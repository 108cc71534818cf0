import type { App } from '../../app.ts';
import { logInfo } from '../../system/log-line.ts';
import { metricsOf } from '../../system/metrics.ts';
import type { Outcome } from '../sending/outcome.ts';
import type { Delivery, Endpoint, Settlement } from './delivery.ts';

/** Writes one wide log line for the attempt, and counts it. */
export function logAttempt(
  app: App,
  delivery: Delivery,
  endpoint: Endpoint,
  outcome: Outcome,
  { status, waitMs }: Settlement,
  now: Date,
): void {
  metricsOf(app).countAttempt(outcome.kind);
  logInfo(
    app.log,
    {
      account: endpoint.publicAccountId,
      endpoint: endpoint.publicId,
      delivery: delivery.publicId,
      event: delivery.event,
      event_id: delivery.publicEventId,
      kind: delivery.kind,
      attempt: delivery.attempt,
      outcome: outcome.kind,
      status: outcome.status,
      ms: outcome.durationMs,
      delivery_status: status ?? 'pending',
      next_attempt_at: waitMs === null ? null : new Date(now.getTime() + waitMs).toISOString(),
    },
    'delivery attempt',
  );
}
