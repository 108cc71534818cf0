import { useEffect } from 'react';
import { useConnectionLost } from '../api/connection.ts';
import { queryClient } from '../api/queries.ts';
import { askSession } from '../api/session.ts';
import { Note } from './note.tsx';

const retryMs = 3_000;

/** The server does not answer: says so, keeps asking, and brings the page up to date once it does. */
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
    <Note>No connection to the server. What you see may be out of date; trying again every few seconds.</Note>
  );
}
