import { ratio, type Spread, short, showSpread, spread } from '../lib/stats.ts';
import { type Bar, bar, type Findings } from '../lib/suite.ts';
import { apart, type Sample, together } from './suite.ts';

type Samples = Map<string, Sample[]>;
type Percentile = 'p50' | 'p95' | 'p99';

const intro = `How long after the commit of a write its webhook arrives, with little to do: a client that has its answer waits
this long for the rest of the world to hear of it. Every peer writes a row and its job in one transaction, as Tenure
does (BullMQ cannot, and adds its job after the commit), and the worker is in another process. Commit and receipt are timed by the clock that
all processes of a machine share. How each peer is set up stands on top of its file in
[bench/latency/contenders](../bench/latency/contenders).`;

export function findings(samples: Samples): Pick<Findings, 'intro' | 'bars' | 'sections'> {
  const names = [...samples.keys()];
  return {
    intro,
    bars: [apart, together].flatMap((name) => barsOf(samples, name)),
    sections: [
      {
        title: 'From commit to receipt',
        tables: [
          {
            columns: [
              '',
              'p50 ms',
              'p95 ms',
              'p99 ms',
              'µs in its processes',
              'µs in PostgreSQL',
              'µs in Redis',
            ],
            rows: names.map((name) => row(samples, name)),
          },
        ],
        plots: (['p50', 'p99'] as const).map((part) => ({
          kind: 'bars',
          name: `latency-${part}`,
          title: `Commit to receipt at 50 events a second, ${part}`,
          unit: 'milliseconds',
          // Beside a look every two seconds, all the others would be one line.
          bars: names
            .filter((name) => name !== 'pg-boss, polling')
            .map((name) => {
              const { median, min, max } = spread(values(samples, name, part));
              return { label: name, value: median, low: min, high: max, ours: isOurs(name) };
            }),
        })),
      },
    ],
  };
}

const isOurs = (name: string): boolean => name === apart || name === together;

const values = (samples: Samples, name: string, part: Percentile): number[] =>
  (samples.get(name) ?? []).map((sample) => sample[part]);

function barsOf(samples: Samples, name: string): Bar[] {
  const ms = (value: number) => `${short(value)} ms`;
  const median = (part: Percentile) => spread(values(samples, name, part)).median;
  const toBest = (part: Percentile) => {
    const [peer, { median: times }] = againstBest(samples, name, part);
    return bar(
      `${name}: ${part} to the best peer's (${peer})`,
      '≤',
      1.2,
      times,
      (value) => `${short(value)} ×`,
    );
  };
  return [
    bar(`${name}: p50`, '<', 5, median('p50'), ms),
    bar(`${name}: p99`, '<', 50, median('p99'), ms),
    toBest('p50'),
    toBest('p99'),
  ];
}

/** The peer that is quickest by its median, and our ratio to it. */
function againstBest(samples: Samples, name: string, part: Percentile): [peer: string, Spread] {
  const [best] = [...samples.keys()]
    .filter((peer) => !isOurs(peer))
    .sort((a, b) => spread(values(samples, a, part)).median - spread(values(samples, b, part)).median);
  if (best === undefined) throw new Error('There is no peer.');
  return [best, ratio(values(samples, name, part), values(samples, best, part))];
}

function row(samples: Samples, name: string): string[] {
  const cpu = (group: keyof Sample['cpu']) =>
    short(spread((samples.get(name) ?? []).map((sample) => (sample.cpu[group] / sample.count) * 1e6)).median);
  return [
    isOurs(name) ? `**${name}**` : name,
    ...(['p50', 'p95', 'p99'] as const).map((part) => showSpread(spread(values(samples, name, part)))),
    cpu('contender'),
    cpu('postgres'),
    name === 'BullMQ' ? cpu('redis') : '–',
  ];
}
