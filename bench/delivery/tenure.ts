import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { connect, type Database } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/sql.ts';
import { wakeChannel } from '../../src/deliveries/engine/wake-signal.ts';
import { newId } from '../../src/ids.ts';
import { createLog } from '../../src/log.ts';
import { subscribe } from '../../src/webhooks/webhooks.ts';
import { nodeFlags } from '../../test/support/process.ts';
import { stopAtInterrupt } from '../lib/interrupt.ts';
import type { BenchDatabase } from '../lib/postgres.ts';
import { inFlight } from '../peers/webhooks.ts';
import type { DeliveryContender, Running, Stage } from './contender.ts';
import { type Load, makeWebhooks, urlOf } from './workload.ts';

const secretKey = 'only for this benchmark, 32 characters';

interface Endpoint {
  accountId: string;
  id: string;
}

interface Target {
  endpoints: number;
  /** Where the receiver is. */
  base: string;
  /** The folder whose `src/` runs, and the name it is shown under. */
  checkout?: string;
  name?: string;
}

/**
 * Tenure as shipped: `tenure worker` in one process or in several, with the address guard, signatures, the attempt log
 * and all. The queue is filled as the product fills it; the commit and its NOTIFY are the start signal, so that the
 * workers have to notice by themselves. One contender for each number of workers, on one database.
 */
export async function tenure(
  { postgres }: Stage,
  { endpoints, base, checkout = join(import.meta.dirname, '../..'), name = 'Tenure' }: Target,
  workers: number[],
): Promise<DeliveryContender[]> {
  const database = await postgres.createDatabase(`${name.toLowerCase()}_${endpoints}`);
  const db = connect({ connection: database.connection, poolSize: 4, onError: () => undefined });
  await migrate(db);
  const subscribed = await subscribeAll(db, endpoints, base);
  let closed: Promise<void> | undefined;
  return workers.map((count) => ({
    name: count === 1 ? name : `${name}, ${count} workers`,
    start: () => startWorkers(db, database, count, subscribed, checkout),
    close() {
      closed ??= db.close().then(() => database.drop());
      return closed;
    },
  }));
}

async function startWorkers(
  db: Database,
  database: BenchDatabase,
  count: number,
  endpoints: Endpoint[],
  checkout: string,
): Promise<Running> {
  // Before anyone works on it: truncating beside a worker's claims ends in deadlocks.
  await db.query(sql`truncate events, delivery_queue, deliveries, delivery_attempts, workers`);
  // Users keep the log in a file, and so it is here: one line for every attempt.
  const logs = mkdtempSync(join(tmpdir(), 'tenure-bench-log-'));
  const processes = Array.from({ length: count }, () =>
    startWorker(checkout, database.url, endpoints.length, join(logs, 'worker.log')),
  );
  const stop = stopAtInterrupt(async () => {
    const exits = processes.map((process) => process.exitCode ?? once(process, 'exit'));
    for (const process of processes) process.kill('SIGTERM');
    await Promise.all(exits);
    rmSync(logs, { recursive: true, force: true });
  });
  await until(async () => (await numberOf(db, 'workers')) === count).catch(async (error) => {
    await stop();
    throw error;
  });
  let loading: pg.PoolClient | undefined;
  let recordedBefore = 0;
  return {
    pids: processes.map(({ pid }) => pid ?? 0),
    async enqueue(load) {
      recordedBefore = await numberOf(db, 'deliveries', "where status = 'succeeded'");
      loading = await db.connect();
      await loading.query('begin');
      await insert(loading, load, endpoints);
      await loading.query('analyze events, delivery_queue');
    },
    async go() {
      await loading?.query(`notify ${wakeChannel}, '${newId()}'`);
      await loading?.query('commit');
      loading?.release();
    },
    recorded: async () => (await numberOf(db, 'deliveries', "where status = 'succeeded'")) - recordedBefore,
    halt: async () => undefined,
    stop,
  };
}

function startWorker(checkout: string, databaseUrl: string, endpoints: number, log: string): ChildProcess {
  const output = openSync(log, 'a');
  const worker = spawn(process.execPath, [...nodeFlags, join(checkout, 'src/cli.ts'), 'worker'], {
    cwd: checkout,
    stdio: ['ignore', output, 'inherit'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      SECRET_KEY: secretKey,
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
      // A single busy endpoint may use half of the slots: the other half is kept free for others.
      WEBHOOK_CONCURRENCY: String(endpoints === 1 ? 2 * inFlight : inFlight),
      WEBHOOK_CONCURRENCY_PER_ENDPOINT: String(inFlight),
    },
  });
  closeSync(output);
  return worker;
}

async function subscribeAll(db: Database, count: number, base: string): Promise<Endpoint[]> {
  const app = createApp({
    config: loadConfig({ SECRET_KEY: secretKey }, ''),
    db,
    log: createLog('silent'),
    secretKey,
  });
  const endpoints: Endpoint[] = [];
  let accountId = '';
  for (let n = 0; n < count; n++) {
    // An account has at most a hundred endpoints.
    if (n % 100 === 0)
      accountId = (
        await createAccount(db, {
          name: 'Bench',
          email: `bench-${n}@example.com`,
          hash: 'nobody signs in here',
        })
      ).accountId;
    const json = await subscribe(db, app.secrets, {
      accountId,
      source: 'api',
      url: urlOf(base, n),
      events: ['payment.created'],
    });
    endpoints.push({ accountId, id: (JSON.parse(json) as { id: string }).id.slice(3) });
  }
  return endpoints;
}

/** The rows that recording so many payments would have left. */
async function insert(client: pg.PoolClient, load: Load, endpoints: Endpoint[]): Promise<void> {
  const webhooks = makeWebhooks(load);
  for (let from = 0; from < webhooks.length; from += 5_000) {
    const batch = webhooks.slice(from, from + 5_000);
    const ids = batch.map(({ id }) => id);
    const accounts = batch.map(({ endpoint }) => endpoints[endpoint]?.accountId);
    await client.query(
      `insert into events (account_id, id, event, body, created_at)
       select account_id, id, 'payment.created', body, clock_timestamp() from unnest($1::uuid[], $2::uuid[], $3::text[]) as e(account_id, id, body)`,
      [accounts, ids, batch.map(({ body }) => body)],
    );
    await client.query(
      `insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
       select id, account_id, endpoint_id, event_id, 'payment.created', 'event', true, clock_timestamp(), clock_timestamp()
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) as q(id, account_id, endpoint_id, event_id)`,
      [batch.map(() => newId()), accounts, batch.map(({ endpoint }) => endpoints[endpoint]?.id), ids],
    );
  }
}

async function numberOf(db: Database, table: 'workers' | 'deliveries', where = ''): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>(
    `select count(*)::integer as count from ${table} ${where}`,
  );
  return rows[0]?.count ?? 0;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const givesUpAt = performance.now() + 30_000;
  while (!(await condition())) {
    if (performance.now() > givesUpAt) throw new Error('The workers do not start.');
    await sleep(50);
  }
}
