import { useState } from 'react';
import { toast } from 'sonner';
import { ApiError, request } from './client.ts';
import { inPlainWords, plainName } from './plain-words.ts';
import { queryClient } from './queries.ts';

/** Requests whose outcome is not known: the same body sent again is the same request, not a second record. */
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
    if (!isOpen(error)) unanswered.delete(asked);
    throw error;
  }
}

/**
 * Whether the record may have been made all the same, or still be in the making. What is refused before its key
 * is looked at (no session, no permission, too many) tells nothing of the attempt before.
 */
function isOpen(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  const { status, message } = error;
  if (status === 409) return message.includes('still being worked on');
  return status >= 500 || [0, 401, 403, 429].includes(status);
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
  const fields = Object.entries(error.fieldErrors).map(
    ([name, texts]) => `${plainName(name)}: ${inPlainWords(texts.join(' '))}`,
  );
  return [error.message, ...fields].filter(Boolean).join(' ');
};

/** Does something; what goes wrong becomes a toast. */
export async function orToast(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    toast.error(messageOf(error));
    if (!(error instanceof ApiError)) console.error(error);
  }
}

/** Something done at the press of a button, once at a time; what goes wrong becomes a toast. */
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
