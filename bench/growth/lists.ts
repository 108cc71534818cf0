import type { App } from '../../src/app.ts';
import type { Database } from '../../src/db/connect.ts';
import type { Reply } from '../../src/http/routes/route.ts';
import { ask, type ListRequest, listRequests, listRoutes } from '../../test/support/list-requests.ts';
import { spread } from '../lib/stats.ts';
import type { RunOptions } from '../lib/suite.ts';

/** The same account with few and with many records. */
export interface Two<Item> {
  small: Item;
  large: Item;
}

export interface ListTimes {
  label: string;
  path: string;
  /** Records on the page, the same in both. */
  count: number;
  smallMs: number;
  largeMs: number;
}

const page = 100;
/** A named statement is planned with its values five times, and then once for all. */
const warmUps = 6;
/** On each of the two in turn, so many times for each round. */
const samplesEach = 2;
/** What looks slower is looked at again after all others, with more rounds: what was noise is over by then. */
const suspicious = 1.3;
const moreRounds = 5;

/**
 * The median time of every list with every combination of its filters, in turn on both. Where the small account has
 * less than a page of what is asked for, both are asked for as many as it has: a page of a hundred records and one
 * of three are not the same work anywhere.
 */
export async function timeLists(
  app: App,
  databases: Two<Database>,
  { rounds, say }: Pick<RunOptions, 'rounds' | 'say'>,
): Promise<ListTimes[]> {
  const times: ListTimes[] = [];
  const again: { at: number; request: EqualRequest }[] = [];
  for (const route of listRoutes) {
    const requests = listRequests(route, page);
    for (const request of requests) {
      const equal = await withEqualPages(app, databases, request);
      const found = await timeOne(app, databases, equal, rounds * samplesEach);
      if (growth(found) > suspicious) again.push({ at: times.length, request: equal });
      times.push(found);
    }
    say(`${route.path}: ${requests.length} combinations`);
  }
  for (const { at, request } of again)
    times[at] = await timeOne(app, databases, request, rounds * samplesEach * moreRounds);
  say(
    `${again.length} of them looked at again: at most ${Math.max(...times.map(growth)).toFixed(2)} × as long`,
  );
  return times;
}

export const growth = ({ smallMs, largeMs }: ListTimes): number => largeMs / smallMs;

interface EqualRequest extends ListRequest {
  count: number;
}

async function withEqualPages(
  app: App,
  { small, large }: Two<Database>,
  request: ListRequest,
): Promise<EqualRequest> {
  const counts = [countOf(await ask(app, small, request)), countOf(await ask(app, large, request))];
  const count = Math.min(...counts);
  if (!('limit' in request.query)) return { ...request, count };
  return { ...request, query: { ...request.query, limit: String(Math.max(1, count)) }, count };
}

const countOf = ({ body }: Reply): number => (JSON.parse(body) as { count: number }).count;

async function timeOne(
  app: App,
  { small, large }: Two<Database>,
  request: EqualRequest,
  samples: number,
): Promise<ListTimes> {
  for (let i = 0; i < warmUps; i++) {
    await ask(app, small, request);
    await ask(app, large, request);
  }
  const smallTimes: number[] = [];
  const largeTimes: number[] = [];
  for (let i = 0; i < samples; i++) {
    const timeSmall = async () => smallTimes.push(await timed(() => ask(app, small, request)));
    const timeLarge = async () => largeTimes.push(await timed(() => ask(app, large, request)));
    // Neither always comes after the other.
    for (const time of i % 2 === 0 ? [timeSmall, timeLarge] : [timeLarge, timeSmall]) await time();
  }
  return {
    label: request.label,
    path: request.route.path,
    count: request.count,
    smallMs: spread(smallTimes).median,
    largeMs: spread(largeTimes).median,
  };
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
