import { startChild } from '../lib/child.ts';
import { watchCpu } from '../lib/cpu.ts';
import { openPostgres } from '../lib/postgres.ts';
import { alternate } from '../lib/rounds.ts';
import { percentile, ratio, short, showSpread, spread } from '../lib/stats.ts';
import { bar, type Findings, type Suite } from '../lib/suite.ts';

interface Scene {
  name: string;
  hanging: number;
  /** For each of them. */
  queued: number;
  /** Whether a p95 within twice the quiet one is promised. */
  promised: boolean;
}

const scenes: Scene[] = [
  { name: 'quiet', hanging: 0, queued: 0, promised: false },
  { name: 'one hanging, 10,000 queued', hanging: 1, queued: 10_000, promised: true },
  { name: 'ten hanging, 1,000 queued each', hanging: 10, queued: 1_000, promised: true },
  { name: '200 hanging, 100 queued each', hanging: 200, queued: 100, promised: false },
];

interface Sample {
  deliveries: number;
  p50: number;
  p95: number;
  /** In seconds. The worker's process holds the writer and the receiver too. */
  cpu: { process: number; postgres: number };
}

const intro = `Does an endpoint that hangs delay the others? Every delivery to twenty healthy endpoints is timed from commit
to receipt: alone, and beside endpoints that take requests, never answer and have a backlog. The promise is a p95
within twice the quiet one, beside one such endpoint and beside ten; two hundred at once take more slots than a worker
has, and are shown for what comes of it.`;

export const suite: Suite = {
  title: 'Fairness',
  async run({ quick, rounds, say }) {
    const postgres = await openPostgres('fairness');
    const database = await postgres.createDatabase('fairness');
    const service = startChild(new URL('./service.ts', import.meta.url));
    const events = quick ? 20 : 100;
    try {
      await service.call('setup', database.url);
      const measure = async ({ hanging, queued }: Scene): Promise<Sample> => {
        await service.call('hang', { count: hanging, queued: quick ? Math.ceil(queued / 10) : queued });
        const cpu = watchCpu({ process: [service.pid], postgres: [postgres.pid] });
        const times = await service.call<number[]>('measure', events);
        const used = cpu();
        await service.call('release');
        return {
          deliveries: times.length,
          p50: percentile(times, 0.5),
          p95: percentile(times, 0.95),
          cpu: used,
        };
      };
      const samples = await alternate(
        scenes.map((scene) => ({ name: scene.name, measure: () => measure(scene) })),
        { rounds, say },
        ({ p50, p95 }) => `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
      );
      return {
        ...findings(samples),
        settings: {
          'healthy endpoints': 20,
          'events a round': events,
          'milliseconds from one to the next': 40,
          'slots of the worker': 128,
        },
        versions: { postgres: postgres.version },
      };
    } finally {
      await service.stop();
      await postgres.stop();
    }
  },
};

function findings(samples: Map<string, Sample[]>): Pick<Findings, 'intro' | 'bars' | 'sections'> {
  const p95s = (name: string) => (samples.get(name) ?? []).map(({ p95 }) => p95);
  const toQuiet = (name: string) => ratio(p95s(name), p95s('quiet'));
  return {
    intro,
    bars: scenes
      .filter(({ promised }) => promised)
      .map(({ name }) =>
        bar(
          `p95 of healthy endpoints, ${name}`,
          '≤',
          2,
          toQuiet(name).median,
          (value) => `${short(value)} × the quiet one`,
        ),
      ),
    sections: [
      {
        title: 'Healthy endpoints beside hanging ones',
        tables: [
          {
            columns: ['', 'p50 ms', 'p95 ms', 'p95 to quiet', 'µs in the process', 'µs in PostgreSQL'],
            rows: scenes.map(({ name }) => {
              const all = samples.get(name) ?? [];
              const cpu = (group: keyof Sample['cpu']) =>
                short(spread(all.map((sample) => (sample.cpu[group] / sample.deliveries) * 1e6)).median);
              return [
                name,
                showSpread(spread(all.map(({ p50 }) => p50))),
                showSpread(spread(p95s(name))),
                showSpread(toQuiet(name)),
                cpu('process'),
                cpu('postgres'),
              ];
            }),
          },
        ],
        plots: [
          {
            kind: 'bars',
            name: 'fairness',
            title: 'Commit to receipt at healthy endpoints, p95',
            unit: 'milliseconds',
            bars: scenes.map(({ name }) => {
              const { median, min, max } = spread(p95s(name));
              return { label: name, value: median, low: min, high: max, ours: name !== 'quiet' };
            }),
          },
        ],
      },
    ],
  };
}
