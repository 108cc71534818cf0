import { errors } from 'undici';

/**
 * The result of one attempt. A failed network call is data and not an exception, so that every attempt is logged,
 * counted and settled in the same way.
 */
export interface Outcome {
  kind: OutcomeKind;
  /** Null if no answer came. Set even if the answer took too long to complete. */
  status: number | null;
  /** content-type, retry-after and location, if they came. */
  responseHeaders: Record<string, string>;
  /** The first 8 KiB, fit for a Postgres text column; null if no answer came. */
  responseBody: string | null;
  /** How long a 429 or 503 asked us to wait. */
  retryAfterMs: number | null;
  /** One sentence for the delivery log, without internal addresses; null on success. */
  error: string | null;
  durationMs: number;
}

export type OutcomeKind =
  | 'success' // 2xx
  | 'gone' // 410: never again
  | 'throttled' // 429 or 503: the receiver asks us to wait
  | 'redirect' // 3xx: not followed
  | 'http_error' // any other status
  | 'bad_response' // not HTTP, or broken HTTP
  | 'timeout' // no complete answer in time
  | 'connect_timeout'
  | 'dns' // the name does not resolve
  | 'refused'
  | 'unreachable' // no route to the host
  | 'tls'
  | 'reset' // the connection broke before there was an answer
  | 'blocked' // the safe-URL check said no; nothing was sent
  | 'stopped' // this process is stopping: says nothing about the receiver
  | 'failed'; // a fault on our side

/** An error whose kind is known where it is thrown. Its message is for the delivery log. */
export class AttemptError extends Error {
  readonly kind: OutcomeKind;

  constructor(kind: OutcomeKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export function kindOfStatus(status: number): OutcomeKind {
  if (status >= 200 && status < 300) return 'success';
  if (status >= 300 && status < 400) return 'redirect';
  if (status === 410) return 'gone';
  if (status === 429 || status === 503) return 'throttled';
  return 'http_error';
}

export function describeStatus(status: number, kind: OutcomeKind): string | null {
  if (kind === 'success') return null;
  if (kind === 'redirect') return `The endpoint answered ${status}; redirects are not followed.`;
  return `The endpoint answered ${status}.`;
}

/**
 * Names an error of a socket or of undici by its code. Both kinds of messages contain addresses and ports, so none of
 * them gets into the log that customers read.
 */
export function classify(error: unknown): { kind: OutcomeKind; message: string } {
  if (error instanceof AttemptError) return { kind: error.kind, message: error.message };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const kind = isBadResponse(error, code) ? 'bad_response' : (kindsByCode.get(code) ?? 'failed');
  return { kind, message: sentences[kind] ?? 'The request could not be made.' };
}

/** For an unsolicited 100 or 101, undici uses the code of a broken connection, with "bad" in the message. */
function isBadResponse(error: unknown, code: string): boolean {
  if (error instanceof errors.HTTPParserError) return true;
  return code === 'UND_ERR_SOCKET' && error instanceof Error && error.message.startsWith('bad ');
}

const kindsByCode = new Map<string, OutcomeKind>([
  ['ECONNREFUSED', 'refused'],
  ['ETIMEDOUT', 'connect_timeout'],
  ['EHOSTUNREACH', 'unreachable'],
  ['ENETUNREACH', 'unreachable'],
  ['EHOSTDOWN', 'unreachable'],
  ['ENETDOWN', 'unreachable'],
  ['EADDRNOTAVAIL', 'unreachable'],
  ['ECONNRESET', 'reset'],
  ['ECONNABORTED', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['UND_ERR_HEADERS_OVERFLOW', 'bad_response'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'bad_response'],
  ['UND_ERR_DESTROYED', 'stopped'],
  ['UND_ERR_CLOSED', 'stopped'],
]);

const sentences: Partial<Record<OutcomeKind, string>> = {
  refused: 'The endpoint refused the connection.',
  connect_timeout: 'No connection could be made in time.',
  unreachable: 'The endpoint could not be reached.',
  reset: 'The endpoint closed the connection before it answered.',
  bad_response: 'The endpoint did not answer with valid HTTP.',
  stopped: 'The attempt was stopped because the service is stopping.',
};
