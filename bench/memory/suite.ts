import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, newKey } from '../../test/support/process.ts';
import { type Child, startChild } from '../lib/child.ts';
import { short, showSpread, spread } from '../lib/stats.ts';
import type { Findings, RunOptions, Suite } from '../lib/suite.ts';
import { connectTo, prepareAccount, steadily } from './load.ts';
import { residentMb, type Started, sharedMb, start } from './server.ts';
import { type Trend, trendOf } from './trend.ts';

const starts = 5;
const idleSeconds = 15;
const sampleEveryMs = 2_000;
const createsPerSecond = 250;

export const suite: Suite = {
  title: 'Memory and start',
  async run(options) {
    const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-memory-'));
    chmodSync(folder, 0o711); // as root, Postgres runs as another user and must get in
    const environment = {
      DATA_DIR: folder,
      PORT: String(await freePort()),
      METRICS_PORT: String(await freePort()),
      RATE_LIMIT_PER_SECOND: '0',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
    };
    try {
      const startMs = await timeStarts(environment, options);
      const run = await watch(environment, options);
      return report(startMs, run, options);
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

/** The first one makes the database and counts for nothing. */
async function timeStarts(
  environment: Record<string, string>,
  { quick, say }: RunOptions,
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= (quick ? 2 : starts); round++) {
    const server = await start('npm', environment);
    await server.stop();
    say(`${round === 0 ? 'first start' : `start ${round}`}: ready after ${Math.round(server.readyMs)} ms`);
    if (round > 0) times.push(server.readyMs);
  }
  return times;
}

interface Sample {
  seconds: number;
  residentMb: number;
  heapMb: number;
  postgresMb: number;
}

interface Run {
  idle: Sample;
  samples: Sample[];
  requests: number;
  deliveries: number;
  /** Deliveries, and as many requests, before it counts. */
  before: number;
  minutes: number;
}

/** The server idle, and then under one steady load: first until caches and pools are filled, then for ten minutes that count. */
async function watch(environment: Record<string, string>, { quick, say }: RunOptions): Promise<Run> {
  const minutes = quick ? 1 : 10;
  const before = quick ? 2_000 : 100_000;
  const creates = before + minutes * 60 * createsPerSecond;
  const receiver = startChild(new URL('./receiver.ts', import.meta.url));
  const server = await start('node', environment);
  try {
    const hook = `http://127.0.0.1:${await receiver.call<number>('listen')}/hook`;
    await sleep((quick ? 3 : idleSeconds) * 1000);
    const idle = await sample(server, environment, 0);
    say(`idle: ${describe(idle)}`);
    const key = await newKey({ DATA_DIR: environment.DATA_DIR ?? '' });
    const client = connectTo(`http://127.0.0.1:${environment.PORT}`, key);
    const bodies = await prepareAccount(client, hook);
    const samples: Sample[] = [];
    const started = performance.now();
    const sampling = setInterval(async () => {
      samples.push(await sample(server, environment, (performance.now() - started) / 1000));
      if (samples.length % 15 === 0) say(describe(samples.at(-1) ?? idle));
    }, sampleEveryMs);
    const requests = await steadily(client, bodies, {
      creates,
      seconds: creates / createsPerSecond,
    }).finally(() => clearInterval(sampling));
    const deliveries = await allDelivered(receiver, creates);
    await client.close();
    return { idle, samples, requests, deliveries, before, minutes };
  } finally {
    await server.stop();
    await receiver.stop();
  }
}

async function allDelivered(receiver: Child, expected: number): Promise<number> {
  for (let tries = 0; tries < 600; tries++) {
    const count = await receiver.call<number>('count');
    if (count >= expected) return count;
    await sleep(100);
  }
  throw new Error(`Only ${await receiver.call('count')} of ${expected} deliveries arrived.`);
}

async function sample(
  { pid }: Started,
  environment: Record<string, string>,
  seconds: number,
): Promise<Sample> {
  const metrics = await (await fetch(`http://127.0.0.1:${environment.METRICS_PORT}/metrics`)).text();
  const heap = Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1]);
  return { seconds, residentMb: residentMb(pid), heapMb: heap / 2 ** 20, postgresMb: sharedMb(pid) };
}

