/*
 * What a change of ours is worth as users run the product: the servers of several checkouts in turn under the same load.
 *
 *   node bench/compare/api.ts PATH PATH…             the first is what the others are compared with
 *   node bench/compare/api.ts --rounds 9 PATH PATH…
 *
 * Each server runs as its own package.json starts it, with its rate limit on, a log to a file, and `Idempotency-Key`
 * on every other write. Naming a checkout twice tells how far apart equals are.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { createKey } from '../../src/api-keys/api-keys.ts';
import { connect } from '../../src/db/connect.ts';
import { formatId } from '../../src/ids.ts';
import { makeManyRecords, probes } from '../../test/support/many-records.ts';
import { freePort } from '../../test/support/process.ts';
import { type Load, load } from '../api/load/wrk.ts';
import { type BenchPostgres, openPostgres } from '../lib/postgres.ts';
import { alternate } from '../lib/rounds.ts';
import { ratio, showSpread, spread } from '../lib/stats.ts';

const { values: flags, positionals: checkouts } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '5' } },
});
if (checkouts.length < 2) throw new Error('Two checkouts at least.');
const rounds = Number(flags.rounds);
const seconds = Number(flags.seconds);
const warmUpSeconds = 2 * seconds;

interface Server {
  name: string;
  url: string;
  key: string;
  bodies: string;
  database: pg.Client;
  stop(): Promise<void>;
}

const perSecond = ({ requests, seconds }: Load): number => requests / seconds;
const p50 = ({ p50Ms }: Load): number => p50Ms;

const postgres = await openPostgres('compare');
const folder = mkdtempSync(join(tmpdir(), 'tenure-compare-'));
const servers: Server[] = [];
try {
  for (const [at, checkout] of checkouts.entries()) servers.push(await serve(postgres, checkout, at));
  await measure('a list of 100 payments', (server, forSeconds) =>
    load({ url: `${server.url}/payments?limit=100`, key: server.key, seconds: forSeconds }),
  );
  await measure('create a payment', async (server, forSeconds) => {
    // What the last load left under way is done; events and the queue begin empty, as a worker would leave them.
    await sleep(500);
    await server.database.query('truncate events, delivery_queue, idempotency_keys');
    await postgres.settle();
    const { url, key, bodies } = server;
    return load({ url: `${url}/payments`, key, seconds: forSeconds, bodies, idempotent: true });
  });
} finally {
  for (const server of servers) await server.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(
  title: string,
  under: (server: Server, seconds: number) => Promise<Load>,
): Promise<void> {
  const contenders = servers.map((server) => ({
    name: server.name,
    measure: (round: number) => under(server, round === 0 ? warmUpSeconds : seconds),
  }));
  const show = (done: Load) => `${Math.round(perSecond(done))}/s, p50 ${done.p50Ms.toFixed(2)} ms`;
  const samples = await alternate(contenders, { rounds, say: (line) => console.error(line) }, show);
  const [first] = servers;
  const before = samples.get(first?.name ?? '') ?? [];
  console.log(
    `\n${title}\n| checkout | per second | to the first | p50 ms | to the first |\n|---|---|---|---|---|`,
  );
  for (const [name, loads] of samples) {
    const rates = ratio(loads.map(perSecond), before.map(perSecond));
    const p50s = ratio(loads.map(p50), before.map(p50));
    console.log(
      `| ${name} | ${Math.round(spread(loads.map(perSecond)).median)} | ${showSpread(rates)} ` +
        `| ${spread(loads.map(p50)).median.toFixed(2)} | ${showSpread(p50s)} |`,
    );
  }
}

/** A server on a database of its own: 2,000 tenants, 10,000 payments, one endpoint that wants to hear of new ones. */
async function serve(postgres: BenchPostgres, checkout: string, at: number): Promise<Server> {
  const name = `${at}-${basename(checkout)}`;
  const { connection, url: databaseUrl } = await postgres.createDatabase(name);
  const port = await freePort();
  const output = openSync(join(folder, `${name}.log`), 'a');
  const child = spawn(process.execPath, [...startFlags(checkout), 'src/cli.ts', 'api'], {
    cwd: checkout,
    stdio: ['ignore', output, output],
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      SECRET_KEY: 'only for this benchmark, 32 characters',
      RATE_LIMIT_PER_SECOND: '1000000',
      LOG_LEVEL: 'info',
    },
  });
  const ended = once(child, 'exit');
  while ((await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null)
      throw new Error(`${checkout}: ${readFileSync(join(folder, `${name}.log`), 'utf8')}`);
    await sleep(50);
  }
  const database = new pg.Client(connection);
  await database.connect();
  const sizes = { payments: 10_000, maintenance: 100, events: 100, deliveries: 100, queued: 0 };
  await makeManyRecords(database, { ...sizes, accounts: 1, endpoints: 1 });
  const db = connect({ connection, poolSize: 1, onError: console.error });
  const account = { accountId: probes.account, name: 'compare', expiresAt: null };
  const { key } = await createKey(db, { ...account, permission: 'write' });
  await db.close();
  return {
    name,
    url: `http://127.0.0.1:${port}/api/v1`,
    key,
    bodies: await writeBodies(database, name),
    database,
    async stop() {
      child.kill('SIGTERM');
      await Promise.all([ended, database.end()]);
    },
  };
}

/** What Node is given by `npm start`. */
function startFlags(checkout: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  return scripts.start.split(' ').filter((word: string) => word.startsWith('--'));
}

async function writeBodies(database: pg.Client, name: string): Promise<string> {
  const { rows } = await database.query<{ id: string }>('select id from tenants order by id limit 200');
  const lines = rows.map(({ id }, n) =>
    JSON.stringify({
      tenant_id: formatId('ten', id),
      amount_cents: 125_000 + n,
      paid_on: '2026-10-03',
      method: 'bank_transfer',
      reference: `CHK-${1000 + n}`,
    }),
  );
  const path = join(folder, `${name}.jsonl`);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
