import { short, showSpread, spread } from '../lib/stats.ts';
import type { Section } from '../lib/suite.ts';
import { growth, type ListTimes } from './lists.ts';
import type { QueueTimes } from './queue.ts';
import type { QueueRuns } from './suite.ts';

const shownWorst = 10;

export function listSection(lists: ListTimes[], most: number): Section {
  const worst = [...lists].sort((a, b) => growth(b) - growth(a)).slice(0, shownWorst);
  const slowest = [...lists].sort((a, b) => b.largeMs - a.largeMs).slice(0, shownWorst);
  const paths = [...new Set(lists.map(({ path }) => path))];
  const over = lists.filter((times) => growth(times) > most).length;
  return {
    title: 'Lists',
    text: `${lists.length} combinations; ${over === 0 ? 'none' : over} of them take more than ${most} times as long. First by list, then the ten that grow most, then the ten that take longest.`,
    tables: [
      {
        columns: ['List', 'Combinations', 'p50, small', 'p50, large', 'Grown, median (min–max)'],
        rows: paths.map((path) => {
          const own = lists.filter((times) => times.path === path);
          return [
            `\`${path}\``,
            String(own.length),
            ms(spread(own.map(({ smallMs }) => smallMs)).median),
            ms(spread(own.map(({ largeMs }) => largeMs)).median),
            showSpread(spread(own.map(growth))),
          ];
        }),
      },
      table(worst),
      table(slowest),
    ],
    plots: [
      {
        kind: 'bars',
        name: 'growth-lists',
        title: 'A page with millions of payments, to one with ten thousand',
        unit: 'times as long (median, and from the least to the most of all combinations)',
        bars: paths.map((path) => {
          const { median, min, max } = spread(lists.filter((times) => times.path === path).map(growth));
          return { label: path, value: median, low: min, high: max, ours: true };
        }),
      },
    ],
  };
}

const table = (lists: ListTimes[]) => ({
  columns: ['Request', 'Records', 'p50, small', 'p50, large', 'Grown'],
  rows: lists.map((times) => [
    `\`${times.label}\``,
    String(times.count),
    ms(times.smallMs),
    ms(times.largeMs),
    `${growth(times).toFixed(2)} ×`,
  ]),
});

export function queueSection({ finished, endpoints }: QueueRuns): Section {
  const row = (name: string, runs: QueueTimes[]) => [
    name,
    showSpread(spread(runs.map((run) => spread(run.claimMs).median)), ms),
    showSpread(spread(runs.map((run) => spread(run.settleMs).median)), ms),
    `${short(spread(runs.map((run) => run.postgresUs)).median)} µs`,
  ];
  return {
    title: 'Claim and settle',
    text: 'Batches of 100 deliveries: claimed, with their endpoints and bodies read, and settled. The median of a round, over all rounds.',
    tables: [
      {
        columns: ['', 'Claim', 'Settle', 'Processor time of Postgres per delivery'],
        rows: [
          row('100 finished deliveries', finished.few),
          row('millions of finished deliveries', finished.large),
          row('every endpoint has a queue, few endpoints', endpoints.few),
          row('every endpoint has a queue, many endpoints', endpoints.large),
        ],
      },
    ],
  };
}

const ms = (value: number): string => `${short(value)} ms`;
