import { deepStrictEqual, strictEqual } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createKey } from '../../src/api-keys/api-keys.ts';
import { connect, type Database } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/sql.ts';
import { formatId } from '../../src/ids.ts';
import { createSecretBox } from '../../src/secrets/secret-box.ts';
import { makeManyRecords, probes } from '../../test/support/many-records.ts';
import { watchCpu } from '../lib/cpu.ts';
import { type BenchPostgres, openPostgres } from '../lib/postgres.ts';
import { alternate } from '../lib/rounds.ts';
import { ratio } from '../lib/stats.ts';
import { type Bar, bar, type Findings, notMeasured, type RunOptions, type Suite } from '../lib/suite.ts';
import { versionsOf } from '../lib/versions.ts';
import { names, poolSize, type Server, secretKey, startContenders } from './contenders.ts';
import { connections, load, wrkVersion } from './load/wrk.ts';
import { type Sample, sectionOf, shapes } from './report.ts';
import { checkRows, counts, quietCounts, sameRows } from './rows.ts';

const page = 100;
const seeded = 10_000;

export const suite: Suite = {
  title: 'API',
  async run(options) {
    const wrk = wrkVersion();
    if (wrk === '') return withoutWrk();
    const postgres = await openPostgres('api');
    const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-api-'));
    try {
      const bench = await prepare(postgres, folder);
      const servers = await startContenders(bench.database);
      try {
        const list = await measureList(bench, servers, options);
        const create = await measureCreate(bench, servers, options);
        return report({ list, create }, { wrk, postgres: postgres.version });
      } finally {
        for (const server of servers) await server.stop();
        await bench.db.close();
      }
    } finally {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

interface Bench {
  postgres: BenchPostgres;
  database: Awaited<ReturnType<BenchPostgres['createDatabase']>>;
  db: Database;
  key: string;
  /** A file of payments to record, one a line. */
  bodies: string;
}

/** An account of 2,000 tenants with their leases and 10,000 payments, and one endpoint that wants to hear of new ones. */
async function prepare(postgres: BenchPostgres, folder: string): Promise<Bench> {
  const database = await postgres.createDatabase('api');
  const db = connect({ connection: database.connection, poolSize: 2, onError: console.error });
  await migrate(db);
  const client = new pg.Client(database.connection);
  await client.connect();
  const few = { maintenance: 100, events: 100, deliveries: 100, queued: 0 };
  await makeManyRecords(client, { payments: seeded, ...few, accounts: 1, endpoints: 1 });
  const { rows: tenants } = await client.query<{ id: string }>(
    'select id from tenants order by id limit 200',
  );
  await client.query('update webhook_endpoints set secret = $1', [
    createSecretBox(secretKey).encrypt('whsec_bench'),
  ]);
  await client.end();
  const { key } = await createKey(db, {
    accountId: probes.account,
    name: 'bench',
    permission: 'write',
    expiresAt: null,
  });
  const bodies = join(folder, 'payments.jsonl');
  const lines = tenants.map(({ id }, n) =>
    JSON.stringify({
      tenant_id: formatId('ten', id),
      amount_cents: 125_000 + n,
      paid_on: '2026-10-03',
      method: 'bank_transfer',
      period: '2026-10',
      reference: `CHK-${1000 + n}`,
      memo: 'Rent for October',
    }),
  );
  writeFileSync(bodies, `${lines.join('\n')}\n`);
  return { postgres, database, db, key, bodies };
}

type Samples = Map<string, Sample[]>;

const seconds = { warmUp: 24, measured: 6 };

/** A server runs for weeks, and Node compiles what it runs for the first twenty seconds of such a load. */
const secondsOf = (round: number, { quick }: RunOptions): number =>
  quick ? 1 : round === 0 ? seconds.warmUp : seconds.measured;

function measureList(bench: Bench, servers: Server[], options: RunOptions): Promise<Samples> {
  const path = `/payments?limit=${page}`;
  let expected: unknown;
  const contenders = servers.map((server) => ({
    name: server.name,
    async measure(round: number): Promise<Sample> {
      const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${bench.key}` } });
      const text = await response.text();
      const body = JSON.parse(text) as { data: unknown[]; count: number };
      strictEqual(response.status, 200);
      strictEqual(body.count, page);
      expected ??= body;
      deepStrictEqual(body, expected, `${server.name} answers otherwise than the others.`);
      return underLoad(bench, server, secondsOf(round, options), path, ({ requests, bytes }) => {
        if (bytes / requests < text.length) throw new Error(`${server.name} did not send whole pages.`);
      });
    },
  }));
  options.say(`list of ${page} payments`);
  return alternate(contenders, options, show);
}

async function measureCreate(bench: Bench, servers: Server[], options: RunOptions): Promise<Samples> {
  const contenders = servers.map((server) => ({
    name: server.name,
    async measure(round: number): Promise<Sample> {
      // The event log and the queue begin empty for each, as a worker would leave the queue.
      await bench.db.query(sql`truncate events, delivery_queue`);
      const before = await counts(bench.db);
      const sample = await underLoad(
        bench,
        server,
        secondsOf(round, options),
        '/payments',
        () => undefined,
        bench.bodies,
      );
      const after = await quietCounts(bench.db);
      checkRows(server.name, before, after, sample.requests);
      return sample;
    },
  }));
  options.say('create a payment, with its event and one subscriber');
  await sameRows(bench.db, bench.key, servers);
  return alternate(contenders, options, show);
}

async function underLoad(
  { postgres, key }: Bench,
  server: Server,
  seconds: number,
  path: string,
  check: (result: Awaited<ReturnType<typeof load>>) => void,
  bodies?: string,
): Promise<Sample> {
  await postgres.settle();
  const cpu = watchCpu({ server: [server.pid], postgres: [postgres.pid] });
  const result = await load({
    url: server.url + path,
    key,
    seconds,
    ...(bodies ? { bodies } : {}),
  });
  const used = cpu();
  check(result);
  return {
    requests: result.requests,
    perSecond: result.requests / result.seconds,
    serverUs: (used.server / result.requests) * 1e6,
    postgresUs: (used.postgres / result.requests) * 1e6,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
  };
}

const show = ({ perSecond, serverUs, postgresUs, p99Ms }: Sample) =>
  `${Math.round(perSecond)}/s, ${Math.round(serverUs)} µs in the server, ${Math.round(postgresUs)} µs in Postgres, p99 ${p99Ms.toFixed(0)} ms`;

function report(samples: Record<keyof typeof shapes, Samples>, versions: Record<string, string>): Findings {
  const bars: Bar[] = promises.map(({ shape, against, least }) => {
    const perSecond = (name: string) => (samples[shape].get(name) ?? []).map((sample) => sample.perSecond);
    const { median } = ratio(perSecond(names.tenure), perSecond(names[against]));
    return bar(
      `${shapes[shape]}, to ${names[against]}`,
      '≥',
      least,
      median,
      (value) => `${value.toFixed(2)} ×`,
    );
  });
  return {
    intro: `Tenure's own server as it is shipped (\`tenure api\`, its rate limit switched off, its log at the usual level to \`/dev/null\`)
beside others that do the same on the same tables with the same data: a page of ${page} payments out of those of one account, and a new payment with its event
and one queued delivery, committed together. The ceiling sends the very same statements and passes their JSON through; it checks the key and nothing
else. It sends one for each payment, where Tenure writes those that come at once in one statement: of creates it is no ceiling any more. All remember the key in the same way. Every round checks the answers, and that each create left its three rows.`,
    settings: {
      connections,
      'pool of each': poolSize,
      'payments at the start': seeded,
      load: 'wrk, one thread',
      'seconds of each measurement': seconds.measured,
      'seconds before, to warm up each server': seconds.warmUp,
    },
    versions: {
      ...versions,
      ...versionsOf('fastify', 'pg', 'kysely', 'drizzle-orm', 'express', 'prisma', '@prisma/adapter-pg'),
    },
    bars,
    sections: (Object.keys(shapes) as (keyof typeof shapes)[]).map((shape) =>
      sectionOf(shape, samples[shape], names.tenure),
    ),
  };
}

type Promised = { shape: keyof typeof shapes; against: keyof typeof names; least: number };
const promises: Promised[] = [
  { shape: 'list', against: 'ceiling', least: 0.85 },
  { shape: 'create', against: 'ceiling', least: 0.85 },
  { shape: 'list', against: 'rows', least: 1.6 },
  { shape: 'create', against: 'rows', least: 1.6 },
  { shape: 'list', against: 'prisma', least: 3.5 },
  { shape: 'create', against: 'prisma', least: 8 },
];

const withoutWrk = (): Findings => ({
  intro: 'Not measured: wrk, which makes the load, is not installed.',
  settings: {},
  versions: {},
  bars: promises.map(({ shape, against, least }) =>
    notMeasured(`${shapes[shape]}, to ${names[against]}`, `≥ ${least} ×`, 'wrk is not installed'),
  ),
  sections: [],
});
