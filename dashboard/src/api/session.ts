import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { get, showAccount } from './client.ts';
import { queryClient } from './queries.ts';
import type { Session } from './records.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await get<Session>('/session', undefined, signal);
    showAccount(session.account?.id ?? null);
    return session;
  },
  staleTime: 60_000,
});

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

/** Another person or another account: nothing fetched before may be shown. */
export async function startAfresh(): Promise<void> {
  queryClient.clear();
  const { signed_in } = await queryClient.fetchQuery(sessionQuery);
  if (signed_in) rememberVisit();
}

/** Whether somebody has signed in with this browser before. */
export function wasHere(): boolean {
  try {
    return localStorage.getItem('was-here') !== null;
  } catch {
    return false;
  }
}

function rememberVisit(): void {
  try {
    localStorage.setItem('was-here', '1');
  } catch {
    // Storage can be forbidden; then the sign-up is offered first.
  }
}
