import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '../../src/db/sql.ts';
import { startChild } from '../lib/child.ts';
import { watchCpu } from '../lib/cpu.ts';
import { versionsOf } from '../lib/machine.ts';
import { type BenchDatabase, type BenchPostgres, openPostgres } from '../lib/postgres.ts';
import { alternate } from '../lib/rounds.ts';
import { type Bar, ratioBar, type Samples, type Suite, section } from '../lib/suite.ts';
import { startTenure } from '../lib/tenure.ts';
import { type Account, prepareAccount, seededPayments } from '../servers/account.ts';
import { checkRows, checkSamePages, checkSameRows, quietCounts } from '../servers/checks.ts';
import { connections, type Load, load, wrkVersion } from '../servers/wrk.ts';

/** What Tenure makes of each, at least. */
const promises: [peer: string, list: number, create: number][] = [
  ['node:http + pg, rows by hand', 1.6, 1.6],
  ['Fastify + Drizzle', 1.6, 1.6],
  ['Fastify + Prisma', 1.6, 1.6],
];

/** The default of Tenure's, for all. */
const poolSize = 10;
const listPath = '/payments?limit=100';
/** A server runs for weeks, and Node compiles what it runs for the first ten to twenty seconds of such a load. */
const seconds = { warmUp: 15, measured: 5 };

type Key = 'perSecond' | 'p50Ms' | 'p99Ms' | 'serverUs' | 'postgresUs';

interface Server {
  name: string;
  pid: number;
  url: string;
  stop(): Promise<void>;
}

interface Stage extends Account {
  postgres: BenchPostgres;
  pageBytes: number;
  quick: boolean;
}

export const suite: Suite = {
  title: 'API',
  rounds: 3,
  async run({ quick, rounds, say }) {
    const wrk = wrkVersion();
    const postgres = await openPostgres('api');
    const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-api-'));
    const servers: Server[] = [];
    try {
      const database = await postgres.createDatabase('api');
      const account = await prepareAccount(database, folder);
      for await (const server of startServers(database)) servers.push(server);
      const pageBytes = await checkSamePages(servers, account.key, listPath);
      const stage = { ...account, postgres, quick, pageBytes };
      const inTurn = (measure: typeof measureList) =>
        alternate(
          servers.map((server) => ({
            name: server.name,
            measure: (round: number) => measure(stage, server, round),
          })),
          { rounds, say },
        );
      const lists = await inTurn(measureList);
      await checkSameRows(servers, stage.key, stage.db);
      const creates = await inTurn(measureCreate);
      await stage.db.close();
      return {
        intro,
        settings: {
          connections,
          'pool of each': poolSize,
          'payments at the start': seededPayments,
          'seconds of each measurement': seconds.measured,
          'seconds before, to warm up each server': seconds.warmUp,
        },
        versions: {
          wrk,
          postgres: postgres.version,
          ...versionsOf('fastify', 'pg', 'drizzle-orm', 'prisma', '@prisma/adapter-pg'),
        },
        bars: promises.flatMap(([peer, atLeastList, atLeastCreate]) => [
          promise(`List of 100 payments, Tenure to ${peer}`, lists, peer, atLeastList),
          promise(`Create a payment, Tenure to ${peer}`, creates, peer, atLeastCreate),
        ]),
        sections: [
          section('List of 100 payments', lists, columns, plots.list),
          section('Create a payment', creates, columns, plots.create),
        ],
      };
    } finally {
      for (const server of servers) await server.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const intro = `Tenure's own server as users run it (\`tenure api\`: rate limit on, though too high to refuse anyone,
its log in a file) beside others that do the same on the same tables with the same data: a page of 100 payments of one
account, and a new payment with its event and one queued delivery, committed together. All remember the key in the
same way. Every round checks the answers, and that each create left its three rows. Processor time is in microseconds
for each request.`;

const columns: Record<Key, string> = {
  perSecond: 'requests/s',
  p50Ms: 'p50 ms',
  p99Ms: 'p99 ms',
  serverUs: 'µs in the server',
  postgresUs: 'µs in PostgreSQL',
};

const plots = {
  list: { name: 'api-list', title: 'Lists a second' },
  create: { name: 'api-create', title: 'New payments a second' },
};

const promise = (text: string, samples: Samples<Key>, peer: string, atLeast: number): Bar =>
  ratioBar(text, samples, 'perSecond', ['Tenure', peer], ['≥', atLeast]);

async function* startServers({ connection, url }: BenchDatabase): AsyncGenerator<Server> {
  const tenure = await startTenure('api', {
    DATABASE_URL: url,
    DATABASE_POOL_SIZE: String(poolSize),
    RATE_LIMIT_PER_SECOND: '1000000',
  });
  yield { ...tenure, name: 'Tenure', url: `${tenure.url}/api/v1` };
  const files = ['raw-rows', 'drizzle', 'prisma'];
  for (const [at, file] of files.entries()) {
    const child = startChild(new URL(`../servers/${file}.ts`, import.meta.url));
    const port = await child.call<number>('start', { connection, max: poolSize });
    const base = `http://127.0.0.1:${port}/api/v1`;
    yield { name: promises[at]?.[0] ?? file, pid: child.pid, url: base, stop: () => child.stop() };
  }
}

async function measureList(stage: Stage, server: Server, round: number): Promise<Record<Key, number>> {
  const { done, sample } = await underLoad(stage, server, round, { url: server.url + listPath });
  if (done.bytes / done.requests < stage.pageBytes)
    throw new Error(`${server.name} did not send whole pages.`);
  return sample;
}

async function measureCreate(stage: Stage, server: Server, round: number): Promise<Record<Key, number>> {
  const { db, bodies } = stage;
  // The event log and the queue begin empty for each, as a worker would leave the queue.
  await db.query(sql`truncate events, delivery_queue`);
  const before = await quietCounts(db);
  const { done, sample } = await underLoad(stage, server, round, { url: `${server.url}/payments`, bodies });
  checkRows(server.name, before, await quietCounts(db), done.requests);
  return sample;
}

async function underLoad(
  { postgres, key, quick }: Stage,
  { pid }: Server,
  round: number,
  asked: { url: string; bodies?: string },
): Promise<{ done: Load; sample: Record<Key, number> }> {
  await postgres.settle();
  const cpu = watchCpu({ server: [pid], postgres: [postgres.pid] });
  const duration = quick ? 1 : round === 0 ? seconds.warmUp : seconds.measured;
  const done = await load({ ...asked, key, seconds: duration });
  const used = cpu();
  const sample = {
    perSecond: done.requests / done.seconds,
    p50Ms: done.p50Ms,
    p99Ms: done.p99Ms,
    serverUs: (used.server / done.requests) * 1e6,
    postgresUs: (used.postgres / done.requests) * 1e6,
  };
  return { done, sample };
}
