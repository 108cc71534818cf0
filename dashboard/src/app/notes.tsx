import { type ReactNode, useEffect } from 'react';
import { useConnectionLost } from '../api/connection.ts';
import { queryClient } from '../api/queries.ts';
import { askSession, type PageSession, startAfresh, useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';

const retryMs = 3_000;

/** Says that the server does not answer, keeps asking, and refreshes the page when it does. */
export function ConnectionNote() {
  const isLost = useConnectionLost();
  useEffect(() => {
    if (!isLost) return;
    const timer = setInterval(async () => {
      const session = await askSession().catch(() => null);
      if (session) void queryClient.invalidateQueries();
    }, retryMs);
    return () => clearInterval(timer);
  }, [isLost]);
  if (!isLost) return null;
  return (
    <Note>No connection to the server. What you see may be out of date. Trying again every few seconds.</Note>
  );
}

/** Says that another tab switched to another account or person, and leaves this page as it is. */
export function ElsewhereNote() {
  const session = useSession();
  if (!session.elsewhere) return null;
  return (
    <Note>
      {whatHappened(session)} Changes on this page can no longer be saved.
      <Button onClick={() => startAfresh()}>Reload</Button>
    </Note>
  );
}

function whatHappened({ user, account, elsewhere }: PageSession): string {
  if (elsewhere?.user?.id !== user?.id) return `Another tab signed in as ${elsewhere?.user?.email}.`;
  const isMember = elsewhere?.accounts.some(({ id }) => id === account?.id);
  return isMember
    ? 'You switched to another account in another tab.'
    : `You are no longer a member of ${account?.name}.`;
}

/** A message about the whole page that must be noticed. */
const Note = ({ children }: { children: ReactNode }) => (
  <div
    role="status"
    className="sticky top-14 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-bad-ground px-4 py-2 text-bad lg:top-0 sm:px-8"
  >
    {children}
  </div>
);
