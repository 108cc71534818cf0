/*
 * What Postgres keeps in memory after somebody has asked for every combination of filters of every list, with pages of
 * all sizes: the memory of all backends of a server, beside what they had at rest. It also measures the usual lists
 * afterwards.
 *
 *   npm run bench -- compare statements PATH PATH… [--rounds 10]
 */
import type { Route } from '../../src/http/routes/route.ts';
import { formatId } from '../../src/ids.ts';
import { writeCursor } from '../../src/paging.ts';
import { createSecretBox } from '../../src/secrets/secret-box.ts';
import { fromBeginning, listRequests, listRoutes } from '../../test/support/list-requests.ts';
import { probes } from '../../test/support/many-records.ts';
import { fillAccount, keyOf, openDatabase } from '../lib/database.ts';
import { privateMb } from '../lib/memory.ts';
import { openPostgres } from '../lib/postgres.ts';
import { timed } from '../lib/requests.ts';
import { percentile, short } from '../lib/stats.ts';
import { secretKey } from '../lib/tenure.ts';
import { openServers, quick, rounds } from './comparison.ts';

const atOnce = 10;
const secrets = createSecretBox(secretKey);
const sizes = [1, 10, 25, 50, 100, 200, 500, 1000];
// A key has the scope of the audit log only if an owner gave it by name.
const lists = listRoutes.filter(({ path }) => path !== '/audit-log');
const usual = lists.map((route) => pathOf(route, {}));

await using postgres = await openPostgres('statements');
await using opened = new AsyncDisposableStack();
const servers = await openServers(opened, postgres, async (made) => {
  const { db, client } = await openDatabase(made, 1);
  opened.defer(() => client.end());
  await fillAccount(client, { payments: 1_000, accounts: 2, queued: 100, endpoints: 2 });
  const key = await keyOf(db, probes.account);
  // Its backend must not be counted.
  await db.close();
  return { key, client };
});
for (const server of servers) await measure(server);

async function measure({ name, url, key, client }: (typeof servers)[number]): Promise<void> {
  const ask = (path: string): Promise<number> =>
    timed(url + path, key).catch((error: Error) => {
      // Some records have only a history.
      if (/ answered with 404/.test(error.message)) return 0;
      throw error;
    });
  const all = async (paths: string[]): Promise<number[]> => {
    const times: number[] = [];
    const waiting = paths.values();
    const one = async () => {
      for (const path of waiting) times.push(await ask(path));
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    return times;
  };
  const backends = async (): Promise<number> => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'tenure'`,
    );
    return rows.reduce((sum, { pid }) => sum + privateMb(pid), 0);
  };
  const usualOnes = Array.from({ length: quick ? 2 : 100 }, () => usual).flat();
  await all(usualOnes);
  const rest = await backends();
  const before = percentile(await all(usualOnes), 0.5);
  for (let round = 1; round <= rounds; round++) {
    const combinations = lists.flatMap((route) =>
      fromBeginning(listRequests(route, sizes[Math.floor(Math.random() * sizes.length)] ?? 25)).map(
        ({ query }) => pathOf(route, query),
      ),
    );
    await all(quick ? combinations.slice(0, 100) : combinations);
    const more = short((await backends()) - rest);
    console.error(`${name}, round ${round}/${rounds}: ${combinations.length} requests, ${more} MB more`);
  }
  const after = percentile(await all(usualOnes), 0.5);
  console.log(
    `${name}: ${short(rest)} MB at rest, ${short((await backends()) - rest)} MB more after all combinations, ` +
      `usual lists ${short(before)} ms before and ${short(after)} ms after`,
  );
}

function pathOf({ path, id }: Route, { cursor, ...query }: Record<string, string>): string {
  const given = new URLSearchParams(query);
  if (cursor !== undefined) given.set('cursor', writeCursor(cursor, secrets, path));
  const record = id === undefined ? '' : formatId(id, probes[id as keyof typeof probes]);
  return `${path.replace(':id', record)}?${given}`;
}
