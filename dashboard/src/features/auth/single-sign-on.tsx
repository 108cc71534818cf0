import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { startAfresh, useSession } from '../../api/session.ts';
import { messageOf, post, useAction } from '../../api/writes.ts';
import { safeNext } from '../../app/safe-next.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { AuthFrame } from './auth-frame.tsx';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Why a sign-in failed. A link cannot carry it, so nobody else can put words here. */
    problem?: string;
  }
}

/** A form with a password and the button of the single sign-on below it, or only that button. */
export function WaysIn({
  children,
  next = '/',
  invitation,
}: {
  children: ReactNode;
  next?: string;
  invitation?: string;
}) {
  const { sso } = useSession();
  const leave = useAction(async () => {
    const { url } = await post<{ url: string }>('/sign-in/openid', {
      next,
      invitation,
      time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    await startAfresh(url);
  });
  if (!sso) return children;
  return (
    <>
      {!sso.only && (
        <>
          {children}
          <p className="my-4 flex items-center gap-3 text-sm text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            or
          </p>
        </>
      )}
      <Button
        kind={sso.only ? 'main' : 'plain'}
        className="h-auto min-h-9 w-full py-1.5 whitespace-normal sm:h-auto"
        onClick={() => leave.run()}
        isBusy={leave.isBusy}
      >
        Sign in with {sso.name}
      </Button>
    </>
  );
}

/** Where the issuer sends people back to. */
export function ReturnFromSso() {
  const { code, state, iss, error } = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const isBegun = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what came back can be used once
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    post<{ next: string }>('/sign-in/openid/finish', { code, state, iss, error })
      .then(({ next }) => startAfresh(safeNext(next)))
      .catch((problem) =>
        navigate({ to: '/sign-in', replace: true, state: { problem: messageOf(problem) } }),
      );
  }, []);
  return (
    <AuthFrame title="Signing you in">
      <Skeleton count={3} />
    </AuthFrame>
  );
}
