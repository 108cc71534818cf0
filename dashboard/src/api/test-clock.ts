import { queryOptions } from '@tanstack/react-query';
import { setClock } from '../ui/date.tsx';
import { get } from './client.ts';
import type { TestClock } from './records.ts';

/** The time in test mode, which the page then uses. */
export const clockQuery = queryOptions({
  queryKey: ['test-clock'],
  queryFn: async ({ signal }) => {
    const clock = await get<TestClock>('/test/clock', undefined, signal);
    setClock(clock.now);
    return clock;
  },
  staleTime: 60_000,
});
