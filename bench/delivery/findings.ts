import { ratio, short, showSpread, spread } from '../lib/stats.ts';
import { type Bar, bar, type Findings, notMeasured, type Section } from '../lib/suite.ts';
import type { Sample } from './measure.ts';

export interface Shape {
  endpoints: number;
  samples: Map<string, Sample[]>;
}

export const names = {
  client: 'HTTP client alone',
  tunedClient: 'HTTP client alone, tuned',
  boss: 'pg-boss, batches by hand',
  bossWork: 'pg-boss, work()',
  graphile: 'graphile-worker',
  bull: 'BullMQ',
  tunedBoss: 'pg-boss, tuned as Tenure is',
  tunedGraphile: 'graphile-worker, tuned as Tenure is',
  tunedBull: 'BullMQ, tuned as Tenure is',
} as const;

const promises: [peer: string, atLeast: number][] = [
  [names.client, 0.65],
  [names.boss, 1.15],
  [names.bossWork, 1.5],
  [names.graphile, 2.4],
  [names.bull, 3.5],
];

const intro = `How many queued webhooks go out in a second, each signed and kept on a durable record. Timed from the start signal
until the receiver has every delivery and the database every record. Tenure runs as shipped (\`tenure worker\`: address
guard, fair lanes, the full attempt log). "HTTP client alone" sends bodies signed beforehand and keeps nothing.

Peers are written as one writes them, with what their documentation says about speed: undici's \`request\`, a signature by node:crypto, and
the record as their handlers allow it, one statement for a batch of jobs (pg-boss) or one for a job (graphile-worker, BullMQ). "Tuned as Tenure
is" gives them what Tenure's own sender and settler know and nobody gets with a job queue: undici's \`dispatch\`, an HMAC of two
hashes, rows of many jobs gathered for the record. That shows what Tenure's care for every delivery costs, and no bar is set
for it. How each is set up stands on top of its file in [bench/delivery/contenders](../bench/delivery/contenders).`;

export function findings(shapes: Shape[], withRedis: boolean): Pick<Findings, 'intro' | 'bars' | 'sections'> {
  return {
    intro,
    bars: shapes.flatMap((shape) =>
      promises.map(([peer, atLeast]) => promise(shape, peer, atLeast, withRedis)),
    ),
    sections: [...shapes.map(section), workers(shapes)],
  };
}

const titleOf = ({ endpoints }: Shape): string =>
  endpoints === 1 ? 'one endpoint' : `${endpoints} endpoints`;

function promise(shape: Shape, peer: string, atLeast: number, withRedis: boolean): Bar {
  const text = `Tenure to ${peer}, ${titleOf(shape)}`;
  if (peer === names.bull && !withRedis)
    return notMeasured(text, `≥ ${short(atLeast)} ×`, 'redis-server is not installed');
  const { median } = ratio(rates(shape, 'Tenure'), rates(shape, peer));
  return bar(text, '≥', atLeast, median, (value) => `${short(value)} ×`);
}

const rates = ({ samples }: Shape, name: string): number[] =>
  (samples.get(name) ?? []).map(({ count, seconds }) => count / seconds);

function section(shape: Shape): Section {
  const names = [...shape.samples.keys()].filter((name) => !name.includes('workers'));
  const count = [...shape.samples.values()][0]?.[0]?.count ?? 0;
  return {
    title: `To ${titleOf(shape)}`,
    tables: [
      {
        columns: [
          '',
          'deliveries/s',
          'Tenure is … × as quick',
          'to the client alone',
          'µs in its process',
          'µs in PostgreSQL',
          'µs in Redis',
        ],
        rows: names.map((name) => row(shape, name)),
      },
    ],
    plots: [
      {
        kind: 'bars',
        name: `delivery-${shape.endpoints}`,
        title: `${count.toLocaleString('en-US')} deliveries to ${titleOf(shape)}`,
        unit: 'deliveries per second',
        bars: names.map((name) => {
          const { median, min, max } = spread(rates(shape, name));
          return { label: name, value: median, low: min, high: max, ours: name === 'Tenure' };
        }),
      },
    ],
  };
}

function row(shape: Shape, name: string): string[] {
  const own = rates(shape, name);
  const cpu = (group: keyof Sample['cpu']) =>
    short(
      spread((shape.samples.get(name) ?? []).map((sample) => (sample.cpu[group] / sample.count) * 1e6))
        .median,
    );
  return [
    name === 'Tenure' ? '**Tenure**' : name,
    showSpread(spread(own)),
    name === 'Tenure' ? '1' : showSpread(ratio(rates(shape, 'Tenure'), own)),
    showSpread(ratio(own, rates(shape, names.client))),
    cpu('contender'),
    cpu('postgres'),
    name.startsWith('BullMQ') ? cpu('redis') : '–',
  ];
}

/** Several workers on one queue: none may hold up the others. On few cores there is little to win. */
function workers(shapes: Shape[]): Section {
  const several = shapes.flatMap((shape) =>
    [...shape.samples.keys()].filter((name) => name.includes('workers')).map((name) => ({ shape, name })),
  );
  return {
    title: 'Several workers on one queue',
    text: `All on this machine, which they share with PostgreSQL and the receiver: with every core taken by one worker already,
1 is what there is to reach.`,
    tables: [
      {
        columns: ['', 'deliveries/s', 'to one worker', 'µs in their processes', 'sent twice'],
        rows: several.map(({ shape, name }) => {
          const samples = shape.samples.get(name) ?? [];
          return [
            `${name}, ${titleOf(shape)}`,
            showSpread(spread(rates(shape, name))),
            showSpread(ratio(rates(shape, name), rates(shape, 'Tenure'))),
            short(spread(samples.map(({ cpu, count }) => (cpu.contender / count) * 1e6)).median),
            String(samples.reduce((sum, { repeats }) => sum + repeats, 0)),
          ];
        }),
      },
    ],
  };
}
