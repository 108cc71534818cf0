/*
 * What one account does to another: how long the requests of a quiet account take alone, and beside an account of
 * 100,000 tenants that asks twenty things at once. It also measures searching there.
 *
 *   npm run bench -- compare neighbours PATH PATH…
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { formatId } from '../../src/ids.ts';
import { probes } from '../../test/support/many-records.ts';
import { watchCpu } from '../lib/cpu.ts';
import { fillAccount, keyOf, openDatabase } from '../lib/database.ts';
import { type BenchDatabase, openPostgres } from '../lib/postgres.ts';
import { timed, timesOf } from '../lib/requests.ts';
import { percentile } from '../lib/stats.ts';
import type { Busy } from './busy-account.ts';
import { compare, openServers, quick } from './comparison.ts';

const tenants = quick ? 3_000 : 100_000;
const atOnce = 20;
const asked = quick ? 10 : 100;
const everyMs = 10;

/** What the busy account asks for. */
const scenes: Record<string, string | null> = {
  quiet: null,
  'searches that find nothing': '/tenants?q=nobody+of+this+name',
  'searches that find half': '/tenants?q=example.com',
  'reports of all years': '/reports/rent-collected?from=2021-11-01&to=2026-10-31',
  exports: '/payments?format=csv',
  'PDFs of ten years': `/leases/${formatId('lease', probes.lease)}/statement?format=pdf&from=2016-11-01&to=2026-10-31`,
};
const searches = ['okafor 1234', 'oka', 'example.com', 'old.example', 'ad', 'zq', '#', '5550199', 'nobody'];

await using postgres = await openPostgres('neighbours');
await using opened = new AsyncDisposableStack();
const servers = await openServers(opened, postgres, prepare);

for (const q of searches) {
  const path = `/tenants?limit=25&q=${encodeURIComponent(q)}`;
  const contenders = servers.map(({ name, url, busy }) => ({
    name,
    measure: () => search(url + path, busy),
  }));
  await compare(`/tenants?q=${q}, of ${tenants} tenants`, contenders);
}
for (const { name, url, busy, quiet } of servers) {
  const contenders = Object.entries(scenes).map(([scene, path]) => ({
    name: scene,
    measure: () => askBeside(path === null ? null : { url: url + path, key: busy, atOnce }, url, quiet),
  }));
  await compare(`Requests of a quiet account, ${name}`, contenders);
}

async function prepare(made: BenchDatabase): Promise<{ busy: string; quiet: string }> {
  await using database = await openDatabase(made, 1);
  const { db, client } = database;
  await fillAccount(client, { payments: 2 * tenants, accounts: 500 });
  // Many of one account, and a few of each of the others, which share the indexes.
  await client.query(`
    insert into tenants (account_id, id, first_name, last_name, email, phone, external_id, created_at, updated_at)
    select a.id, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, (array['Ada', 'Ben', 'Chloe', 'Dan', 'Eve'])[1 + n % 5], 'Okafor ' || n,
      'tenant' || n || case when n < 40000 then '@old.example' else '@example.com' end,
      '+1 555-' || lpad((n % 10000)::text, 4, '0'), 'ext-' || n, now(), now()
    from accounts a cross join lateral generate_series(
      2000, case a.id when '${probes.account}' then ${tenants - 1} else 2050 end) n`);
  await client.query('vacuum analyze');
  const { rows } = await client.query('select id from accounts where id <> $1 limit 1', [probes.account]);
  return { busy: await keyOf(db, probes.account), quiet: await keyOf(db, String(rows[0]?.id)) };
}

async function search(url: string, key: string) {
  const cpu = watchCpu({ postgres: [postgres.pid] });
  const times = await timesOf(10, () => timed(url, key));
  return {
    p50Ms: percentile(times, 0.5),
    mostMs: Math.max(...times),
    postgresMs: cpu(times.length).postgres / 1000,
  };
}

/** Requests that fail are counted, but are in no percentile. */
async function askBeside(workerData: Busy | null, url: string, key: string) {
  const busy = workerData && new Worker(new URL('busy-account.ts', import.meta.url), { workerData });
  await sleep(500);
  const times = await timesOf(asked, async () => {
    await sleep(everyMs);
    return timed(`${url}/tenants?limit=25`, key).catch(() => Number.NaN);
  });
  await busy?.terminate();
  await sleep(200);
  const answered = times.filter(Number.isFinite);
  return {
    p50: percentile(answered, 0.5),
    p95: percentile(answered, 0.95),
    failed: times.length - answered.length,
  };
}
