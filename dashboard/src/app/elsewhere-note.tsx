import { type PageSession, startAfresh, useSession } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { Note } from './note.tsx';

/** Another tab went on to another account, or as another person: says so, and leaves the page as it is. */
export function ElsewhereNote() {
  const session = useSession();
  if (!session.elsewhere) return null;
  return (
    <Note>
      {whatHappened(session)} Nothing can be saved on this page any more.
      <Button onClick={() => startAfresh()}>Reload</Button>
    </Note>
  );
}

function whatHappened({ user, account, elsewhere }: PageSession): string {
  if (elsewhere?.user?.id !== user?.id) return `Another tab signed in as ${elsewhere?.user?.email}.`;
  const isMember = elsewhere?.accounts.some(({ id }) => id === account?.id);
  return isMember
    ? 'You switched to another account in another tab.'
    : `You no longer belong to ${account?.name}.`;
}
