/*
 * What Postgres keeps in memory after somebody has asked for every combination of filters of every list, with pages of
 * all sizes: the memory of all backends of a server, beside what they had at rest. And what the usual lists take then.
 *
 *   npm run bench -- compare statements PATH PATH… [--rounds 10]
 */
import type { Route } from '../../src/http/routes/route.ts';
import { formatId } from '../../src/ids.ts';
import { writeCursor } from '../../src/paging.ts';
import { createSecretBox } from '../../src/secrets/secret-box.ts';
import { fromBeginning, listRequests, listRoutes } from '../../test/support/list-requests.ts';
import { probes } from '../../test/support/many-records.ts';
import { fillAccount, keyOf, openDatabase, timed } from '../lib/database.ts';
import { privateMb } from '../lib/memory.ts';
import { openPostgres } from '../lib/postgres.ts';
import { percentile, short } from '../lib/stats.ts';
import { secretKey, startTenure } from '../lib/tenure.ts';
import { checkouts, rounds } from './comparison.ts';

const atOnce = 10;
const secrets = createSecretBox(secretKey);
const sizes = [1, 10, 25, 50, 100, 200, 500, 1000];
// A key has the scope of the audit log only if an owner gave it by name.
const lists = listRoutes.filter(({ path }) => path !== '/audit-log');
const usual = lists.map((route) => pathOf(route, {}));

const postgres = await openPostgres('statements');
try {
  for (const { name, path } of checkouts) await measure(name, path);
} finally {
  await postgres.stop();
}

async function measure(name: string, checkout: string): Promise<void> {
  const made = await postgres.createDatabase(name);
  const server = await startTenure('api', { DATABASE_URL: made.url }, checkout);
  const { db, client } = await openDatabase(made, 1);
  await fillAccount(client, { payments: 1_000, accounts: 2, queued: 100, endpoints: 2 });
  const key = await keyOf(db, probes.account);
  // Its backend must not be counted.
  await db.close();
  // Of some records there is only the history.
  const ask = (path: string): Promise<number> =>
    timed(server.url + path, key).catch((error: Error) => {
      if (/ answered with 404/.test(error.message)) return 0;
      throw error;
    });
  const all = async (paths: string[]): Promise<number[]> => {
    const times: number[] = [];
    const one = async (first: number) => {
      for (let n = first; n < paths.length; n += atOnce) times.push(await ask(paths[n] ?? ''));
    };
    await Promise.all(Array.from({ length: atOnce }, (_, first) => one(first)));
    return times;
  };
  const backends = async (): Promise<number> => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'tenure'`,
    );
    return rows.reduce((sum, { pid }) => sum + privateMb(pid), 0);
  };
  const usualOnes = Array.from({ length: 100 }, () => usual).flat();
  try {
    await all(usualOnes);
    const rest = await backends();
    const before = percentile(await all(usualOnes), 0.5);
    for (let round = 1; round <= rounds; round++) {
      const combinations = lists.flatMap((route) =>
        fromBeginning(listRequests(route, sizes[Math.floor(Math.random() * sizes.length)] ?? 25)).map(
          ({ query }) => pathOf(route, query),
        ),
      );
      await all(combinations);
      console.error(
        `${name}, round ${round}/${rounds}: ${combinations.length} requests, ${short((await backends()) - rest)} MB more`,
      );
    }
    const after = percentile(await all(usualOnes), 0.5);
    console.log(
      `${name}: ${short(rest)} MB at rest, ${short((await backends()) - rest)} MB more after all combinations, ` +
        `usual lists ${short(before)} ms before and ${short(after)} ms after`,
    );
  } finally {
    await client.end();
    await server.stop();
    await made.drop();
  }
}

function pathOf({ path, id }: Route, { cursor, ...query }: Record<string, string>): string {
  const given = new URLSearchParams(query);
  if (cursor !== undefined) given.set('cursor', writeCursor(cursor, secrets, path));
  const record = id === undefined ? '' : formatId(id, probes[id as keyof typeof probes]);
  return `/api/v1${path.replace(':id', record)}?${given}`;
}
