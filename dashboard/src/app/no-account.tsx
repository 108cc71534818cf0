import { startAfresh, useSession } from '../api/session.ts';
import { post, useAction } from '../api/writes.ts';
import { Button } from '../ui/button.tsx';
import { useTitle } from '../ui/page.tsx';

/** Signed in, but a member of no account any more. */
export function NoAccount() {
  useTitle('No account');
  const { user } = useSession();
  const { run, isBusy } = useAction(async () => {
    await post('/sign-out');
    await startAfresh('/sign-in');
  });
  return (
    <main className="mx-auto max-w-[44ch] px-6 py-24 text-center">
      <h1 className="text-xl font-semibold">You belong to no account</h1>
      <p className="mt-2 mb-6 text-soft">
        You are signed in as {user?.email}. Ask an owner for an invitation and open its link.
      </p>
      <Button onClick={() => run()} isBusy={isBusy}>
        Sign out
      </Button>
    </main>
  );
}
