import type { Outcome } from './outcome.ts';
import type { SendRequest } from './send.ts';
import { sign } from './sign.ts';

interface Unsigned {
  url: string;
  event: string;
  /** `dlv_…` */
  deliveryId: string;
  body: string;
  secrets: readonly string[];
  /** Each attempt is signed anew: `t` is the time it was made. */
  at: Date;
}

export function signedRequest({ url, event, deliveryId, body, secrets, at }: Unsigned): {
  request: SendRequest;
  signature: string;
} {
  const bytes = Buffer.from(body);
  const signature = sign({ secrets, timestamp: Math.floor(at.getTime() / 1000), body: bytes });
  const headers = [
    'X-Service-Event',
    event,
    'X-Service-Delivery',
    deliveryId,
    'X-Service-Signature',
    signature,
  ];
  return { request: { url, headers, body: bytes }, signature };
}

/** What comes of an attempt that cannot be signed: nothing is sent. */
export const unreadableSecret: Outcome = {
  kind: 'failed',
  status: null,
  responseHeaders: {},
  responseBody: null,
  retryAfterMs: null,
  error: 'The signing secret could not be read.',
  durationMs: 0,
};
