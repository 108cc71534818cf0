import type { Stage } from '../delivery/contender.ts';
import { startChild } from '../lib/child.ts';
import { watchCpu } from '../lib/cpu.ts';
import { openPostgres } from '../lib/postgres.ts';
import { type Receiver, startReceiver } from '../lib/receiver.ts';
import { openRedis } from '../lib/redis.ts';
import { alternate } from '../lib/rounds.ts';
import { percentile } from '../lib/stats.ts';
import type { Suite } from '../lib/suite.ts';
import { versionsOf } from '../lib/versions.ts';
import { findings } from './findings.ts';
import type { Commits, Pace, Role } from './pace.ts';

/** Milliseconds from commit to receipt in one round, and seconds of processor time. */
export interface Sample {
  count: number;
  p50: number;
  p95: number;
  p99: number;
  cpu: { contender: number; postgres: number; redis: number };
}

interface Entry {
  name: string;
  file: string;
  /** The writer does the work as well. */
  together?: boolean;
  needsRedis?: boolean;
}

export const apart = 'Tenure, API and worker apart';
export const together = 'Tenure, in one process';

const entries: Entry[] = [
  { name: apart, file: 'tenure.ts' },
  { name: together, file: 'tenure.ts', together: true },
  { name: 'pg-boss, LISTEN', file: 'pg-boss.ts' },
  { name: 'pg-boss, polling', file: 'pg-boss-polling.ts' },
  { name: 'graphile-worker', file: 'graphile-worker.ts' },
  { name: 'BullMQ', file: 'bullmq.ts', needsRedis: true },
];

const perSecond = 50;

export const suite: Suite = {
  title: 'Delivery latency',
  async run({ quick, rounds, say }) {
    const seconds = quick ? 2 : 10;
    const pace = { perSecond, count: perSecond * seconds };
    const warmUp = { perSecond: 8 * perSecond, count: (quick ? 2 : 40) * perSecond };
    const postgres = await openPostgres('latency');
    const redis = await openRedis();
    const receiver = await startReceiver();
    const stage = { postgres, redis };
    try {
      const samples = await alternate(
        entries
          .filter(({ needsRedis }) => !needsRedis || redis !== null)
          .map((entry) => ({
            name: entry.name,
            measure: () => measure(entry, stage, receiver, { warmUp, pace }),
          })),
        { rounds, say },
        ({ p50, p99 }) => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
      );
      return {
        ...findings(samples),
        settings: {
          'events per second': perSecond,
          'seconds a round': seconds,
          'events before, to warm up the processes': warmUp.count,
          endpoints: 1,
        },
        versions: {
          postgres: postgres.version,
          ...(redis ? { redis: redis.version } : {}),
          ...versionsOf('undici', 'pg-boss', 'graphile-worker', 'bullmq'),
        },
      };
    } finally {
      await receiver.stop();
      await redis?.stop();
      await postgres.stop();
    }
  },
};

/** Fresh processes on a fresh database, warmed up. */
async function measure(
  entry: Entry,
  { postgres, redis }: Stage,
  receiver: Receiver,
  { warmUp, pace }: { warmUp: Pace; pace: Pace },
): Promise<Sample> {
  const database = await postgres.createDatabase('latency');
  const module = new URL(`./contenders/${entry.file}`, import.meta.url);
  const role = { database: database.url, redis: redis?.path ?? null, base: receiver.base };
  // The worker first: it makes the tables that the writer needs.
  const worker = entry.together ? null : startChild(module);
  const writer = startChild(module);
  const processes = worker ? [writer, worker] : [writer];
  try {
    await worker?.call('setup', { ...role, role: 'work' } satisfies Role);
    await writer.call('setup', { ...role, role: entry.together ? 'both' : 'write' } satisfies Role);
    const write = async (part: Pace) => {
      await receiver.reset();
      const arrived = receiver.received(part.count);
      const commits = await writer.call<Commits>('write', part);
      await arrived;
      return commits;
    };
    await write(warmUp);
    await postgres.settle();
    const cpu = watchCpu({
      contender: processes.map(({ pid }) => pid),
      postgres: [postgres.pid],
      redis: redis ? [redis.pid] : [],
    });
    const commits = await write(pace);
    const used = cpu();
    const times = await receiver.times();
    const byDelivery = entry.file === 'tenure.ts' ? await translated(writer, commits) : commits;
    const waits = Object.entries(byDelivery).map(([id, at]) => Math.max(0, (times[id] ?? Number.NaN) - at));
    if (waits.length !== pace.count || waits.some(Number.isNaN))
      throw new Error(`${entry.name}: ${pace.count} were written, ${waits.length} found again.`);
    for (const process of processes) await process.call('stop', null, 20_000).catch(() => undefined);
    return {
      count: pace.count,
      p50: percentile(waits, 0.5),
      p95: percentile(waits, 0.95),
      p99: percentile(waits, 0.99),
      cpu: used,
    };
  } finally {
    for (const process of processes) await process.stop();
    await database.drop();
  }
}

/** The last receipts are on record only a moment later. */
async function translated(writer: ReturnType<typeof startChild>, commits: Commits): Promise<Commits> {
  const wanted = Object.keys(commits).length;
  for (let tries = 0; tries < 100; tries++) {
    const found = await writer.call<Commits>('translate', commits);
    if (Object.keys(found).length === wanted) return found;
  }
  throw new Error('Not every delivery is on record.');
}
