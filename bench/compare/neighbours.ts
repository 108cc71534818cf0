/*
 * What one account does to another: how long the requests of a quiet account take alone, and beside an account of
 * 100,000 tenants that asks twenty things at once. And what searching there takes.
 *
 *   npm run bench -- compare neighbours PATH PATH…
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { formatId } from '../../src/ids.ts';
import { probes } from '../../test/support/many-records.ts';
import { watchCpu } from '../lib/cpu.ts';
import { fillAccount, keyOf, openDatabase, timed } from '../lib/database.ts';
import { type BenchDatabase, openPostgres } from '../lib/postgres.ts';
import { alternate } from '../lib/rounds.ts';
import { percentile, ratio, short, showSpread, spread } from '../lib/stats.ts';
import { valuesOf } from '../lib/suite.ts';
import { startTenure, type TenureProcess } from '../lib/tenure.ts';
import type { Busy } from './busy-account.ts';
import { checkouts, compare, rounds } from './comparison.ts';

const tenants = 100_000;
const atOnce = 20;
const asked = 100;
const everyMs = 10;

const quiet = 'quiet';
/** What the busy account asks for. */
const scenes: Record<string, string | null> = {
  [quiet]: null,
  'searches that find nothing': '/tenants?q=nobody+of+this+name',
  'searches that find half': '/tenants?q=example.com',
  'reports of all years': '/reports/rent-collected?from=2021-11-01&to=2026-10-31',
  exports: '/payments?format=csv',
  'PDFs of ten years': `/leases/${formatId('lease', probes.lease)}/statement?format=pdf&from=2016-11-01&to=2026-10-31`,
};
const searches = ['okafor 1234', 'oka', 'example.com', 'old.example', 'ad', 'zq', '#', '5550199', 'nobody'];

interface Server extends TenureProcess {
  name: string;
  busy: string;
  quiet: string;
}

const postgres = await openPostgres('neighbours');
const servers: Server[] = [];
try {
  for (const { name, path } of checkouts) {
    const database = await postgres.createDatabase(name);
    const server = await startTenure('api', { DATABASE_URL: database.url }, path);
    servers.push({ name, ...server, ...(await prepare(database)) });
    console.error(`${name} is ready`);
  }
  await measureSearches();
  await measureNeighbours();
} finally {
  for (const { stop } of servers) await stop();
  await postgres.stop();
}

async function prepare(made: BenchDatabase): Promise<{ busy: string; quiet: string }> {
  const { db, client, close } = await openDatabase(made, 1);
  await fillAccount(client, { payments: 200_000, accounts: 500 });
  // Many of one account; and a few of each other, which the same indexes have.
  await client.query(`
    insert into tenants (account_id, id, first_name, last_name, email, phone, external_id, created_at, updated_at)
    select a.id, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, (array['Ada', 'Ben', 'Chloe', 'Dan', 'Eve'])[1 + n % 5], 'Okafor ' || n,
      'tenant' || n || case when n < 40000 then '@old.example' else '@example.com' end,
      '+1 555-' || lpad((n % 10000)::text, 4, '0'), 'ext-' || n, now(), now()
    from accounts a cross join lateral generate_series(
      2000, case a.id when '${probes.account}' then ${tenants - 1} else 2050 end) n`);
  await client.query('vacuum analyze');
  const { rows } = await client.query('select id from accounts where id <> $1 limit 1', [probes.account]);
  const quietAccount = String(rows[0]?.id);
  const keys = { busy: await keyOf(db, probes.account), quiet: await keyOf(db, quietAccount) };
  await close();
  return keys;
}

function ask({ url }: Server, key: string, path: string): Promise<number> {
  return timed(`${url}/api/v1${path}`, key).catch(() => Number.NaN);
}

async function measureSearches(): Promise<void> {
  for (const q of searches)
    await compare(
      `/tenants?q=${q}, of ${tenants} tenants`,
      servers.map((server) => ({
        name: server.name,
        async measure() {
          const times: number[] = [];
          const cpu = watchCpu({ postgres: [postgres.pid] });
          for (let n = 0; n < 10; n++)
            times.push(await ask(server, server.busy, `/tenants?limit=25&q=${encodeURIComponent(q)}`));
          return {
            p50Ms: percentile(times, 0.5),
            mostMs: Math.max(...times),
            postgresMs: cpu().postgres * 100,
          };
        },
      })),
    );
}

function askAtOnce({ url, busy: key }: Server, path: string): Worker {
  const workerData: Busy = { url: `${url}/api/v1${path}`, key, atOnce };
  return new Worker(new URL('busy-account.ts', import.meta.url), { workerData });
}

async function measureNeighbours(): Promise<void> {
  const measure = async (server: Server, path: string | null) => {
    const busy = path === null ? null : askAtOnce(server, path);
    await sleep(500);
    const times: number[] = [];
    for (let n = 0; n < asked; n++) {
      times.push(await ask(server, server.quiet, '/tenants?limit=25'));
      await sleep(everyMs);
    }
    await busy?.terminate();
    await sleep(200);
    const answered = times.filter(Number.isFinite);
    return {
      p50: percentile(answered, 0.5),
      p95: percentile(answered, 0.95),
      failed: times.length - answered.length,
    };
  };
  const contenders = servers.flatMap((server) =>
    Object.entries(scenes).map(([scene, path]) => ({
      name: `${server.name}, ${scene}`,
      measure: () => measure(server, path),
    })),
  );
  const samples = await alternate(contenders, { rounds, say: (line) => console.error(line) });
  console.log(
    '\nRequests of a quiet account\n| beside | p50 ms | p95 ms | p95 to quiet | failed |\n|---|---|---|---|---|',
  );
  for (const { name } of servers)
    for (const scene of Object.keys(scenes)) {
      const own = `${name}, ${scene}`;
      const median = (key: 'p50' | 'p95' | 'failed') => short(spread(valuesOf(samples, own, key)).median);
      const toQuiet = ratio(valuesOf(samples, own, 'p95'), valuesOf(samples, `${name}, ${quiet}`, 'p95'));
      console.log(
        `| ${own} | ${median('p50')} | ${median('p95')} | ${showSpread(toQuiet)} | ${median('failed')} |`,
      );
    }
}
