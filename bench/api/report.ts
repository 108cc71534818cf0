import { ratio, short, showSpread, spread } from '../lib/stats.ts';
import type { Section } from '../lib/suite.ts';

export const shapes = { list: 'List of 100 payments', create: 'Create a payment' } as const;

export interface Sample {
  requests: number;
  perSecond: number;
  /** Processor time per request. */
  serverUs: number;
  postgresUs: number;
  p50Ms: number;
  p99Ms: number;
}

/** One kind of request: what each contender managed, and how that compares with ours round by round. */
export function sectionOf(shape: keyof typeof shapes, samples: Map<string, Sample[]>, ours: string): Section {
  const of = (name: string, field: keyof Sample) => (samples.get(name) ?? []).map((sample) => sample[field]);
  const contenders = [...samples.keys()];
  return {
    title: shapes[shape],
    tables: [
      {
        columns: [
          'Contender',
          'Requests per second',
          'Tenure to it',
          'Processor time per request, server',
          'Postgres',
          'p50',
          'p99',
        ],
        rows: contenders.map((name) => [
          name,
          showSpread(spread(of(name, 'perSecond'))),
          name === ours ? '–' : showSpread(ratio(of(ours, 'perSecond'), of(name, 'perSecond'))),
          `${short(spread(of(name, 'serverUs')).median)} µs`,
          `${short(spread(of(name, 'postgresUs')).median)} µs`,
          `${short(spread(of(name, 'p50Ms')).median)} ms`,
          `${short(spread(of(name, 'p99Ms')).median)} ms`,
        ]),
      },
    ],
    plots: [
      {
        kind: 'bars',
        name: `api-${shape}`,
        title: shapes[shape],
        unit: 'requests per second',
        bars: contenders.map((name) => {
          const { median, min, max } = spread(of(name, 'perSecond'));
          return { label: name, value: median, low: min, high: max, ours: name === ours };
        }),
      },
    ],
  };
}
