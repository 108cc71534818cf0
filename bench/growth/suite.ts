import pg from 'pg';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { connect, type Database } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLog } from '../../src/log.ts';
import { makeManyRecords, type Sizes } from '../../test/support/many-records.ts';
import { type BenchPostgres, openPostgres } from '../lib/postgres.ts';
import { spread } from '../lib/stats.ts';
import { bar, type Findings, type RunOptions, type Suite } from '../lib/suite.ts';
import { growth, type ListTimes, timeLists } from './lists.ts';
import { type QueueTimes, timeQueue } from './queue.ts';
import { listSection, queueSection } from './report.ts';

const most = 1.5;
/** Deliveries that a worker takes at a time. */
const batches = 15;

export const suite: Suite = {
  title: 'Growth',
  async run(options) {
    const sizes = sizesFor(options.quick);
    const postgres = await openPostgres('growth');
    const databases: Database[] = [];
    const make = async (name: string, size: Sizes) => {
      const db = await makeDatabase(postgres, name, size, options);
      databases.push(db);
      return db;
    };
    try {
      const small = await make('ten_thousand', sizes.small);
      const few = await make('few_deliveries', sizes.few);
      const large = await make('millions', sizes.large);
      const queue = await measureQueue(postgres, { few, large }, sizes, options);
      const lists = await measureLists({ small, large }, options);
      return report(lists, queue, sizes, postgres.version);
    } finally {
      for (const db of databases) await db.close();
      await postgres.stop();
    }
  },
};

/** Most of what an account has, and what all accounts together have. */
function sizesFor(quick: boolean): Record<'small' | 'few' | 'large', Sizes> {
  const many = quick ? 50_000 : 5_000_000;
  const ten = 10_000;
  const here = { accounts: 10, endpoints: 100, queued: 0 };
  return {
    small: { payments: ten, maintenance: ten, events: ten, deliveries: ten, ...here },
    few: { payments: 200, maintenance: 200, events: 200, deliveries: 100, ...here },
    large: {
      payments: many,
      maintenance: many / 10,
      events: many / 5,
      deliveries: many,
      queued: 0,
      accounts: quick ? 100 : 1_000,
      endpoints: quick ? 1_000 : 10_000,
    },
  };
}

async function makeDatabase(
  postgres: BenchPostgres,
  name: string,
  sizes: Sizes,
  { say }: RunOptions,
): Promise<Database> {
  const started = performance.now();
  const { connection } = await postgres.createDatabase(name);
  // One, so that every statement finds the plan it had before. To fill the queue may take longer than any statement of the service.
  const db = connect({ connection, poolSize: 1, timeoutMs: 300_000, onError: console.error });
  await migrate(db);
  const client = new pg.Client(connection);
  await client.connect();
  await makeManyRecords(client, sizes);
  await client.end();
  await postgres.settle();
  const seconds = Math.round((performance.now() - started) / 1000);
  say(`${sizes.payments} payments, ${sizes.deliveries} finished deliveries made in ${seconds} s`);
  return db;
}

async function measureLists(databases: { small: Database; large: Database }, options: RunOptions) {
  const secretKey = 'only for this benchmark, 32 characters';
  const app = createApp({
    config: loadConfig({ SECRET_KEY: secretKey }, ''),
    db: databases.large,
    log: createLog('silent'),
    secretKey,
  });
  return timeLists(app, databases, options);
}

export interface QueueRuns {
  /** As many endpoints in both; what differs is how many deliveries are finished. */
  finished: { few: QueueTimes[]; large: QueueTimes[] };
  /** All endpoints have something queued. */
  endpoints: { few: QueueTimes[]; large: QueueTimes[] };
}

async function measureQueue(
  postgres: BenchPostgres,
  { few, large }: { few: Database; large: Database },
  sizes: ReturnType<typeof sizesFor>,
  { rounds, say }: RunOptions,
): Promise<QueueRuns> {
  const runs: QueueRuns = { finished: { few: [], large: [] }, endpoints: { few: [], large: [] } };
  const measure = async (db: Database, endpoints: number): Promise<QueueTimes> => {
    await postgres.settle();
    return timeQueue(db, postgres.pid, { endpoints, batches });
  };
  /** Each begins every other round. */
  const measureBoth = async (round: number, ofFew: number, ofLarge: number) => {
    if (round % 2 === 1) return { few: await measure(few, ofFew), large: await measure(large, ofLarge) };
    const last = await measure(large, ofLarge);
    return { few: await measure(few, ofFew), large: last };
  };
  for (let round = 0; round <= rounds; round++) {
    const found = {
      finished: await measureBoth(round, 100, 100),
      endpoints: await measureBoth(round, sizes.few.endpoints, sizes.large.endpoints),
    };
    if (round === 0) continue; // it warms up
    for (const kind of ['finished', 'endpoints'] as const)
      for (const size of ['few', 'large'] as const) runs[kind][size].push(found[kind][size]);
    const shown = (times: number[]) => `${spread(times).median.toFixed(1)} ms`;
    say(
      `round ${round}/${rounds}  claim ${shown(found.finished.few.claimMs)} and ${shown(found.finished.large.claimMs)}, ` +
        `settle ${shown(found.finished.few.settleMs)} and ${shown(found.finished.large.settleMs)}`,
    );
  }
  return runs;
}

function report(
  lists: ListTimes[],
  queue: QueueRuns,
  sizes: ReturnType<typeof sizesFor>,
  postgres: string,
): Findings {
  const times = (value: number) => `${value.toFixed(2)} ×`;
  const worst = Math.max(...lists.map(growth));
  const grown = (kind: keyof QueueRuns, what: 'claimMs' | 'settleMs') =>
    median(queue[kind].large, what) / median(queue[kind].few, what);
  const millions = sizes.large.payments.toLocaleString('en-US');
  return {
    intro: `The same account with ${sizes.small.payments.toLocaleString('en-US')} and with ${millions} payments, on one Postgres, each list asked with
every combination of its filters (read out of the table of routes), in turn. Where the small account has less than a page of what is asked for, both
are asked for as many records as it has. Claims and settles are the worker's own statements. \`test/plans.test.ts\` looks at the plans of all of them.`,
    settings: {
      payments: `${sizes.small.payments} and ${sizes.large.payments}`,
      'maintenance requests': `${sizes.small.maintenance} and ${sizes.large.maintenance}`,
      events: `${sizes.small.events} and ${sizes.large.events}`,
      'finished deliveries': `${sizes.few.deliveries} (lists: ${sizes.small.deliveries}) and ${sizes.large.deliveries}`,
      accounts: `${sizes.small.accounts} and ${sizes.large.accounts}`,
      'webhook endpoints': `${sizes.small.endpoints} and ${sizes.large.endpoints}`,
      'tenants and leases': '2,000 in both',
      'records on a page': 100,
    },
    versions: { postgres },
    bars: [
      bar(`p50 of a page of any list, ${lists.length} combinations, the worst`, '≤', most, worst, times),
      bar('Claim, by finished deliveries', '≤', most, grown('finished', 'claimMs'), times),
      bar('Settle, by finished deliveries', '≤', most, grown('finished', 'settleMs'), times),
      bar('Claim, by endpoints and accounts', '≤', most, grown('endpoints', 'claimMs'), times),
      bar('Settle, by endpoints and accounts', '≤', most, grown('endpoints', 'settleMs'), times),
    ],
    sections: [listSection(lists, most), queueSection(queue)],
  };
}

const median = (runs: QueueTimes[], what: 'claimMs' | 'settleMs'): number =>
  spread(runs.map((run) => spread(run[what]).median)).median;
