/*
 * What a change is worth to the API as users run it: servers of several checkouts under the same load, each as its
 * own package.json starts it, with its rate limit on, its log in a file and `Idempotency-Key` on every other write.
 *
 *   npm run bench -- compare api PATH PATH…
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../src/db/sql.ts';
import { openPostgres } from '../lib/postgres.ts';
import { startTenure } from '../lib/tenure.ts';
import { type Account, openAccount } from '../servers/account.ts';
import { type Load, load } from '../servers/wrk.ts';
import { checkouts, compare } from './comparison.ts';

const seconds = { warmUp: 10, measured: 5 };

interface Server extends Account {
  name: string;
  pid: number;
  stop(): Promise<void>;
}

const postgres = await openPostgres('compare');
const folder = mkdtempSync(join(tmpdir(), 'tenure-compare-'));
const servers: Server[] = [];
try {
  for (const { name, path } of checkouts) {
    const database = await postgres.createDatabase(name);
    const { pid, url, stop } = await startTenure('api', { DATABASE_URL: database.url }, path);
    const account = await openAccount(database, folder);
    servers.push({ ...account, name, pid, stop, url: `${url}/api/v1/payments` });
  }
  await measure('A list of 100 payments', ({ pid, url, key }, duration) =>
    load(postgres, { pid, url: `${url}?limit=100`, key, seconds: duration }),
  );
  await measure('Create a payment', async ({ pid, url, key, bodies, db }, duration) => {
    // What the last load left under way is done; events and the queue begin empty, as a worker would leave them.
    await sleep(500);
    await db.query(sql`truncate events, delivery_queue, idempotency_keys`);
    return load(postgres, { pid, url, key, seconds: duration, bodies, idempotent: true });
  });
} finally {
  for (const { stop, close } of servers) {
    await stop();
    await close();
  }
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

function measure(title: string, under: (server: Server, seconds: number) => Promise<Load>): Promise<void> {
  const contenders = servers.map((server) => ({
    name: server.name,
    measure: async (round: number) =>
      (await under(server, round === 0 ? seconds.warmUp : seconds.measured)).sample,
  }));
  return compare(title, contenders);
}
