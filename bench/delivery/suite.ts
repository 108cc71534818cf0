import { openPostgres } from '../lib/postgres.ts';
import { type Receiver, startReceiver } from '../lib/receiver.ts';
import { openRedis } from '../lib/redis.ts';
import { alternate } from '../lib/rounds.ts';
import type { RunOptions, Suite } from '../lib/suite.ts';
import { versionsOf } from '../lib/versions.ts';
import { inFlight } from '../peers/webhooks.ts';
import { type DeliveryContender, peer, type Stage } from './contender.ts';
import { findings, names, type Shape } from './findings.ts';
import { measure, type Sample, type Size } from './measure.ts';
import { tenure } from './tenure.ts';

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
