import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { ApiError } from '../api/client.ts';
import { messageOf } from '../api/writes.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { useTitle } from '../ui/page.tsx';
import { Lines } from '../ui/states.tsx';

export function Missing() {
  useTitle('Not found');
  return (
    <main className="mx-auto max-w-[44ch] px-6 py-24 text-center">
      <h1 className="text-xl font-semibold">There is no such page</h1>
      <p className="mt-2 mb-6 text-soft">
        The address may be mistyped, or what it showed may have been removed.
      </p>
      <Link to="/" className={buttonClass('main')}>
        Go to the start
      </Link>
    </main>
  );
}

export function Broken({ error }: ErrorComponentProps) {
  const router = useRouter();
  useTitle('A problem');
  return (
    <main role="alert" className="mx-auto max-w-[52ch] px-6 py-24 text-center">
      <h1 className="text-xl font-semibold">This page could not be shown</h1>
      <p className="mt-2 mb-6 text-soft">
        {error instanceof ApiError
          ? messageOf(error)
          : 'Tenure may have been updated meanwhile. Reload the page.'}
      </p>
      <Button
        kind="main"
        onClick={() => {
          if (error instanceof ApiError) void router.invalidate();
          else location.reload();
        }}
      >
        {error instanceof ApiError ? 'Try again' : 'Reload'}
      </Button>
    </main>
  );
}

export function Waiting() {
  return (
    <div className="mx-auto max-w-[1264px] px-8 py-10">
      <Lines count={6} />
    </div>
  );
}
