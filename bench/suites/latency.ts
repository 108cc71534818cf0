import { alternate } from '../lib/rounds.ts';
import { percentile, spread } from '../lib/stats.ts';
import {
  type Bar,
  bar,
  isOurs,
  ratioBar,
  type Samples,
  type Suite,
  section,
  valuesOf,
} from '../lib/suite.ts';
import { openStage, type Stage, startContender } from '../webhooks/measure.ts';
import { commitToReceipt, type Pace } from '../webhooks/pace.ts';

type Key = 'p50' | 'p95' | 'p99';

interface Entry {
  name: string;
  file: string;
  /** The mode of the process that writes, and of the one that works; without the latter, the writer does both. */
  modes: [writer: string, worker?: string];
}

const entries: Entry[] = [
  { name: 'Tenure, API and worker apart', file: 'tenure-service', modes: ['api', 'worker'] },
  { name: 'Tenure, in one process', file: 'tenure-service', modes: ['start'] },
  { name: 'pg-boss, LISTEN', file: 'pg-boss', modes: ['latency', 'latency'] },
  { name: 'graphile-worker', file: 'graphile-worker', modes: ['latency', 'latency'] },
  { name: 'BullMQ', file: 'bullmq', modes: ['latency', 'latency'] },
];

const perSecond = 50;

export const suite: Suite = {
  title: 'Delivery latency',
  rounds: 3,
  async run({ quick, rounds, say }) {
    await using stage = await openStage('latency', ['pg-boss', 'graphile-worker', 'bullmq']);
    const pace = { perSecond, count: quick ? 100 : 500 };
    const warmUp = { perSecond: 8 * perSecond, count: quick ? 100 : 2_000 };
    const contenders = entries
      .filter(({ name }) => name !== 'BullMQ' || stage.redis !== null)
      .map((entry) => ({ name: entry.name, measure: () => measure(entry, stage, { warmUp, pace }) }));
    const samples = await alternate(contenders, { rounds, say }, { warmUp: false });
    return {
      intro,
      settings: {
        'events a second': perSecond,
        'events a round': pace.count,
        'events before, to warm up the processes': warmUp.count,
      },
      versions: stage.versions,
      bars: [...samples.keys()].filter(isOurs).flatMap((name) => barsOf(samples, name)),
      sections: [
        section('From commit to receipt', samples, { p50: 'p50 ms', p95: 'p95 ms', p99: 'p99 ms' }, plot),
      ],
    };
  },
};

const intro = `How long after the commit of a write its webhook arrives, with little to do. Every peer writes a row
and its job in one transaction, as Tenure does (BullMQ cannot, and adds its job after the commit), and the worker is
another process. Commit and receipt are timed by the clock that all processes of a machine share.`;

const plot = { name: 'latency-p50', title: 'Milliseconds from commit to receipt, p50' };

/** Fresh processes on a fresh database, warmed up. */
async function measure(
  { file, modes: [writing, working] }: Entry,
  stage: Stage,
  { warmUp, pace }: { warmUp: Pace; pace: Pace },
): Promise<Record<Key, number>> {
  const { postgres, receiver } = stage;
  const { url } = await postgres.createDatabase('latency');
  await using worker = working ? await startContender(stage, file, { database: url, mode: working }) : null;
  await worker?.call('go');
  await using writer = await startContender(stage, file, { database: url, mode: writing });
  await commitToReceipt(writer, receiver, warmUp);
  await postgres.settle();
  const waits = await commitToReceipt(writer, receiver, pace);
  return { p50: percentile(waits, 0.5), p95: percentile(waits, 0.95), p99: percentile(waits, 0.99) };
}

function barsOf(samples: Samples<Key>, name: string): Bar[] {
  return [
    bar(`${name}: p50`, '<', 5, 'ms', spread(valuesOf(samples, name, 'p50'))),
    bar(`${name}: p99`, '<', 50, 'ms', spread(valuesOf(samples, name, 'p99'))),
    againstBest(samples, name, 'p50'),
    againstBest(samples, name, 'p99'),
  ];
}

/** Against the peer that is quickest by its median. */
function againstBest(samples: Samples<Key>, name: string, part: 'p50' | 'p99'): Bar {
  const median = (peer: string) => spread(valuesOf(samples, peer, part)).median;
  const peers = [...samples.keys()].filter((peer) => !isOurs(peer));
  const [best = ''] = peers.sort((a, b) => median(a) - median(b));
  return ratioBar(`${name}: ${part} to the best peer's (${best})`, samples, part, [name, best], ['≤', 1.2]);
}
