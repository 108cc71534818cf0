import { connection } from './connection.ts';
import { recall, remember } from './storage.ts';

/** What went wrong, in words that a person can act on, and the errors of each field. */
export class ApiError extends Error {
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly fieldErrors: Record<string, string[]>;
  /** When the server wants to be asked again. Set if nothing is wrong with the request. */
  retryAfterMs: number | null = null;

  constructor(status: number, message: string, fieldErrors: Record<string, string[]> = {}) {
    super(message);
    this.status = status;
    this.fieldErrors = fieldErrors;
  }
}

export type Query = Record<string, string | number | undefined>;

interface Options {
  query?: Query;
  body?: unknown;
  signal?: AbortSignal;
  idempotencyKey?: string;
}

/** The data of a response, and the cursor of the next page if there is one. */
interface Answer<Data> {
  data: Data;
  next: string | null;
  /** How many records there are on all pages, if requested and they could be counted. */
  total: number | null;
}

const base = '/internal/v1';

export const get = async <Data>(path: string, query?: Query, signal?: AbortSignal) =>
  (await request<Data>('GET', path, { query, signal })).data;
export const patch = async <Data>(path: string, body: unknown) =>
  (await request<Data>('PATCH', path, { body })).data;
export const remove = async <Data = unknown>(path: string) => (await request<Data>('DELETE', path)).data;

export async function request<Data>(
  method: string,
  path: string,
  options: Options = {},
): Promise<Answer<Data>> {
  const { response, body } = await send(method, path, options);
  if (!response.ok) throw refusalOf(path, response.status, (name) => response.headers.get(name), body);
  const total = response.headers.get('x-total-count');
  const link = response.headers.get('link')?.match(/<([^>]+)>;\s*rel="next"/)?.[1];
  return {
    data: (body as { data: Data }).data,
    next: link ? new URL(link, location.origin).searchParams.get('cursor') : null,
    total: total === null ? null : Number(total),
  };
}

/** Sends a form with a file, and reports how much of it has been sent, from 0 to 1, which fetch would not. */
export function upload(
  path: string,
  form: FormData,
  {
    query,
    idempotencyKey,
    signal,
    onProgress,
  }: { query: Query; idempotencyKey: string; signal: AbortSignal; onProgress: (part: number) => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open('POST', base + path + queryString(query));
    for (const [name, value] of Object.entries(headersFor(idempotencyKey)))
      sending.setRequestHeader(name, value);
    sending.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    sending.onerror = () => {
      connection.lost();
      reject(unreachable());
    };
    sending.onload = () => {
      connection.reached();
      const { status } = sending;
      if (status < 300) return resolve();
      const header = (name: string) => sending.getResponseHeader(name);
      reject(refusalOf(path, status, header, parse(sending.responseText)));
    };
    sending.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => sending.abort());
    sending.send(form);
  });
}

let shownAccount: string | null = null;
/** The account that the page shows. After another tab switches accounts, the server refuses this page's requests. */
export function showAccount(id: string | null): void {
  // If another tab switches in the meantime, this page stays in the mode in which it was loaded.
  if (id !== shownAccount) isTest = id !== null && recall('test-mode') === id;
  shownAccount = id;
}

let isTest = false;
/** Whether the page shows test mode, which has its own records, keys and clock behind the same sign-in. */
export const isTestMode = (): boolean => isTest;

/** Takes effect when the page is reloaded. */
export const chooseMode = (mode: 'live' | 'test'): void =>
  remember('test-mode', mode === 'test' ? shownAccount : null);

let signedOut: () => void = () => undefined;
/** Called when the server says that nobody is signed in (any more). */
export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}

/** On these paths a 401 is about what was typed or shown, and not about the session. */
const isAboutPasswords = (path: string) => path.startsWith('/sign-in') || path === '/password';

