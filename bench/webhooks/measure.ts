import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startChild } from '../lib/child.ts';
import { watchCpu } from '../lib/cpu.ts';
import { versionsOf } from '../lib/machine.ts';
import { type BenchPostgres, openPostgres } from '../lib/postgres.ts';
import { type Receiver, startReceiver } from '../lib/receiver.ts';
import { type BenchRedis, openRedis } from '../lib/redis.ts';
import type { Findings } from '../lib/suite.ts';
import { countRows } from './endpoints.ts';
import type { Given } from './peer.ts';
import type { Load } from './workload.ts';

/** What all contenders share. */
export interface Stage {
  postgres: BenchPostgres;
  redis: BenchRedis | null;
  receiver: Receiver;
}

/**
 * Opens the stage, for Redis' users too where that is asked for, and adds the versions of what was measured on it.
 */
export async function onStage(
  name: string,
  peers: string[],
  measure: (stage: Stage) => Promise<Omit<Findings, 'versions'>>,
): Promise<Findings> {
  const postgres = await openPostgres(name);
  const redis = peers.includes('bullmq') ? await openRedis() : null;
  const receiver = await startReceiver();
  try {
    const found = await measure({ postgres, redis, receiver });
    const servers = { postgres: postgres.version, ...(redis && { redis: redis.version }) };
    return { ...found, versions: { ...servers, ...versionsOf('undici', ...peers) } };
  } finally {
    await receiver.stop();
    await redis?.stop();
    await postgres.stop();
  }
}

/** One that is measured: started anew in every round. */
export interface DeliveryContender {
  name: string;
  start(): Promise<Running>;
  close(): Promise<void>;
}

export interface Running {
  pid: number;
  /** An empty queue and record, then the load. Nothing goes out yet. */
  enqueue(load: Load): Promise<void>;
  /** From here on it is timed. */
  go(): Promise<void>;
  /** How many deliveries of the load are on record; null where none is kept. */
  recorded(): Promise<number | null>;
  /** No more is worked on, so that the next load can be queued in peace. */
  halt(): Promise<void>;
  stop(): Promise<void>;
}

const receiverPatienceMs = 170_000;
const recordPatienceMs = 20_000;

type DeliverySample = Record<'perSecond' | 'processUs' | 'postgresUs' | 'redisUs', number>;

/**
 * A process of its own, warmed up; then the load, from the start signal until all is on record. A worker runs for
 * weeks, but Node is still compiling what it does for a good while after the start, which costs those most that do
 * most: with 2,000 deliveries to warm up, the client alone made 10,000 a second instead of 12,800.
 */
export async function measureDelivery(
  contender: DeliveryContender,
  { postgres, redis, receiver }: Stage,
  { endpoints, count, warmUp }: Load & { warmUp: number },
): Promise<DeliverySample> {
  const running = await contender.start();
  const deliver = async (load: number): Promise<DeliverySample> => {
    await receiver.reset();
    // Before the load, not after it: pages touched first after a checkpoint are written to the log whole.
    await postgres.settle();
    await running.enqueue({ count: load, endpoints });
    const cpu = watchCpu({
      process: [running.pid],
      postgres: [postgres.pid],
      redis: redis ? [redis.pid] : [],
    });
    const startedAt = performance.now();
    const arrived = receiver.received(load, receiverPatienceMs);
    await running.go();
    await arrived;
    await recordedAll(running, load);
    const seconds = (performance.now() - startedAt) / 1000;
    const used = cpu();
    await running.halt();
    const recorded = await running.recorded();
    if (recorded !== null && recorded !== load)
      throw new Error(`${contender.name}: ${load} deliveries were queued, ${recorded} are on record.`);
    const each = (spent: number) => (spent / load) * 1e6;
    return {
      perSecond: load / seconds,
      processUs: each(used.process),
      postgresUs: each(used.postgres),
      redisUs: contender.name === 'BullMQ' ? each(used.redis) : 0,
    };
  };
  try {
    await deliver(warmUp);
    return await deliver(count);
  } finally {
    await running.stop();
  }
}

/** The last results are written a moment after their receipt. Whoever loses some is found out by the check after. */
async function recordedAll(running: Running, count: number): Promise<void> {
  const givesUpAt = performance.now() + recordPatienceMs;
  while (performance.now() < givesUpAt) {
    const recorded = await running.recorded();
    if (recorded === null || recorded >= count) return;
    await sleep(5);
  }
}

/** A peer: `webhooks/<file>` in a process of its own, on a database of its own. */
export async function peer(
  name: string,
  file: string,
  mode: string,
  stage: Stage,
): Promise<DeliveryContender> {
  const database = await stage.postgres.createDatabase(name.toLowerCase().replace(/\W+/g, '_'));
  const pool = new pg.Pool({ ...database.connection, max: 1 });
  return {
    name,
    async start() {
      const child = startChild(new URL(file, import.meta.url));
      await child.call('setup', givenTo(stage, database.url, mode));
      return {
        pid: child.pid,
        enqueue: (load) => child.call('enqueue', load),
        go: () => child.call('go'),
        recorded: async () =>
          file === './client-alone.ts'
            ? null
            : countRows(pool, 'delivery_record where status between 200 and 299'),
        halt: () => child.call('halt'),
        stop: () => child.stop(),
      };
    },
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}

export const givenTo = ({ redis, receiver }: Stage, database: string, mode: string): Given => ({
  database,
  redis: redis?.path ?? null,
  base: receiver.base,
  mode,
});
