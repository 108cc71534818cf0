import { useState } from 'react';
import { toast } from 'sonner';
import { ApiError, request } from './client.ts';
import { queryClient } from './queries.ts';

/** Requests that got no answer: the same body sent again is the same request, not a second record. */
const unanswered = new Map<string, string>();

/** Creates a record, once, however often a lost connection makes the person press the button. */
export async function create<Data>(path: string, body: unknown): Promise<Data> {
  const asked = `${path} ${JSON.stringify(body)}`;
  const idempotencyKey = unanswered.get(asked) ?? randomKey();
  unanswered.set(asked, idempotencyKey);
  try {
    const { data } = await request<Data>('POST', path, { body, idempotencyKey });
    unanswered.delete(asked);
    return data;
  } catch (error) {
    const isOpen = error instanceof ApiError && (error.status === 0 || error.status >= 500);
    if (!isOpen) unanswered.delete(asked);
    throw error;
  }
}

/** crypto.randomUUID exists only behind https; this is there everywhere. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

export const post = async <Data>(path: string, body?: unknown): Promise<Data> =>
  (await request<Data>('POST', path, { body })).data;

/**
 * After a write: says so, and has everything on the page fetched anew. Records are woven together (a lease
 * changes its unit, its property and its tenants), so nothing cleverer stays true.
 */
export async function saved<Data>(writing: Promise<Data>, message?: string): Promise<Data> {
  const data = await writing;
  void queryClient.invalidateQueries();
  if (message) toast.success(message);
  return data;
}

export const messageOf = (error: unknown): string => {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it and try again.';
  const fields = Object.entries(error.fieldErrors).map(([name, texts]) => `${name}: ${texts.join(' ')}`);
  return [error.message, ...fields].filter(Boolean).join(' ');
};

/** Something done at the press of a button; what goes wrong becomes a toast. */
export function useAction<Args extends unknown[]>(action: (...args: Args) => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const run = async (...args: Args): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      await action(...args);
    } catch (error) {
      toast.error(messageOf(error));
      if (!(error instanceof ApiError)) console.error(error);
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy };
}
