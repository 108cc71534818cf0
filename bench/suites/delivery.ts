import { alternate } from '../lib/rounds.ts';
import { type Bar, type RunOptions, ratioBar, type Section, type Suite, section } from '../lib/suite.ts';
import { inFlight } from '../webhooks/client.ts';
import { type DeliveryContender, measureDelivery, onStage, peer, type Stage } from '../webhooks/measure.ts';
import { tenureWorker } from '../webhooks/tenure-worker.ts';

const promises: [peer: string, atLeast: number][] = [
  ['HTTP client alone', 0.6],
  ['pg-boss, batches by hand', 1.15],
  ['pg-boss, work()', 1.3],
  ['graphile-worker', 2.4],
  ['BullMQ', 3.5],
];

export const suite: Suite = {
  title: 'Delivery throughput',
  rounds: 3,
  run: (options) =>
    onStage('delivery', ['pg-boss', 'graphile-worker', 'bullmq'], async (stage) => {
      const size = options.quick ? { count: 1_000, warmUp: 200 } : { count: 60_000, warmUp: 60_000 };
      const one = await measureShape(stage, { endpoints: 1, ...size }, options);
      const many = await measureShape(stage, { endpoints: 500, ...size }, options);
      return {
        intro,
        settings: {
          deliveries: size.count,
          'deliveries before, to warm up each process': size.warmUp,
          'in flight': inFlight,
        },
        bars: [...one.bars, ...many.bars],
        sections: [one.section, many.section],
      };
    }),
};

/** They send a third as many in the same time, or fewer. */
const slowPeers = new Set(['graphile-worker', 'BullMQ']);

const intro = `How many queued webhooks go out in a second, each signed and kept on a durable record. Timed from the
start signal until the receiver has every delivery and the database every record. Tenure runs as shipped (\`tenure
worker\`: address guard, fair lanes, the full attempt log, its own log in a file). "HTTP client alone" sends bodies
that were signed beforehand and keeps nothing. Peers are tuned as their documentation says, which stands on top of
their files in [bench/webhooks](../bench/webhooks), and keep one narrow row for each delivery. A worker runs for
weeks, but V8 takes tens of thousands of deliveries to compile all that it does for one: with 15,000 after 10,000
Tenure's took 91 to 102 µs for each, with 80,000 after 60,000 it took 78. graphile-worker and BullMQ, which take three
times as long, send a third of each number. Processor time is in microseconds for each delivery.`;

interface Size {
  endpoints: number;
  count: number;
  warmUp: number;
}

const thirdOf = ({ endpoints, count, warmUp }: Size): Size => ({
  endpoints,
  count: Math.ceil(count / 3),
  warmUp: Math.ceil(warmUp / 3),
});

async function measureShape(
  stage: Stage,
  size: Size,
  { rounds, say }: RunOptions,
): Promise<{ bars: Bar[]; section: Section }> {
  const to = size.endpoints === 1 ? 'one endpoint' : `${size.endpoints} endpoints`;
  const contenders = await makeContenders(stage, size.endpoints);
  try {
    const samples = await alternate(
      contenders.map((contender) => ({
        name: contender.name,
        measure: () =>
          measureDelivery(contender, stage, slowPeers.has(contender.name) ? thirdOf(size) : size),
      })),
      { rounds, say: (line) => say(`${to}, ${line}`) },
      { warmUp: false },
    );
    const plot = { name: `delivery-${size.endpoints}`, title: `Deliveries a second, to ${to}` };
    return {
      bars: promises.map(([name, atLeast]) =>
        ratioBar(`Tenure to ${name}, ${to}`, samples, 'perSecond', ['Tenure', name], ['≥', atLeast]),
      ),
      section: section(`To ${to}`, samples, columns, plot),
    };
  } finally {
    for (const contender of contenders) await contender.close();
  }
}

const columns = {
  perSecond: 'deliveries/s',
  processUs: 'µs in its process',
  postgresUs: 'µs in PostgreSQL',
  redisUs: 'µs in Redis',
};

const makeContenders = async (stage: Stage, endpoints: number): Promise<DeliveryContender[]> => [
  await peer('HTTP client alone', './client-alone.ts', '', stage),
  await tenureWorker(stage, endpoints),
  await peer('pg-boss, batches by hand', './pg-boss.ts', 'by hand', stage),
  await peer('pg-boss, work()', './pg-boss.ts', 'work', stage),
  await peer('graphile-worker', './graphile-worker.ts', 'throughput', stage),
  ...(stage.redis ? [await peer('BullMQ', './bullmq.ts', 'throughput', stage)] : []),
];
