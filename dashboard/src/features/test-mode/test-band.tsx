import { useQuery } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { chooseMode } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { startAfresh, useCanWrite, useSession } from '../../api/session.ts';
import { clockQuery } from '../../api/test-clock.ts';
import { post, saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { formatDay, formatDayOf, today } from '../../ui/date.tsx';

/** Loads the dashboard in the other mode. */
export function enterMode(mode: 'live' | 'test'): Promise<never> {
  chooseMode(mode);
  return startAfresh('/');
}

/** Across every page in test mode: says so, shows the day there, and has buttons that move the clock. */
export function TestBand() {
  const { data: clock } = useQuery(clockQuery);
  const canWrite = useCanWrite();
  const advance = useAction(async (later: (from: Date) => Date) => {
    const { now } = await queryClient.fetchQuery({ ...clockQuery, staleTime: 0 });
    await post('/test/clock/advance', { to: later(new Date(now)).toISOString() });
    await queryClient.fetchQuery({ ...clockQuery, staleTime: 0 });
    await saved(Promise.resolve(), `It is now ${formatDay(today())} in test mode`);
  });
  return (
    <section
      aria-label="Test mode"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 bg-warn px-4 py-2 text-ground sm:px-8 print:hidden"
    >
      <p className="flex min-w-0 grow flex-wrap items-center gap-x-2">
        <FlaskConical aria-hidden="true" className="size-4" />
        <strong className="font-semibold">Test mode</strong>
        {clock && <time dateTime={clock.today}>{formatDay(clock.today)}</time>}
        <span className="max-lg:hidden">Nothing here is real. Webhooks are sent.</span>
      </p>
      <div className="flex flex-wrap gap-2">
        {canWrite && (
          <>
            <Button isBusy={advance.isBusy} onClick={() => advance.run(oneDayLater)}>
              +1 day
            </Button>
            <Button isBusy={advance.isBusy} onClick={() => advance.run(oneMonthLater)}>
              +1 month
            </Button>
          </>
        )}
        <Button onClick={() => enterMode('live')}>Leave test mode</Button>
      </div>
    </section>
  );
}

/** How long beforehand people are told. */
const noticeMs = 14 * 86_400_000;

/** Shown before test mode is emptied because nobody uses it. */
export function UnusedNote() {
  const emptiedAt = useSession().account?.test_mode_emptied_at;
  if (!emptiedAt || Date.parse(emptiedAt) - Date.now() > noticeMs) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2 text-soft sm:px-8"
    >
      Nobody has used test mode for a while. On {formatDayOf(emptiedAt)} it will be emptied; its keys stay.
      <Button onClick={() => enterMode('test')}>Open test mode</Button>
    </div>
  );
}

const oneDayLater = (from: Date): Date => new Date(from.getTime() + 86_400_000);

/** The same day of the next month, or its last day. */
function oneMonthLater(from: Date): Date {
  const later = new Date(from);
  later.setUTCMonth(from.getUTCMonth() + 1);
  if (later.getUTCDate() !== from.getUTCDate()) later.setUTCDate(0);
  return later;
}
