import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/connect.ts';
import { createLog } from '../../src/log.ts';
import {
  ask,
  fromBeginning,
  type ListRequest,
  listRequests,
  listRoutes,
} from '../../test/support/list-requests.ts';
import { spread } from '../lib/stats.ts';
import type { RunOptions } from '../lib/suite.ts';
import { secretKey } from '../lib/tenure.ts';

/** The same account with few and with many records. */
type Size = 'small' | 'large';
type Ask = (size: Size, request: ListRequest) => Promise<{ body: string }>;

export interface ListTimes {
  label: string;
  path: string;
  smallMs: number;
  largeMs: number;
}

const page = 100;
/** A named statement is planned with its values five times, and then once for all. */
const warmUps = 6;
/** On each of the two in turn, this many times a round. */
const samplesEach = 2;
/** What looks slower is measured again after all others, with more rounds: noise has passed by then. */
const suspicious = 1.3;
const moreRounds = 5;

/** The median time of every list with every combination of its filters, in turn on both. */
export async function timeLists(
  databases: Record<Size, Database>,
  { rounds, quick, say }: RunOptions,
): Promise<ListTimes[]> {
  const config = loadConfig({ SECRET_KEY: secretKey }, '');
  const app = createApp({ config, db: databases.large, log: createLog('silent'), secretKey });
  const asked: Ask = (size, request) => ask(app, databases[size], request);
  const times: ListTimes[] = [];
  const again: { at: number; request: ListRequest }[] = [];
  for (const route of listRoutes) {
    const all = fromBeginning(listRequests(route, page));
    const requests = quick ? all.filter((_, n) => n % 20 === 0) : all;
    for (const request of requests) {
      const equal = await withEqualPages(asked, request);
      const found = await timeOne(asked, equal, rounds * samplesEach);
      if (growthOf(found) > suspicious) again.push({ at: times.length, request: equal });
      times.push(found);
    }
    say(`${route.path}: ${requests.length} combinations`);
  }
  for (const { at, request } of again)
    times[at] = await timeOne(asked, request, rounds * samplesEach * moreRounds);
  const [worst] = times.toSorted((a, b) => growthOf(b) - growthOf(a));
  if (worst) say(`${again.length} of them looked at again; the worst: ${worst.label}`);
  return times;
}

export const growthOf = ({ smallMs, largeMs }: ListTimes): number => largeMs / smallMs;

/**
 * If the small account has less than a page of what is requested, both are asked for as many records as it has: a page
 * of a hundred is more work than one of three on any server.
 */
async function withEqualPages(asked: Ask, request: ListRequest): Promise<ListRequest> {
  const countIn = async (size: Size) => JSON.parse((await asked(size, request)).body).count as number;
  const count = Math.min(await countIn('small'), await countIn('large'));
  if (!('limit' in request.query)) return request;
  return { ...request, query: { ...request.query, limit: String(Math.max(1, count)) } };
}

async function timeOne(asked: Ask, request: ListRequest, samples: number): Promise<ListTimes> {
  const times: Record<Size, number[]> = { small: [], large: [] };
  for (let i = -warmUps; i < samples; i++) {
    // Neither always comes after the other.
    for (const size of i % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const)) {
      const started = performance.now();
      await asked(size, request);
      if (i >= 0) times[size].push(performance.now() - started);
    }
  }
  return {
    label: request.label,
    path: request.route.path,
    smallMs: spread(times.small).median,
    largeMs: spread(times.large).median,
  };
}
