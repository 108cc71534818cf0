/*
 * Is one checkout's worker quicker than another's? Both are measured in turn, A B B A …, within one run: on a shared
 * machine, numbers of two runs cannot be compared.
 *
 *   node bench/compare/delivery.ts --before ../main --after .
 *   node bench/compare/delivery.ts --before ../main --after . --rounds 9 --count 20000 --endpoints 500
 *
 * Each checkout runs as users run it: `tenure worker` with its own database, its log at level info in a file. The median of
 * all rounds is shown with its spread, and so is the ratio, taken round by round.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measure, type Sample } from '../delivery/measure.ts';
import { tenure } from '../delivery/tenure.ts';
import { openPostgres } from '../lib/postgres.ts';
import { startReceiver } from '../lib/receiver.ts';
import { alternate } from '../lib/rounds.ts';
import { ratio, showSpread, spread } from '../lib/stats.ts';

const { values: flags } = parseArgs({
  options: {
    before: { type: 'string' },
    after: { type: 'string', default: join(import.meta.dirname, '../..') },
    rounds: { type: 'string', default: '5' },
    count: { type: 'string', default: '20000' },
    endpoints: { type: 'string', multiple: true, default: ['1', '500'] },
  },
});
if (flags.before === undefined) {
  console.error('Which checkout is the one to compare with? --before PATH');
  process.exit(1);
}
const checkouts = { before: resolve(flags.before), after: resolve(flags.after) };
const count = Number(flags.count);
const rounds = Number(flags.rounds);

const postgres = await openPostgres('compare');
const receiver = await startReceiver();
const stage = { postgres, redis: null };
try {
  for (const endpoints of flags.endpoints.map(Number)) {
    console.log(`\n${count} deliveries to ${endpoints} endpoint${endpoints === 1 ? '' : 's'}`);
    const samples = await compare(endpoints);
    show('deliveries/s', samples, (sample) => sample.count / sample.seconds);
    show('µs of processor in the worker', samples, ({ cpu }) => (cpu.contender / count) * 1e6);
    show('µs of processor in PostgreSQL', samples, ({ cpu }) => (cpu.postgres / count) * 1e6);
  }
} finally {
  await receiver.stop();
  await postgres.stop();
}
process.exit(0);

type Samples = Record<keyof typeof checkouts, Sample[]>;

async function compare(endpoints: number): Promise<Samples> {
  const size = { endpoints, count, warmUp: count };
  const contenders = await Promise.all(
    Object.entries(checkouts).map(async ([name, checkout]) => {
      const [contender] = await tenure(stage, { endpoints, base: receiver.base, checkout, name }, [1]);
      if (!contender) throw new Error('There is no worker to measure.');
      return contender;
    }),
  );
  try {
    const samples = await alternate(
      contenders.map((contender) => ({
        name: contender.name,
        measure: () => measure(contender, stage, receiver, size),
      })),
      { rounds, say: console.log },
      ({ seconds }) => `${Math.round(count / seconds)}/s`,
    );
    return { before: samples.get('before') ?? [], after: samples.get('after') ?? [] };
  } finally {
    for (const contender of contenders) await contender.close();
  }
}

function show(title: string, { before, after }: Samples, of: (sample: Sample) => number): void {
  const [was, is] = [before.map(of), after.map(of)];
  console.log(
    `${title}: before ${showSpread(spread(was))}, after ${showSpread(spread(is))}, ratio ${showSpread(ratio(is, was))}`,
  );
}
