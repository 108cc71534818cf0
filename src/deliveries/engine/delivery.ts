import { type Member, nowhere } from '../../system/unordered-set.ts';
import type { Outcome } from '../sending/outcome.ts';
import type { SigningKey } from '../sending/sign.ts';

/**
 * A delivery that this process holds, from its claim until its result is written. Each step fills in its part: claim,
 * send, settle. Times in milliseconds are read from the process's monotonic clock.
 */
export interface Delivery extends Claimed, Member {
  readonly claimId: string;
  readonly claimedAt: number;
  /** The lease holds at least until this time. */
  leasedUntil: number;

  startedAt: number;
  /** `startedAt` as a date. */
  startedOn: Date | null;
  sentTo: string | null;
  /** `dlv_…` and `evt_…`, made when it is sent. */
  publicId: string;
  publicEventId: string;
  signature: string | null;
  /** The result of the attempt; null if none was made. */
  outcome: Outcome | null;

  /** What happens to the delivery next; null until that is known. */
  settlement: Settlement | null;
}

/** What the claim read. */
export interface Claimed {
  readonly id: string;
  readonly accountId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly event: string;
  readonly kind: 'event' | 'redelivery' | 'test';
  /** The event's body; null if retention deleted the event while this was queued. */
  readonly body: string | null;
  /** The attempt that this claim is for, counted from 1. */
  readonly attempt: number;
  /** When a worker that died began the previous attempt, which may or may not have been made. */
  readonly interruptedAt: Date | null;
  /** Whether that attempt was the last one, so that nothing may be sent any more. */
  readonly exhausted: boolean;
}

export interface Settlement {
  /** How the delivery ended; null if it stays in the queue. */
  readonly status: 'succeeded' | 'failed' | 'cancelled' | null;
  /** How long until the next attempt; null for immediately. */
  readonly waitMs: number | null;
  /** Whether nothing was sent, so that the attempt which the claim counted is taken back. */
  readonly unsent: boolean;
  readonly error: string | null;
}

/** Where and how to send, as it was at the last claim. */
export interface Endpoint {
  readonly id: string;
  /** `we_…` and `acct_…` */
  readonly publicId: string;
  readonly publicAccountId: string;
  readonly url: string;
  readonly disabled: boolean;
  /** Newest first; null if the secret cannot be decrypted. */
  readonly keys: readonly SigningKey[] | null;
  /** Whether its counters say that it is failing. */
  readonly isFailing: boolean;
  readonly hasSucceeded: boolean;
}

/** A delivery as it is right after the claim. The row's columns of the endpoint are not kept. */
export function claimedNow(row: Claimed, claimId: string, claimedAt: number, leaseMs: number): Delivery {
  return {
    id: row.id,
    accountId: row.accountId,
    endpointId: row.endpointId,
    eventId: row.eventId,
    event: row.event,
    kind: row.kind,
    body: row.body,
    attempt: row.attempt,
    interruptedAt: row.interruptedAt,
    exhausted: row.exhausted,
    index: nowhere,
    claimId,
    claimedAt,
    leasedUntil: claimedAt + leaseMs,
    startedAt: 0,
    startedOn: null,
    sentTo: null,
    publicId: '',
    publicEventId: '',
    signature: null,
    outcome: null,
    settlement: null,
  };
}

/** A test has a lane of its own, so that it does not wait behind its endpoint's backlog. */
export const laneIdOf = ({ kind, id, endpointId }: Claimed): string => (kind === 'test' ? id : endpointId);

/** Whether an answer is still awaited. */
export const isUnderWay = ({ startedAt, outcome }: Delivery): boolean => startedAt > 0 && outcome === null;
