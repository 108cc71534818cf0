/*
 * What a change is worth to the API as users run it: servers of several checkouts under the same load, each as its
 * own package.json starts it, with its rate limit on, its log in a file and `Idempotency-Key` on every other write.
 *
 *   npm run bench -- compare api PATH PATH…
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../src/db/sql.ts';
import { openPostgres } from '../lib/postgres.ts';
import { openAccount } from '../servers/account.ts';
import { type Load, load } from '../servers/wrk.ts';
import { compare, openServers, quick } from './comparison.ts';

const seconds = quick ? { warmUp: 3, measured: 3 } : { warmUp: 10, measured: 5 };

await using postgres = await openPostgres('compare');
await using opened = new AsyncDisposableStack();
const servers = await openServers(opened, postgres, async (made) => opened.use(await openAccount(made)));

await measure('A list of 100 payments', ({ pid, url, key }, duration) =>
  load(postgres, { pid, url: `${url}/payments?limit=100`, key, seconds: duration }),
);
await measure('Create a payment', async ({ pid, url, key, bodies, db }, duration) => {
  // What the last load left under way is finished; events and the queue begin empty, as a worker would leave them.
  await sleep(500);
  await db.query(sql`truncate events, delivery_queue, idempotency_keys`);
  return load(postgres, { pid, url: `${url}/payments`, key, seconds: duration, bodies, idempotent: true });
});

function measure(
  title: string,
  under: (server: (typeof servers)[number], seconds: number) => Promise<Load>,
): Promise<void> {
  const contenders = servers.map((server) => ({
    name: server.name,
    measure: async (round: number) =>
      (await under(server, round === 0 ? seconds.warmUp : seconds.measured)).sample,
  }));
  return compare(title, contenders);
}
