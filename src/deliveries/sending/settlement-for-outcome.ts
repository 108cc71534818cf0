import { cancelledError } from '../../webhooks/webhooks.ts';
import type { Claim, Job } from '../engine/job.ts';
import type { Outcome } from './outcome.ts';
import { nextAttemptAt } from './retry.ts';
import type { Settlement } from './settlement.ts';

/** What an attempt's outcome means for its delivery: it ended, or is tried again after a wait. */
export function settlementOf(job: Job, outcome: Outcome, given: Given): Settlement {
  const settlement = base(job);
  settlement.error = outcome.error;
  settlement.sent_to = job.sentTo;
  settlement.attempt = {
    number: job.row.attempt,
    started_at: job.startedOn,
    duration_ms: outcome.durationMs,
    outcome: outcome.kind,
    signature: job.signature,
    response_status: outcome.status,
    response_headers: outcome.status === null ? null : JSON.stringify(outcome.responseHeaders),
    response_body: outcome.responseBody,
  };
  if (outcome.kind === 'success') settlement.status = 'succeeded';
  else if (outcome.kind === 'gone' || job.row.kind === 'test') settlement.status = 'failed';
  else failed(settlement, job, outcome, given);
  return settlement;
}

function failed(settlement: Settlement, { row }: Job, outcome: Outcome, given: Given): void {
  const { retryAfterMs } = outcome;
  const next = nextAttemptAt({ attempt: row.attempt, retryAfterMs, ...given });
  if (next === null) settlement.status = 'failed';
  // Broken off because we are stopping: the endpoint is not to blame, another worker goes on at once.
  else if (outcome.kind !== 'stopped') settlement.wait_ms = next.getTime() - given.now.getTime();
}

interface Given {
  delaysMs: readonly number[];
  now: Date;
  random: () => number;
}

/** A claim given back as it was. */
export const released = (claim: Claim): Settlement => ({ ...base(claim), unsent: !claim.row.exhausted });

/** The endpoint is gone or disabled. */
export const cancelled = (claim: Claim): Settlement => ({
  ...base(claim),
  status: 'cancelled',
  unsent: !claim.row.exhausted,
  error: cancelledError,
});

/** A worker died during the last attempt; whether it was received is not known, and it was the last. */
export const usedUp = (claim: Claim): Settlement => ({
  ...base(claim),
  status: 'failed',
  error: 'The worker stopped during the last attempt; whether the endpoint received it is not known.',
});

const beforeLookingAgainMs = 1_000;

/** On a distributed database the queue can be seen a moment before the event that was committed with it. */
export const beforeEvent = (claim: Claim): Settlement => ({
  ...base(claim),
  unsent: true,
  wait_ms: beforeLookingAgainMs,
});

/** Retention took the event while its delivery was queued. */
export const withoutEvent = (claim: Claim): Settlement => ({
  ...base(claim),
  status: 'failed',
  unsent: !claim.row.exhausted,
  error: 'The event is no longer kept.',
});

function base({ row, claimId }: Claim): Settlement {
  return {
    id: row.id,
    claim_id: claimId,
    counts_for: row.kind === 'test' ? null : row,
    status: null,
    wait_ms: null,
    unsent: false,
    error: null,
    interrupted: row.interrupted_at && {
      number: row.exhausted ? row.attempt : row.attempt - 1,
      started_at: row.interrupted_at,
    },
    sent_to: null,
    attempt: null,
  };
}
