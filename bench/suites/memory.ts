import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/process.ts';
import { openDatabase } from '../lib/database.ts';
import { residentMb, type Trend, trendOf } from '../lib/memory.ts';
import { openPostgres } from '../lib/postgres.ts';
import { startReceiver } from '../lib/receiver.ts';
import { answersDuring } from '../lib/requests.ts';
import { short, spread } from '../lib/stats.ts';
import type { Bar, Suite } from '../lib/suite.ts';
import { startTenure, toThisMachine } from '../lib/tenure.ts';
import { prepareAccounts } from '../scale/accounts.ts';
import { startLoad } from '../scale/load.ts';

const idleSeconds = 10;
const sampleEveryMs = 1_000;
/** A second. */
const rates = { create: 250, list: 25 };
const account = { accounts: 1, leases: 50, payments: 50 };

interface Sample {
  seconds: number;
  residentMb: number;
  heapMb: number;
}

export const suite: Suite = {
  title: 'Memory',
  rounds: 1,
  async run({ quick, say }) {
    const seconds = quick ? { before: 5, measured: 10 } : { before: 90, measured: 240 };
    const minutes = seconds.measured / 60;
    await using postgres = await openPostgres('memory');
    await using database = await openDatabase(await postgres.createDatabase('memory'));
    const METRICS_PORT = String(await freePort());
    await using receiver = await startReceiver();
    const environment = { DATABASE_URL: database.url, METRICS_PORT, ...toThisMachine };
    await using server = await startTenure('start', environment);
    const sample = async (since: number): Promise<Sample> => {
      const metrics = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
      const heap = Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(metrics)?.[1]);
      const at = (performance.now() - since) / 1000;
      return { seconds: at, residentMb: residentMb(server.pid), heapMb: heap / 2 ** 20 };
    };
    await sleep((quick ? 2 : idleSeconds) * 1000);
    const idle = await sample(performance.now());
    const askers = await prepareAccounts(database.db, server.url, receiver.base, account);
    await using load = await startLoad(askers);
    say('the load begins');
    const began = performance.now();
    const loading = load.run({ urls: [server.url], rates, seconds: seconds.before + seconds.measured });
    const samples = await answersDuring(loading, async () => {
      await sleep(sampleEveryMs);
      return sample(began);
    });
    const { creates } = await loading;
    await receiver.received(account.payments + creates);
    const steady = samples.filter((each) => each.seconds >= seconds.before);
    const rows = (['residentMb', 'heapMb'] as const).map((key) => {
      const trend = trendOf(steady.map((each): [number, number] => [each.seconds, each[key]]));
      return { key, name: key === 'heapMb' ? 'heap in use' : 'resident', trend };
    });
    return {
      intro: intro(seconds),
      settings: { payments: creates, deliveries: creates, 'seconds before': seconds.before, minutes },
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
  },
};

const intro = ({ before, measured }: Record<'before' | 'measured', number>) =>
  `\`tenure start\` as it is shipped: API, dashboard and worker in one process. Idle, and then under a steady load:
${rates.create} new payments a second, each delivered to one subscriber, and ${rates.list} pages of 100 payments. After
${before} seconds of it, memory is sampled for ${measured} seconds. A trend is the line through the means of eight equal
parts of that time, with the bound in which it lies with 95 % certainty. So short a run finds a leak of a few bytes for
each request, but it also takes a heap that is still settling for growth.`;

/** Only what is above the bound counts as growth. */
const noGrowth = (text: string, trend: Trend): Bar => ({
  text,
  target: 'no growth',
  measured: showTrend(trend),
  met: trend.slope - trend.bound <= 0,
});

const showTrend = ({ slope, bound }: Trend): string =>
  `${slope >= 0 ? '+' : '−'}${short(Math.abs(slope))} ± ${short(bound)} MB`;
