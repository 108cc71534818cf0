import { startChild } from '../lib/child.ts';
import { watchCpu } from '../lib/cpu.ts';
import { openPostgres } from '../lib/postgres.ts';
import { alternate } from '../lib/rounds.ts';
import { short, showSpread, spread } from '../lib/stats.ts';
import type { Suite } from '../lib/suite.ts';
import type { Step } from './service.ts';

interface Sample {
  rows: number;
  seconds: number;
  /** How far the process's memory rose above where it was, in MB. */
  grownMb: number;
  cpu: { process: number; postgres: number };
}

const steps: { name: Step; text: string }[] = [
  { name: 'records', text: 'properties, units, tenants and leases in' },
  { name: 'trial', text: 'payments, trial run' },
  { name: 'import', text: 'payments in, each an event with a delivery' },
  { name: 'again', text: 'payments again, nothing changed' },
  { name: 'export', text: 'payments out' },
];

const intro = `How quickly, and in how much memory, spreadsheets come in and go out again. The steps of a round build on each
other, on a fresh database. One webhook is subscribed, so that every payment that comes in is an event and a queued
delivery. There is no peer: these are numbers to watch.`;

export const suite: Suite = {
  title: 'CSV',
  async run({ quick, rounds, say }) {
    const payments = quick ? 2_000 : 100_000;
    const tenants = quick ? 200 : 2_000;
    const postgres = await openPostgres('csv');
    const measure = async (): Promise<Record<Step, Sample>> => {
      const database = await postgres.createDatabase('csv');
      const service = startChild(new URL('./service.ts', import.meta.url));
      try {
        await service.call('setup', { database: database.url, payments, tenants });
        const samples = {} as Record<Step, Sample>;
        for (const { name } of steps) {
          await postgres.settle();
          const cpu = watchCpu({ process: [service.pid], postgres: [postgres.pid] });
          const step = await service.call<Omit<Sample, 'cpu'>>('run', name, 600_000);
          samples[name] = { ...step, cpu: cpu() };
        }
        return samples;
      } finally {
        await service.stop();
        await database.drop();
      }
    };
    try {
      const samples = await alternate([{ name: 'all steps', measure }], { rounds, say }, (sample) =>
        steps.map(({ name }) => `${name} ${sample[name].seconds.toFixed(1)} s`).join(', '),
      );
      const all = samples.get('all steps') ?? [];
      const spreadOf = (name: Step, value: (sample: Sample) => number) =>
        spread(all.map((round) => value(round[name])));
      return {
        intro,
        bars: [],
        settings: { payments, tenants },
        versions: { postgres: postgres.version },
        sections: [
          {
            title: 'In and out',
            plots: [
              {
                kind: 'bars',
                name: 'csv',
                title: `Rows a second, ${payments.toLocaleString('en-US')} payments`,
                unit: 'rows per second',
                bars: steps.map(({ name, text }) => {
                  const { median, min, max } = spreadOf(name, ({ rows, seconds }) => rows / seconds);
                  return { label: text, value: median, low: min, high: max, ours: true };
                }),
              },
            ],
            tables: [
              {
                columns: [
                  '',
                  'rows/s',
                  'seconds',
                  'memory + MB',
                  'µs a row in the process',
                  'µs a row in PostgreSQL',
                ],
                rows: steps.map(({ name, text }) => [
                  text,
                  showSpread(spreadOf(name, ({ rows, seconds }) => rows / seconds)),
                  showSpread(spreadOf(name, ({ seconds }) => seconds)),
                  showSpread(spreadOf(name, ({ grownMb }) => grownMb)),
                  short(spreadOf(name, ({ cpu, rows }) => (cpu.process / rows) * 1e6).median),
                  short(spreadOf(name, ({ cpu, rows }) => (cpu.postgres / rows) * 1e6).median),
                ]),
              },
            ],
          },
        ],
      };
    } finally {
      await postgres.stop();
    }
  },
};