async function send(method: string, path: string, options: Options) {
  const { query, body, signal, idempotencyKey } = options;
  try {
    const response = await fetch(base + path + queryString(query), {
      method,
      signal: signal ?? null,
      credentials: 'same-origin',
      headers: {
        // The browser sets the type of a form with files.
        ...(method === 'GET' || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headersFor(idempotencyKey),
      },
      body: method === 'GET' || method === 'DELETE' ? null : bodyOf(body),
    });
    const read = parse(await response.text());
    if (response.ok && read === null) throw new Error('The answer was cut off.');
    connection.reached();
    return { response, body: read };
  } catch (error) {
    if (signal?.aborted) throw error;
    connection.lost();
    throw unreachable();
  }
}

const unreachable = () =>
  new ApiError(0, 'The server could not be reached. Check your connection and try again.');

const headersFor = (idempotencyKey: string | undefined): Record<string, string> => ({
  ...(shownAccount ? { 'x-account': shownAccount } : {}),
  ...(isTest ? { 'x-service-mode': 'test' } : {}),
  ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
});

const bodyOf = (body: unknown) => (body instanceof FormData ? body : JSON.stringify(body ?? {}));

/**
 * The address of a list or a statement as a file. The account and the mode are parameters, because a link cannot send
 * headers.
 */
export const fileAddress = (path: string, query: Query): string =>
  base +
  path +
  queryString({ ...query, account: shownAccount ?? undefined, mode: isTest ? 'test' : undefined });
export const csvAddress = (path: string, query: Query = {}): string =>
  fileAddress(path, { ...query, format: 'csv' });

export function queryString(query: Query = {}): string {
  const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (present.length === 0) return '';
  return `?${new URLSearchParams(present.map(([name, value]) => [name, String(value)]))}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export type ServerMessage = string | { formErrors: string[]; fieldErrors: Record<string, string[]> };

interface Refused {
  message?: ServerMessage;
  details?: { results?: { status: number; error: { message: ServerMessage } }[] };
}

function refusalOf(
  path: string,
  status: number,
  header: (name: string) => string | null,
  body: unknown,
): ApiError {
  if (status === 401 && !isAboutPasswords(path)) signedOut();
  const refused = (body as { error?: Refused } | null)?.error;
  // Of records that are made together or not at all, what is wrong with the first says more than how many failed.
  const [first] = refused?.details?.results ?? [];
  const error = first
    ? errorFrom(first.status, first.error.message, header('x-request-id'))
    : errorFrom(status, refused?.message ?? '', header('x-request-id'));
  const seconds = Number(header('retry-after') ?? Number.NaN);
  if ((status === 429 || status === 503) && seconds >= 0) error.retryAfterMs = seconds * 1_000;
  return error;
}

/** The error of a request, or of an item of a batch. */
export function errorFrom(status: number, message: ServerMessage, requestId: string | null): ApiError {
  return typeof message === 'object'
    ? new ApiError(status, message.formErrors.join(' '), message.fieldErrors)
    : new ApiError(status, sentence(status, message, requestId));
}

/** The server's own message if it has one, or else what the reader can do about the status. */
function sentence(status: number, message: string, requestId: string | null): string {
  if (status === 401) return message === 'Unauthorized' || !message ? 'Please sign in again.' : message;
  if (status === 403 && (message === 'Forbidden' || !message))
    return 'Your role does not allow this. Ask an owner of the account to do it or to change your role.';
  if (status === 404) return 'This no longer exists, or it belongs to another account.';
  if (status === 429) return 'Too many attempts. Wait a minute, then try again.';
  // Waiting does not help here.
  if (status === 503 && message.startsWith('The storage is full'))
    return `${message}. Tell whoever runs this service.`;
  if (status === 503) return 'The service is starting or busy. Try again in a few seconds.';
  if (status >= 500) {
    const report = requestId
      ? `report it with the request id ${requestId}`
      : 'tell whoever runs this service';
    return `Something went wrong on the server. Try again. If it happens again, ${report}.`;
  }
  return message || `The server answered ${status}.`;
}
