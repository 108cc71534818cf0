import { setTimeout as sleep } from 'node:timers/promises';
import { watchCpu } from '../lib/cpu.ts';
import { openPostgres } from '../lib/postgres.ts';
import { type Receiver, startReceiver } from '../lib/receiver.ts';
import { openRedis } from '../lib/redis.ts';
import { alternate } from '../lib/rounds.ts';
import type { RunOptions, Suite } from '../lib/suite.ts';
import { versionsOf } from '../lib/versions.ts';
import { inFlight } from '../peers/webhooks.ts';
import { type DeliveryContender, peer, type Running, type Stage } from './contender.ts';
import { findings, names, type Shape } from './findings.ts';
import { tenure } from './tenure.ts';

/** What one contender did in one round. Processor time is in seconds. */
export interface Sample {
  count: number;
  seconds: number;
  cpu: { contender: number; postgres: number; redis: number; receiver: number };
  /** More requests than deliveries: some arrived twice. */
  repeats: number;
}

const receiverPatienceMs = 170_000;
const recordPatienceMs = 20_000;

export const suite: Suite = {
  title: 'Delivery throughput',
  async run(options) {
    const count = options.quick ? 1_000 : 20_000;
    const warmUp = options.quick ? 200 : 20_000;
    const postgres = await openPostgres('delivery');
    const redis = await openRedis();
    const receiver = await startReceiver();
    const stage = { postgres, redis };
    try {
      const shapes: Shape[] = [];
      for (const endpoints of [1, 500]) {
        const samples = await measureShape(stage, receiver, { endpoints, count, warmUp }, options);
        shapes.push({ endpoints, samples });
      }
      return {
        ...findings(shapes, redis !== null),
        settings: {
          deliveries: count,
          'in flight': inFlight,
          'deliveries before, to warm up the process': warmUp,
          'connections of a pool': 10,
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

interface Size {
  endpoints: number;
  count: number;
  warmUp: number;
}

async function measureShape(
  stage: Stage,
  receiver: Receiver,
  size: Size,
  { rounds, say }: RunOptions,
): Promise<Map<string, Sample[]>> {
  const contenders = await makeContenders(stage, receiver.base, size.endpoints);
  try {
    return await alternate(
      contenders.map((contender) => ({
        name: contender.name,
        measure: () => measure(contender, stage, receiver, size),
      })),
      {
        rounds,
        say: (line) =>
          say(`${size.endpoints === 1 ? 'one endpoint' : `${size.endpoints} endpoints`}, ${line}`),
      },
      ({ count, seconds, cpu }) =>
        `${Math.round(count / seconds)}/s, cpu ${Math.round((cpu.contender / count) * 1e6)} + ${Math.round((cpu.postgres / count) * 1e6)} µs`,
    );
  } finally {
    for (const contender of contenders) await contender.close();
  }
}

async function makeContenders(stage: Stage, base: string, endpoints: number): Promise<DeliveryContender[]> {
  const [one, ...several] = await tenure(stage, { endpoints, base }, endpoints === 1 ? [1] : [1, 2, 4]);
  return [
    await peer(names.client, 'ceiling.ts', stage),
    await peer(names.tunedClient, 'ceiling.ts', stage, { tuned: true }),
    ...(one ? [one] : []),
    await peer(names.boss, 'pg-boss-fetch.ts', stage),
    await peer(names.bossWork, 'pg-boss-work.ts', stage),
    await peer(names.graphile, 'graphile-worker.ts', stage),
    ...(stage.redis ? [await peer(names.bull, 'bullmq.ts', stage)] : []),
    await peer(names.tunedBoss, 'pg-boss-fetch.ts', stage, { tuned: true }),
    await peer(names.tunedGraphile, 'graphile-worker.ts', stage, { tuned: true }),
    ...(stage.redis ? [await peer(names.tunedBull, 'bullmq.ts', stage, { tuned: true })] : []),
    ...several,
  ];
}

/**
 * A process of its own, warmed up; then the load, from the start signal until all is on record. A worker runs for weeks, but
 * Node is still compiling what it does for a good while after the start, which costs those most that do most.
 */
async function measure(
  contender: DeliveryContender,
  { postgres, redis }: Stage,
  receiver: Receiver,
  { endpoints, count, warmUp }: Size,
): Promise<Sample> {
  const running = await contender.start();
  const deliver = async (load: number) => {
    await receiver.reset();
    // Before the load, not after it: pages touched first after a checkpoint are written to the log whole.
    await postgres.settle();
    await running.enqueue({ count: load, endpoints, base: receiver.base });
    const cpu = watchCpu({
      contender: running.pids,
      postgres: [postgres.pid],
      redis: redis ? [redis.pid] : [],
      receiver: [receiver.pid],
    });
    const startedAt = performance.now();
    const arrived = receiver.received(load, receiverPatienceMs);
    await running.go();
    const { requests } = await arrived;
    await recordedAll(running, load);
    const seconds = (performance.now() - startedAt) / 1000;
    const sample: Sample = { count: load, seconds, cpu: cpu(), repeats: requests - load };
    await running.halt();
    const recorded = await running.recorded();
    if (recorded !== null && recorded !== load)
      throw new Error(`${contender.name}: ${load} deliveries were queued, ${recorded} are on record.`);
    return sample;
  };
  try {
    await deliver(warmUp);
    return await deliver(count);
  } finally {
    await running.stop();
  }
}

/** The last results are written down a moment after their receipt. Whoever loses some is found out by the check after. */
async function recordedAll(running: Running, count: number): Promise<void> {
  const givesUpAt = performance.now() + recordPatienceMs;
  while (performance.now() < givesUpAt) {
    const recorded = await running.recorded();
    if (recorded === null || recorded >= count) return;
    await sleep(5);
  }
}
