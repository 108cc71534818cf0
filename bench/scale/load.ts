/*
 * The load: a separate program that sends requests of many accounts at random moments, this many a second on average,
 * whatever the server does with them. Independent people and programs send requests like this; a client that waits for
 * each answer before it asks again slows down with the server and hides how long others would have waited.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type Child, serve, startChild } from '../lib/child.ts';
import { percentile } from '../lib/stats.ts';
import { type Asker, paymentBody } from './accounts.ts';
import { type Kind, pickKind, totalOf } from './costs.ts';

interface LoadRequest {
  /** The addresses of one or more API processes, asked in turn. */
  urls: string[];
  /** Requests a second of each kind. */
  rates: Partial<Record<Kind, number>>;
  seconds: number;
  /** This many clients ask again as soon as they are answered; the rates then only set the mix of requests. */
  atOnce?: number;
  /** Only the first of the accounts. */
  accounts?: number;
}

export interface Answers {
  requests: number;
  creates: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}

export interface LoadProcess extends Pick<Child, 'pid' | typeof Symbol.asyncDispose> {
  run(request: LoadRequest): Promise<Answers>;
}

/** Most requests under way. With more waiting, the service has collapsed and the measurement means nothing. */
const mostUnderWay = 2_000;

export async function startLoad(askers: Asker[]): Promise<LoadProcess> {
  const child = startChild(new URL(import.meta.url));
  await child.call('know', askers);
  return { ...child, run: (request) => child.call('run', request) };
}

let askers: Asker[] = [];
if (process.send && process.argv[1] === import.meta.filename)
  serve({
    know(all: Asker[]) {
      askers = all;
    },
    run,
  });

async function run({ urls, rates, seconds, atOnce, accounts }: LoadRequest): Promise<Answers> {
  const pools = urls.map((url) => new Pool(url, { connections: 32, pipelining: 1 }));
  const asking = askers.slice(0, accounts);
  const total = totalOf(rates);
  const took: number[] = [];
  const underWay = new Set<Promise<void>>();
  const wrong: unknown[] = [];
  let creates = 0;
  const began = performance.now();
  const endsAt = began + seconds * 1000;
  const askOnce = async (since: number): Promise<void> => {
    const kind = pickKind(rates, Math.random());
    if (kind === 'create') creates++;
    await ask(any(pools), kind, any(asking)).catch((error) => wrong.push(error));
    took.push(performance.now() - since);
  };
  const askAgain = async (): Promise<void> => {
    while (performance.now() < endsAt) await askOnce(performance.now());
  };
  if (atOnce !== undefined) await Promise.all(Array.from({ length: atOnce }, askAgain));
  else
    for (let next = began; performance.now() < endsAt; await sleep(1))
      // The gaps are exponential. Requests that are due by now are sent at once, and have waited since they were due.
      for (const now = performance.now(); next <= now && underWay.size < mostUnderWay; ) {
        const asked = askOnce(next);
        underWay.add(asked);
        void asked.finally(() => underWay.delete(asked));
        next -= (Math.log(1 - Math.random()) / total) * 1000;
      }
  await Promise.all(underWay);
  const lasted = (performance.now() - began) / 1000;
  for (const pool of pools) await pool.close();
  if (wrong.length > 0) throw new Error(`${wrong.length} of ${took.length} requests failed: ${wrong[0]}`);
  return {
    requests: took.length,
    creates,
    seconds: lasted,
    p50Ms: percentile(took, 0.5),
    p99Ms: percentile(took, 0.99),
  };
}

async function ask(pool: Pool, kind: Kind, asker: Asker): Promise<void> {
  const tenant = any(asker.tenants);
  const [method, path, body] = {
    read: ['GET', `/tenants/${tenant}`] as const,
    list: ['GET', '/payments?limit=100'] as const,
    owed: ['GET', '/balances?owing=true&limit=100'] as const,
    poll: ['GET', `/events?limit=100&after=${asker.after}`] as const,
    create: ['POST', '/payments', { tenant_id: tenant, ...paymentBody }] as const,
    change: ['PATCH', `/tenants/${tenant}`, { phone: `+1 555 ${Math.random()}`.slice(0, 16) }] as const,
  }[kind];
  const headers = { authorization: `Bearer ${asker.key}`, 'content-type': 'application/json' };
  const posted = body ? { body: JSON.stringify(body) } : {};
  const answer = await pool.request({ method, path: `/api/v1${path}`, headers, ...posted });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
  if (kind === 'poll') {
    const { data } = JSON.parse(text) as { data: { id: string }[] };
    asker.after = data.at(-1)?.id ?? asker.after;
  }
}

function any<Item>(items: Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}
