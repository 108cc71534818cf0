import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { ApiError } from '../api/client.ts';
import { signOut, useSession } from '../api/session.ts';
import { messageOf, useAction } from '../api/writes.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { useTitle } from '../ui/page.tsx';
import { Skeleton } from '../ui/states.tsx';

/** Forms are not part of the first load. */
const OpenAccount = lazy(() => import('./open-account.tsx'));

/** For an unknown address: inside the frame with the side bar, or alone. */
export const Missing = ({ isInside = false }: { isInside?: boolean }) => (
  <Fallback
    tab="Not found"
    title="Page not found"
    text="The address may be wrong, or the page may have been removed."
    isInside={isInside}
  >
    <Link to="/" className={buttonClass('main')}>
      Go to Home
    </Link>
  </Fallback>
);

export function Broken({ error }: ErrorComponentProps) {
  const router = useRouter();
  const isOurs = error instanceof ApiError;
  const text = isOurs ? messageOf(error) : 'Tenure may have been updated. Reload the page.';
  return (
    <Fallback tab="Error" title="This page could not be shown" text={text} isAlert>
      <Button kind="main" onClick={() => (isOurs ? router.invalidate() : location.reload())}>
        {isOurs ? 'Try again' : 'Reload'}
      </Button>
    </Fallback>
  );
}

/** For somebody who is signed in but in no account, because they were removed or the account was closed. */
export function NoAccount() {
  const { user, can_create_accounts: canOpen } = useSession();
  const { run, isBusy } = useAction(() => signOut('/sign-in'));
  return (
    <Fallback
      tab="No account"
      title="You are not in any account"
      text={`You are signed in as ${user?.email}. Ask an owner for an invitation and open its link${canOpen ? ', or open an account of your own' : ''}.`}
    >
      <div className="flex justify-center gap-2">
        <Button onClick={() => run()} isBusy={isBusy}>
          Sign out
        </Button>
        {canOpen && (
          <Suspense>
            <OpenAccount />
          </Suspense>
        )}
      </div>
    </Fallback>
  );
}

/** A page that replaces another: what is wrong, and one thing to do. */
function Fallback({
  tab,
  title,
  text,
  isAlert,
  isInside,
  children,
}: {
  tab: string;
  title: string;
  text: string;
  isAlert?: boolean;
  /** The frame already has the main landmark. */
  isInside?: boolean;
  children: ReactNode;
}) {
  useTitle(tab);
  const Frame = isInside ? 'div' : 'main';
  return (
    <Frame role={isAlert ? 'alert' : undefined} className="mx-auto max-w-[48ch] px-6 py-24 text-center">
      <h1 className="text-xl font-semibold">{title}</h1>
      <p className="mt-2 mb-6 text-soft">{text}</p>
      {children}
    </Frame>
  );
}

export const Waiting = () => (
  <div className="mx-auto max-w-[1264px] px-8 py-10">
    <Skeleton count={6} />
  </div>
);
