import type { App } from '../../app.ts';
import { formatId } from '../../ids.ts';
import { metricsOf } from '../../system/metrics.ts';
import type { Job } from '../engine/job.ts';
import type { Outcome } from './outcome.ts';
import type { Settlement } from './settlement.ts';

/** One wide line per attempt, and its count. */
export function logAttempt(
  app: App,
  { row, lane, publicId }: Job,
  outcome: Outcome,
  { status, wait_ms }: Settlement,
  now: Date,
): void {
  metricsOf(app).countAttempt(outcome.kind);
  if (!app.log.isLevelEnabled('info')) return;
  app.log.info(
    {
      account: lane.endpoint.account,
      endpoint: lane.endpoint.id,
      delivery: publicId,
      event: row.event,
      event_id: formatId('evt', row.event_id),
      kind: row.kind,
      attempt: row.attempt,
      outcome: outcome.kind,
      status: outcome.status,
      ms: outcome.durationMs,
      delivery_status: status ?? 'pending',
      next_attempt_at: wait_ms === null ? null : new Date(now.getTime() + wait_ms),
    },
    'delivery attempt',
  );
}
