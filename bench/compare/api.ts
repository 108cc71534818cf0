/*
 * What a change is worth to the API as users run it: servers of several checkouts under the same load, each as its
 * own package.json starts it, with its rate limit on, its log in a file and `Idempotency-Key` on every other write.
 *
 *   npm run bench -- compare api PATH PATH…
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../src/db/sql.ts';
import { watchCpu } from '../lib/cpu.ts';
import { openPostgres } from '../lib/postgres.ts';
import { startTenure, type TenureProcess } from '../lib/tenure.ts';
import { type Account, prepareAccount } from '../servers/account.ts';
import { type Load, load } from '../servers/wrk.ts';
import { checkouts, compare } from './comparison.ts';

const seconds = { warmUp: 10, measured: 5 };

interface Server extends Account, TenureProcess {
  name: string;
}

const postgres = await openPostgres('compare');
const folder = mkdtempSync(join(tmpdir(), 'tenure-compare-'));
const servers: Server[] = [];
try {
  for (const { name, path } of checkouts) {
    const database = await postgres.createDatabase(name);
    mkdirSync(join(folder, name));
    const server = await startTenure(
      'api',
      { DATABASE_URL: database.url, RATE_LIMIT_PER_SECOND: '1000000' },
      path,
    );
    servers.push({ name, ...server, ...(await prepareAccount(database, join(folder, name))) });
  }
  await measure('A list of 100 payments', ({ url, key }, duration) =>
    load({ url: `${url}/api/v1/payments?limit=100`, key, seconds: duration }),
  );
  await measure('Create a payment', async ({ url, key, bodies, db }, duration) => {
    // What the last load left under way is done; events and the queue begin empty, as a worker would leave them.
    await sleep(500);
    await db.query(sql`truncate events, delivery_queue, idempotency_keys`);
    await postgres.settle();
    return load({ url: `${url}/api/v1/payments`, key, seconds: duration, bodies, idempotent: true });
  });
} finally {
  for (const { db, stop } of servers) {
    await stop();
    await db.close();
  }
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

function measure(title: string, under: (server: Server, seconds: number) => Promise<Load>): Promise<void> {
  const contenders = servers.map((server) => ({
    name: server.name,
    async measure(round: number) {
      const cpu = watchCpu({ server: [server.pid], postgres: [postgres.pid] });
      const done = await under(server, round === 0 ? seconds.warmUp : seconds.measured);
      // Processor time per request: on a busy machine it says more than the clock.
      const us = (used: number) => (used / done.requests) * 1e6;
      const { server: serverTime, postgres: postgresTime } = cpu();
      return {
        perSecond: done.requests / done.seconds,
        p50Ms: done.p50Ms,
        serverUs: us(serverTime),
        postgresUs: us(postgresTime),
      };
    },
  }));
  return compare(title, contenders);
}
