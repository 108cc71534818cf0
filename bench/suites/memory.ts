import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder, freePort, newKey, removeFolder } from '../../test/support/process.ts';
import { startReceiver } from '../lib/receiver.ts';
import { short, spread } from '../lib/stats.ts';
import type { Bar, Suite } from '../lib/suite.ts';
import { startTenure, toThisMachine } from '../lib/tenure.ts';
import { type Trend, trendOf } from '../lib/trend.ts';

const idleSeconds = 10;
const sampleEveryMs = 1_000;
const paymentsPerSecond = 250;
const tenants = 50;
/** One list for so many new payments. */
const listEvery = 10;
const atOnce = 8;

interface Sample {
  seconds: number;
  residentMb: number;
  heapMb: number;
}

export const suite: Suite = {
  title: 'Memory',
  rounds: 1,
  async run({ quick, say }) {
    const duration = quick ? { before: 5, measured: 10 } : { before: 90, measured: 240 };
    const minutes = duration.measured / 60;
    const payments = (duration.before + duration.measured) * paymentsPerSecond;
    const folder = await dataFolder(tmpdir());
    const metricsPort = String(await freePort());
    const receiver = await startReceiver();
    const server = await startTenure('start', {
      DATA_DIR: folder,
      METRICS_PORT: metricsPort,
      ...toThisMachine,
    });
    const sample = async (seconds: number): Promise<Sample> => {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const heap = Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1]);
      return { seconds, residentMb: residentMb(server.pid), heapMb: heap / 2 ** 20 };
    };
    try {
      await sleep((quick ? 2 : idleSeconds) * 1000);
      const idle = await sample(0);
      const ask = clientOf(server.url, await newKey({ DATA_DIR: folder }));
      const bodies = await prepareAccount(ask, `${receiver.base}/hooks/0`);
      const samples: Sample[] = [];
      const started = performance.now();
      const sampling = setInterval(async () => {
        const now = await sample((performance.now() - started) / 1000);
        samples.push(now);
        if (samples.length % 30 === 0)
          say(`${Math.round(now.seconds)} s: ${short(now.residentMb)} MB resident`);
      }, sampleEveryMs);
      await recordSteadily(ask, bodies, payments).finally(() => clearInterval(sampling));
      await receiver.received(payments);
      const steady = samples.filter(({ seconds }) => seconds >= duration.before);
      const rows = (['residentMb', 'heapMb'] as const).map((key) => {
        const trend = trendOf(steady.map((each): [number, number] => [each.seconds, each[key]]));
        return { key, name: key === 'heapMb' ? 'heap in use' : 'resident', trend };
      });
      return {
        intro: intro(duration),
        settings: { payments, deliveries: payments, 'seconds before': duration.before, minutes },
        versions: {},
        bars: rows.map(({ name, trend }) =>
          noGrowth(`Server, ${name}, over ${short(minutes)} minutes, per hour`, trend),
        ),
        sections: [
          {
            title: 'Of the server, in MB',
            columns: ['', 'idle', 'under load, median', 'least', 'most', 'trend per hour'],
            rows: rows.map(({ key, name, trend }) => {
              const { median, min, max } = spread(steady.map((each) => each[key]));
              return [name, ...[idle[key], median, min, max].map(short), showTrend(trend)];
            }),
          },
        ],
      };
    } finally {
      await server.stop();
      await receiver.stop();
      await removeFolder(folder);
    }
  },
};

const intro = ({ before, measured }: Record<'before' | 'measured', number>) =>
  `\`tenure start\` as it is shipped: API, dashboard, worker and the embedded Postgres, whose memory is not counted.
Idle, and then under a steady load: ${paymentsPerSecond} new payments a second, each delivered to one
subscriber, and a page of 100 payments for every tenth. After ${before} seconds of it, memory is sampled for
${measured} seconds. A trend is the line through the means of eight equal parts of that time, with the bound in
which it lies with 95 % certainty. So short a run tells a leak of some bytes for each request; it also takes a heap
that is still settling for growth.`;

/** What is in RAM of one process, in MB. */
const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The answer's `data`; anything but a success is an error. */
type Ask = <Data>(method: 'GET' | 'POST', path: string, body?: object) => Promise<Data>;

function clientOf(origin: string, key: string): Ask {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return async <Data>(method: 'GET' | 'POST', path: string, body?: object) => {
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await fetch(`${origin}/api/v1${path}`, sent);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
    return (JSON.parse(text) as { data: Data }).data;
  };
}

/** Fifty tenants in their units, and a subscriber; returns a payment of each. */
async function prepareAccount(ask: Ask, url: string): Promise<object[]> {
  const units = Array.from({ length: tenants }, (_, n) => ({ name: `Unit ${n}` }));
  const property = await ask<{ id: string }>('POST', '/properties', { name: 'House', units });
  await ask('POST', '/webhooks', { url, events: ['payment.created'] });
  const payments: object[] = [];
  for (const unit of await ask<{ id: string }[]>('GET', `/units?property_id=${property.id}`)) {
    const tenant = await ask<{ id: string }>('POST', '/tenants', { first_name: 'Ada', last_name: 'Okafor' });
    const term = { unit_id: unit.id, tenant_ids: [tenant.id], start_date: '2020-01-01' };
    await ask('POST', '/leases', { ...term, rent_cents: 125_000 });
    payments.push({ tenant_id: tenant.id, amount_cents: 125_000, method: 'card', memo: 'Rent' });
  }
  return payments;
}

/** So many new payments, evenly spread, and lists between them. */
async function recordSteadily(ask: Ask, bodies: object[], payments: number): Promise<void> {
  const started = performance.now();
  const one = async (first: number) => {
    for (let n = first; n < payments; n += atOnce) {
      const early = started + (n / paymentsPerSecond) * 1000 - performance.now();
      if (early > 0) await sleep(early);
      await ask('POST', '/payments', bodies[n % bodies.length]);
      if (n % listEvery === 0) await ask('GET', '/payments?limit=100');
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, first) => one(first)));
}

/** Growth is what lies above the bound; whatever goes down or stays within it is none. */
const noGrowth = (text: string, trend: Trend): Bar => ({
  text,
  target: 'no growth',
  measured: showTrend(trend),
  met: trend.slope - trend.bound <= 0,
});

const showTrend = ({ slope, bound }: Trend): string =>
  `${slope >= 0 ? '+' : '−'}${short(Math.abs(slope))} ± ${short(bound)} MB`;
