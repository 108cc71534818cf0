import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Child, startChild } from '../lib/child.ts';
import { watchCpu } from '../lib/cpu.ts';
import { versionsOf } from '../lib/machine.ts';
import { type BenchPostgres, openPostgres } from '../lib/postgres.ts';
import { type Receiver, startReceiver } from '../lib/receiver.ts';
import { type BenchRedis, openRedis } from '../lib/redis.ts';
import { countRows } from './endpoints.ts';
import type { Given } from './peer.ts';
import type { Load } from './workload.ts';

/** What all contenders share. */
export interface Stage extends AsyncDisposable {
  postgres: BenchPostgres;
  /** If BullMQ is among the peers, and Redis is installed. */
  redis: BenchRedis | null;
  receiver: Receiver;
  versions: Record<string, string>;
}

export async function openStage(name: string, peers: string[] = []): Promise<Stage> {
  await using opened = new AsyncDisposableStack();
  const postgres = opened.use(await openPostgres(name));
  const redis = opened.use(peers.includes('bullmq') ? await openRedis() : null);
  const receiver = opened.use(await startReceiver());
  const servers = { postgres: postgres.version, ...(redis && { redis: redis.version }) };
  const versions = { ...servers, ...versionsOf('undici', ...peers) };
  const kept = opened.move();
  return { postgres, redis, receiver, versions, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** A contender, started anew in every round. */
export interface DeliveryContender extends AsyncDisposable {
  name: string;
  start(): Promise<Running>;
}

export interface Running extends AsyncDisposable {
  pid: number;
  /** An empty queue and record, then the load. Nothing goes out yet. */
  enqueue(load: Load): Promise<void>;
  /** The time is taken from here on. */
  go(): Promise<void>;
  /** How many deliveries of the load are on record; null where none is kept. */
  recorded(): Promise<number | null>;
  /** Stops working, so that the next load can be queued undisturbed. */
  halt(): Promise<void>;
}

const recordPatienceMs = 20_000;

type DeliverySample = Record<'perSecond' | 'processUs' | 'postgresUs' | 'redisUs', number>;

/**
 * Its own process, warmed up; then the load, from the start signal until everything is recorded. A worker runs for
 * weeks, but Node is still compiling what it does for a good while after the start, which costs most those that do
 * most: with 2,000 deliveries to warm up, the client alone made 10,000 a second instead of 12,800.
 */
export async function measureDelivery(
  contender: DeliveryContender,
  { postgres, redis, receiver }: Stage,
  { endpoints, count, warmUp }: Load & { warmUp: number },
): Promise<DeliverySample> {
  await using running = await contender.start();
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
    const arrived = receiver.received(load);
    await running.go();
    await arrived;
    const recorded = await recordedOf(running, load);
    const seconds = (performance.now() - startedAt) / 1000;
    const used = cpu(load);
    await running.halt();
    if (recorded !== load)
      throw new Error(`${contender.name}: ${load} deliveries were queued, ${recorded} are on record.`);
    return {
      perSecond: load / seconds,
      processUs: used.process,
      postgresUs: used.postgres,
      redisUs: contender.name === 'BullMQ' ? used.redis : 0,
    };
  };
  await deliver(warmUp);
  return await deliver(count);
}

/** The last results are written a moment after their receipt. */
async function recordedOf(running: Running, count: number): Promise<number> {
  const givesUpAt = performance.now() + recordPatienceMs;
  for (;;) {
    const recorded = (await running.recorded()) ?? count;
    if (recorded >= count || performance.now() > givesUpAt) return recorded;
    await sleep(5);
  }
}

/** A peer in a process of its own, on a database of its own. */
export async function peer(
  stage: Stage,
  name: string,
  file: string,
  mode: string,
): Promise<DeliveryContender> {
  const database = await stage.postgres.createDatabase(name.toLowerCase().replace(/\W+/g, '_'));
  const pool = new pg.Pool({ ...database.connection, max: 1 });
  const recorded = async () =>
    file === 'client-alone' ? null : countRows(pool, 'delivery_record where status between 200 and 299');
  return {
    name,
    async start() {
      const child = await startContender(stage, file, { database: database.url, mode });
      return {
        pid: child.pid,
        enqueue: (load) => child.call('enqueue', load),
        go: () => child.call('go'),
        recorded,
        halt: () => child.call('halt'),
        [Symbol.asyncDispose]: child[Symbol.asyncDispose],
      };
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}

/** `webhooks/<file>.ts`, set up. */
export async function startContender(
  { redis, receiver }: Stage,
  file: string,
  given: Pick<Given, 'database' | 'mode' | 'endpoints'>,
): Promise<Child> {
  const child = startChild(new URL(`${file}.ts`, import.meta.url));
  await child.call('setup', { ...given, redis: redis?.path ?? null, base: receiver.base } satisfies Given);
  return child;
}