const describe = ({ seconds, residentMb: resident, heapMb, postgresMb }: Sample) =>
  `${Math.round(seconds)} s: ${Math.round(resident)} MB resident, ${Math.round(heapMb)} MB heap, Postgres ${Math.round(postgresMb)} MB`;

function report(startMs: number[], run: Run, { quick }: RunOptions): Findings {
  const { idle, samples, requests, deliveries, before, minutes } = run;
  const steady = samples.filter(({ seconds }) => seconds >= before / createsPerSecond);
  const column = (name: 'residentMb' | 'heapMb' | 'postgresMb', of = steady) => of.map((each) => each[name]);
  const trend = (name: 'residentMb' | 'heapMb') =>
    trendOf(steady.map((each): [number, number] => [each.seconds, each[name]]));
  const trends = { resident: trend('residentMb'), heap: trend('heapMb') };
  return {
    intro: `\`tenure start\` as it is shipped: API, dashboard, worker and the embedded Postgres. Idle, and then under a steady load:
${createsPerSecond} new payments a second, each delivered to one subscriber, and a page of 100 payments for every tenth. After ${before.toLocaleString('en-US')} of them,
memory is sampled for ${minutes} minutes, every two seconds; a trend is the line through the means of eight equal parts of that time, with the
bound in which it lies with 95 % certainty.`,
    settings: {
      requests,
      deliveries,
      'deliveries before': before,
      minutes,
      'starts timed': quick ? 2 : starts,
    },
    versions: {},
    measuredAs: `one run, after ${before.toLocaleString('en-US')} deliveries that do not count`,
    bars: [
      noGrowth(`Resident memory over ${minutes} minutes, per hour`, trends.resident),
      noGrowth(`Heap over ${minutes} minutes, per hour`, trends.heap),
    ],
    sections: [
      {
        title: 'Memory',
        tables: [
          {
            columns: [
              '',
              'Idle',
              `Under load, after ${requests.toLocaleString('en-US')} requests`,
              'Trend per hour',
            ],
            rows: [
              [
                'Server, resident',
                mb(idle.residentMb),
                showSpread(spread(column('residentMb')), mb),
                showTrend(trends.resident),
              ],
              [
                'Server, heap in use',
                mb(idle.heapMb),
                showSpread(spread(column('heapMb')), mb),
                showTrend(trends.heap),
              ],
              [
                'Postgres, all its processes',
                mb(idle.postgresMb),
                showSpread(spread(column('postgresMb')), mb),
                '–',
              ],
            ],
          },
        ],
        plots: [
          {
            kind: 'lines',
            name: 'memory',
            title: 'Memory under a steady load',
            x: { label: 'minutes' },
            y: { label: 'MB' },
            lines: [
              { label: 'server, resident', points: plotted(samples, 'residentMb'), ours: true },
              { label: 'server, heap in use', points: plotted(samples, 'heapMb') },
            ],
          },
        ],
      },
      {
        title: 'Start',
        text: 'From `npm start` to the first 200 of `/readyz`, with everything installed and the database there.',
        tables: [
          {
            columns: ['Starts', 'Time'],
            rows: [[String(startMs.length), showSpread(spread(startMs), (value) => `${short(value)} ms`)]],
          },
        ],
      },
    ],
  };
}

/** Growth is what lies above the bound; whatever goes down or stays within it is none. */
const noGrowth = (text: string, trend: Trend) => ({
  text,
  target: 'no growth',
  measured: showTrend(trend),
  met: trend.slope - trend.bound <= 0,
});

const mb = (value: number): string => `${short(value)} MB`;
const showTrend = ({ slope, bound }: Trend): string =>
  `${slope >= 0 ? '+' : '−'}${short(Math.abs(slope))} ± ${short(bound)} MB`;
const plotted = (samples: Sample[], name: 'residentMb' | 'heapMb') =>
  samples.map((each): [number, number] => [each.seconds / 60, each[name]]);
