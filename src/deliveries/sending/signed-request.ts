import type { Job } from '../engine/job.ts';
import type { Outcome } from './outcome.ts';
import type { SendRequest } from './send.ts';
import { sign } from './sign.ts';

/** Each attempt is signed anew: `t` is the time it was made. */
export function signedRequest(job: Job, secrets: readonly string[]): SendRequest {
  const { lane, row, body } = job;
  job.signature = sign({ secrets, timestamp: Math.floor(job.startedOn.getTime() / 1000), body });
  return {
    url: lane.endpoint.url,
    headers: [
      'X-Service-Event',
      row.event,
      'X-Service-Delivery',
      job.publicId,
      'X-Service-Signature',
      job.signature,
    ],
    body,
  };
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
