import { useState } from 'react';
import { toast } from 'sonner';
import { ApiError, request } from './client.ts';
import { allInPlainWords, plainName } from './plain-words.ts';
import { queryClient } from './queries.ts';

/** Idempotency keys of requests with an unknown outcome: the same body sent again creates no second record. */
const unanswered = new Map<string, string>();

/** Creates a record once, however often a lost connection makes somebody press the button. */
export async function create<Data>(path: string, body: unknown): Promise<Data> {
  const asked = `${path} ${JSON.stringify(body)}`;
  const idempotencyKey = unanswered.get(asked) ?? randomKey();
  unanswered.set(asked, idempotencyKey);
  try {
    const { data } = await request<Data>('POST', path, { body, idempotencyKey });
    unanswered.delete(asked);
    return data;
  } catch (error) {
    if (!isOpen(error)) unanswered.delete(asked);
    throw error;
  }
}

/** Creates several records, or none: what is wrong with one of them is thrown. */
export const createTogether = (path: string, items: object[]): Promise<unknown> =>
  create(`${path}/batch`, { atomic: true, items });

/**
 * Whether the record may have been created anyway, or may still be. A refusal that comes before the key is checked
 * (no session, no permission, too many requests) says nothing about the previous attempt.
 */
function isOpen(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  const { status, message } = error;
  if (status === 409) return message.includes('still being worked on');
  return status >= 500 || [0, 401, 403, 429].includes(status);
}

/** At the server's usual interval of a second, this is a minute of retries. */
const mostTries = 60;
const longestWaitMs = 60_000;

/**
 * Does something that may be done twice. If the server has no time for it, it is repeated when the server asks for
 * that.
 */
export async function patiently<Data>(work: () => Promise<Data>): Promise<Data> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const waitMs = error instanceof ApiError ? error.retryAfterMs : null;
      if (waitMs === null || waitMs > longestWaitMs || tries === mostTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** crypto.randomUUID exists only on https; getRandomValues is available everywhere. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

export const post = async <Data>(path: string, body?: unknown): Promise<Data> =>
  (await request<Data>('POST', path, { body })).data;

/**
 * After a write: confirms it and refetches everything on the page. Records depend on each other (a lease changes
 * its unit, property and tenants), so a narrower choice would go stale. It does so after a refusal as well, whose reason
 * may be what somebody else has changed meanwhile.
 */
export async function saved<Data>(writing: Promise<Data>, message?: string): Promise<Data> {
  const data = await writing.catch((error) => {
    if (isAboutRecords(error)) void queryClient.invalidateQueries();
    throw error;
  });
  void queryClient.invalidateQueries();
  if (message) toast.success(message);
  return data;
}

const isAboutRecords = (error: unknown): boolean =>
  error instanceof ApiError && [400, 404, 409].includes(error.status);

export const messageOf = (error: unknown): string => {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it and try again.';
  const fields = Object.entries(error.fieldErrors).map(
    ([name, texts]) => `${plainName(name)}: ${allInPlainWords(texts)}`,
  );
  return [error.message, ...fields].filter(Boolean).join(' ');
};

/** Runs an action; errors become a toast. */
export async function orToast(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    toast.error(messageOf(error));
    if (!(error instanceof ApiError)) console.error(error);
  }
}

/** An action behind a button, which runs once at a time; errors become a toast. */
export function useAction<Args extends unknown[]>(action: (...args: Args) => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const run = async (...args: Args): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    await orToast(() => action(...args));
    setBusy(false);
  };
  return { run, isBusy };
}
