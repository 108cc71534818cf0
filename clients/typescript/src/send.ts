import { TenureConnectionError, TenureError } from './errors.ts';
import type { Options, TenureOptions } from './options.ts';

type Single = string | number | boolean | null | undefined;
export type QueryValue = Single | readonly Single[];

export interface Call<Result> {
  method: string;
  path: string;
  query?: Record<string, QueryValue> | undefined;
  /** Instead of `query`: the query string from the address of a next page. */
  search?: string | undefined;
  body?: unknown;
  options: Options;
  read: (response: Response) => Promise<Result>;
}

/** Longer waits than this are left to the caller, who gets the error at once. */
const longestWaitMs = 60_000;

/** Sends a request until it gets its final answer. */
export async function send<Result>(settings: TenureOptions, call: Call<Result>): Promise<Result> {
  const { options, method } = call;
  const request = requestOf(settings, call);
  const retries = options.retries ?? settings.retries ?? 3;
  for (let attempt = 0; ; attempt++) {
    try {
      return await attemptOnce(settings, call, request);
    } catch (error) {
      options.signal?.throwIfAborted();
      const wait = waitBefore(error, attempt, method);
      if (attempt >= retries || wait === undefined || wait > longestWaitMs) throw error;
      await pause(wait, options.signal);
    }
  }
}

interface Prepared {
  url: string;
  init: RequestInit;
}

/** Made once, so that every attempt has the same Idempotency-Key. */
function requestOf(
  { baseUrl, apiKey }: TenureOptions,
  { method, path, query, search, body, options }: Call<unknown>,
): Prepared {
  const headers: Record<string, string> = { accept: 'application/json', ...lowerCase(options.headers) };
  headers.authorization = `Bearer ${apiKey}`;
  if (query?.format !== undefined) headers.accept = '*/*';
  if (body !== undefined && !isRaw(body)) headers['content-type'] = 'application/json';
  if (method === 'POST')
    headers['idempotency-key'] = options.idempotencyKey ?? headers['idempotency-key'] ?? newKey();
  return {
    url: `${baseUrl}${path}${search ?? searchOf(query)}`,
    init: {
      method,
      headers,
      ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
    },
  };
}

/** A file, sent as it is. */
const isRaw = (body: unknown): body is Blob | FormData | Uint8Array<ArrayBuffer> =>
  body instanceof Blob || body instanceof FormData || body instanceof Uint8Array;

const lowerCase = (headers: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function searchOf(query: Record<string, QueryValue> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    Object.fromEntries(given.map(([name, value]) => [name, [value].flat().join(',')])),
  );
  return given.length === 0 ? '' : `?${search}`;
}

/** `crypto.randomUUID` is missing in pages that were not loaded over https. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

async function attemptOnce<Result>(
  settings: TenureOptions,
  { options, read }: Call<Result>,
  { url, init }: Prepared,
): Promise<Result> {
  const { signal, onResponse } = options;
  signal?.throwIfAborted();
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs ?? 30_000;
  const attempt = new AbortController();
  const timer = setTimeout(() => attempt.abort(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs);
  const abort = () => attempt.abort(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    const response = await (settings.fetch ?? fetch)(url, { ...init, signal: attempt.signal });
    onResponse?.(response);
    if (response.ok) return await read(response);
    throw new TenureError(response, await response.text());
  } catch (error) {
    if (error instanceof TenureError) throw error;
    const cause = attempt.signal.aborted ? attempt.signal.reason : error;
    throw new TenureConnectionError(`${init.method} ${url.split('?')[0]}: ${messageOf(cause)}`, { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** Adds the cause to Node's "fetch failed", which does not mention it. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error
    ? `${error.message} (${cause.message || (cause as { code?: string }).code})`
    : error.message;
}

/** How long to wait before the next attempt; undefined if there must be none. */
function waitBefore(error: unknown, attempt: number, method: string): number | undefined {
  // Doubled each time, with jitter so that many clients do not retry together.
  const backoff = Math.min(8000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2);
  if (error instanceof TenureConnectionError) return isRepeatable(method) ? backoff : undefined;
  if (!(error instanceof TenureError)) return undefined;
  const { status, type, retryAfterMs } = error;
  // Tenure did nothing and says so, or our own earlier attempt is still being worked on.
  const isRefused = status === 429 || type === 'overloaded' || type === 'idempotency_in_progress';
  // The database went away, or a proxy between us does not know what happened.
  const isUnknown = [408, 502, 503, 504].includes(status) && isRepeatable(method);
  return isRefused || isUnknown ? (retryAfterMs ?? backoff) : undefined;
}

/** A POST has its Idempotency-Key. If a deletion succeeded, repeating it would fail. */
const isRepeatable = (method: string): boolean => method !== 'DELETE';

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
