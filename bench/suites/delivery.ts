import { alternate } from '../lib/rounds.ts';
import { type Bar, type RunOptions, ratioBar, type Section, type Suite, section } from '../lib/suite.ts';
import { inFlight } from '../webhooks/client.ts';
import { type DeliveryContender, measureDelivery, openStage, peer, type Stage } from '../webhooks/measure.ts';
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
  async run(options) {
    await using stage = await openStage('delivery', ['pg-boss', 'graphile-worker', 'bullmq']);
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
      versions: stage.versions,
      bars: [...one.bars, ...many.bars],
      sections: [one.section, many.section],
    };
  },
};

const intro = `How many queued webhooks go out in a second, each signed and kept on a durable record. Timed from the
start signal until the receiver has every delivery and the database every record. Tenure runs as shipped (\`tenure
worker\`: address guard, fair lanes, the full attempt log, its own log in a file). "HTTP client alone" sends bodies
that were signed beforehand and keeps nothing. Peers are tuned as their documentation says, which stands on top of
their files in [bench/webhooks](../bench/webhooks), and keep one narrow row for each delivery. A worker runs for
weeks, but V8 takes tens of thousands of deliveries to compile all that it does for one: with 15,000 after 10,000
Tenure's took 91 to 102 µs for each, with 80,000 after 60,000 it took 78. graphile-worker and BullMQ, which take three
times as long, send a third of each number. Processor time is in microseconds for each delivery.`;

/** They send a third as many in the same time, or fewer. */
const slowPeers = ['graphile-worker', 'BullMQ'];

async function measureShape(
  stage: Stage,
  { endpoints, count, warmUp }: { endpoints: number; count: number; warmUp: number },
  { rounds, say }: RunOptions,
): Promise<{ bars: Bar[]; section: Section }> {
  const to = endpoints === 1 ? 'one endpoint' : `${endpoints} endpoints`;
  await using opened = new AsyncDisposableStack();
  const contenders = (await makeContenders(stage, endpoints)).map((contender) => {
    const part = slowPeers.includes(contender.name) ? 3 : 1;
    const size = { endpoints, count: Math.ceil(count / part), warmUp: Math.ceil(warmUp / part) };
    return { name: opened.use(contender).name, measure: () => measureDelivery(contender, stage, size) };
  });
  const options = { rounds, say: (line: string) => say(`${to}, ${line}`) };
  const samples = await alternate(contenders, options, { warmUp: false });
  const plot = { name: `delivery-${endpoints}`, title: `Deliveries a second, to ${to}` };
  return {
    bars: promises.map(([name, atLeast]) =>
      ratioBar(`Tenure to ${name}, ${to}`, samples, 'perSecond', ['Tenure', name], ['≥', atLeast]),
    ),
    section: section(`To ${to}`, samples, columns, plot),
  };
}

const columns = {
  perSecond: 'deliveries/s',
  processUs: 'µs in its process',
  postgresUs: 'µs in PostgreSQL',
  redisUs: 'µs in Redis',
};

const makeContenders = async (stage: Stage, endpoints: number): Promise<DeliveryContender[]> => [
  await peer(stage, 'HTTP client alone', 'client-alone', ''),
  await tenureWorker(stage, endpoints),
  await peer(stage, 'pg-boss, batches by hand', 'pg-boss', 'by hand'),
  await peer(stage, 'pg-boss, work()', 'pg-boss', 'work'),
  await peer(stage, 'graphile-worker', 'graphile-worker', 'throughput'),
  ...(stage.redis ? [await peer(stage, 'BullMQ', 'bullmq', 'throughput')] : []),
];
