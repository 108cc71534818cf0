import { useEffect } from 'react';
import { useConnectionLost } from '../api/connection.ts';
import { queryClient } from '../api/queries.ts';
import { sessionQuery } from '../api/session.ts';

const retryMs = 3_000;

/** The server does not answer: says so, keeps asking, and brings the page up to date once it does. */
export function ConnectionNote() {
  const isLost = useConnectionLost();
  useEffect(() => {
    if (!isLost) return;
    const timer = setInterval(async () => {
      const session = await queryClient
        .fetchQuery({ ...sessionQuery, staleTime: 0, retry: false })
        .catch(() => null);
      if (session) void queryClient.invalidateQueries();
    }, retryMs);
    return () => clearInterval(timer);
  }, [isLost]);
  if (!isLost) return null;
  return (
    <div
      role="status"
      className="sticky top-14 z-20 border-b border-line bg-bad-ground px-4 py-2 text-bad lg:top-0 sm:px-8"
    >
      No connection to the server. What you see may be out of date; trying again every few seconds.
    </div>
  );
}
