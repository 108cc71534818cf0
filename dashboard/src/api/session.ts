import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { liveIn } from '../ui/date.tsx';
import { get, request, showAccount } from './client.ts';
import { queryClient } from './queries.ts';
import type { Session } from './records.ts';
import { recall, remember } from './storage.ts';

/** The session as this page knows it. */
export interface PageSession extends Session {
  /** The session of another tab that switched person or account. The browser uses it now, but this page does not. */
  elsewhere: Session | null;
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => follow(await get<Session>('/session', undefined, signal)),
  staleTime: 60_000,
});

let shown: Session | null = null;

/**
 * The page takes over a new name or role. It does not follow another tab to another person or account, because what is
 * half typed here would be saved there.
 */
function follow(session: Session): PageSession {
  if (shown?.account && isAnother(session, shown)) return { ...shown, elsewhere: session };
  if (shown?.signed_in && !session.signed_in) queryClient.removeQueries({ predicate: isOfPerson });
  if (session.signed_in) remember('was-here', '1');
  shown = session;
  showAccount(session.account?.id ?? null);
  liveIn(session.account?.time_zone ?? 'UTC');
  return { ...session, elsewhere: null };
}

function isAnother(session: Session, before: Session): boolean {
  if (!session.signed_in) return false;
  if (session.user?.id !== before.user?.id) return true;
  return session.account !== null && session.account.id !== before.account?.id;
}

const isOfPerson = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== 'session';

/** Asks the server who is signed in, whatever the cache says. */
export const askSession = () => queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false });

/** The session. */
export function useSession() {
  const { data } = useSuspenseQuery(sessionQuery);
  return data;
}

/** Whether this person may change records, keys and webhooks. If not, those buttons are not shown. */
export const useCanWrite = (): boolean => useSession().permission === 'write';
export const useIsOwner = (): boolean => useSession().role === 'owner';

/** The account's currency, for amounts without one of their own. */
export const useCurrency = (): string => useSession().account?.currency ?? 'USD';

let isAfresh = false;
/** Whether the page is about to reload, which discards what was typed on it. */
export const isStartingAfresh = (): boolean => isAfresh;

/** For another person, account or role: after a reload, the page keeps nothing of the previous one. */
export function startAfresh(to?: string): Promise<never> {
  isAfresh = true;
  // Going back can restore a page from the browser's memory as it was left.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  if (to === undefined) location.reload();
  else location.assign(to);
  // Callers stay busy until the page is gone.
  return new Promise(() => undefined);
}

/** Signs out, then goes to a page or reloads this one. */
export async function signOut(to?: string): Promise<void> {
  await request('POST', '/sign-out');
  await startAfresh(to);
}

/** Whether somebody has signed in with this browser before. */
export const wasHere = (): boolean => recall('was-here') !== null;
