import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { get, request, showAccount } from './client.ts';
import { queryClient } from './queries.ts';
import type { Session } from './records.ts';
import { recall, remember } from './storage.ts';

/** The session as this page knows it. */
export interface PageSession extends Session {
  /** Another tab's, of another person or account: the browser's from now on, and not this page's. */
  elsewhere: Session | null;
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => follow(await get<Session>('/session', undefined, signal)),
  staleTime: 60_000,
});

let shown: Session | null = null;

/**
 * The page learns of a new name or role, but follows no other tab to another person or account: what is half
 * typed here would be written there.
 */
function follow(session: Session): PageSession {
  if (shown?.account && isAnother(session, shown)) return { ...shown, elsewhere: session };
  if (shown?.signed_in && !session.signed_in) queryClient.removeQueries({ predicate: isOfPerson });
  if (session.signed_in) remember('was-here', '1');
  shown = session;
  showAccount(session.account?.id ?? null);
  return { ...session, elsewhere: null };
}

function isAnother(session: Session, before: Session): boolean {
  if (!session.signed_in) return false;
  if (session.user?.id !== before.user?.id) return true;
  return session.account !== null && session.account.id !== before.account?.id;
}

const isOfPerson = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== 'session';

/** Asks who is signed in, whatever was known of it. */
export const askSession = () => queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false });

/** The session of a page that only signed-in people reach. */
export function useSession() {
  const { data } = useSuspenseQuery(sessionQuery);
  return data;
}

/** Whether this person may change records, keys and webhooks. Buttons that would be refused are not shown. */
export const useCanWrite = (): boolean => useSession().permission === 'write';
export const useIsOwner = (): boolean => useSession().role === 'owner';

/** The currency of the account, for amounts that have no other. */
export const useCurrency = (): string => useSession().account?.currency ?? 'USD';

let isAfresh = false;
/** Whether the page is about to be loaded anew: what stands on it is given up. */
export const isStartingAfresh = (): boolean => isAfresh;

/** Another person, account or role: a page that is loaded anew has nothing of the one before. */
export function startAfresh(to?: string): Promise<never> {
  isAfresh = true;
  // Back can bring a page out of the browser's memory as it was left.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  if (to === undefined) location.reload();
  else location.assign(to);
  // Whoever waits for it stays busy until the page is gone.
  return new Promise(() => undefined);
}

/** Where to go afterwards; or the same page again. */
export async function signOut(to?: string): Promise<void> {
  await request('POST', '/sign-out');
  await startAfresh(to);
}

/** Whether somebody has signed in with this browser before. */
export const wasHere = (): boolean => recall('was-here') !== null;
