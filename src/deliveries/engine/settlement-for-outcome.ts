import { cancelledError } from '../../webhooks/cancel-queued.ts';
import type { Outcome } from '../sending/outcome.ts';
import { nextAttemptAt } from '../sending/retry.ts';
import type { Claimed, Settlement } from './delivery.ts';

interface RetryRules {
  delaysMs: readonly number[];
  now: Date;
  random: () => number;
}

/** What an attempt's outcome means for its delivery: it has ended, or is tried again after a wait. */
export function settlementForOutcome(
  { kind, attempt }: Claimed,
  outcome: Outcome,
  retry: RetryRules,
): Settlement {
  if (outcome.kind === 'success') return succeeded;
  const failed: Settlement = { ...goesOn, status: 'failed', error: outcome.error };
  if (outcome.kind === 'gone' || kind === 'test') return failed;
  const next = nextAttemptAt({ attempt, retryAfterMs: outcome.retryAfterMs, ...retry });
  if (next === null) return failed;
  // We aborted the attempt because we are stopping. The endpoint is not to blame, and another worker may try at once.
  const waitMs = outcome.kind === 'stopped' ? null : next.getTime() - retry.now.getTime();
  return { ...goesOn, waitMs, error: outcome.error };
}

/** The delivery is given back as it was claimed. */
export const released = ({ exhausted }: Claimed): Settlement => ({ ...goesOn, unsent: !exhausted });

/** The endpoint was deleted or disabled. */
export const cancelled = ({ exhausted }: Claimed): Settlement => ({
  ...goesOn,
  status: 'cancelled',
  unsent: !exhausted,
  error: cancelledError,
});

/** A worker died during the last attempt, which the endpoint may or may not have received. */
export const usedUp: Settlement = {
  status: 'failed',
  waitMs: null,
  unsent: false,
  error: 'The worker stopped during the last attempt; whether the endpoint received it is not known.',
};

const beforeLookingAgainMs = 1_000;

/** On a distributed database, the queue's row may be visible a moment before the event that was committed with it. */
export const beforeEvent: Settlement = {
  status: null,
  waitMs: beforeLookingAgainMs,
  unsent: true,
  error: null,
};

/** Retention deleted the event while its delivery was queued. */
export const withoutEvent = ({ exhausted }: Claimed): Settlement => ({
  ...goesOn,
  status: 'failed',
  unsent: !exhausted,
  error: 'The event is no longer kept.',
});

const goesOn: Settlement = { status: null, waitMs: null, unsent: false, error: null };

const succeeded: Settlement = { ...goesOn, status: 'succeeded' };
