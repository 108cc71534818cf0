/*
 * What Postgres keeps in memory after somebody has asked for every combination of filters of every list, with pages of
 * all sizes: the memory of all backends of a server, beside what they had at rest. And what the usual lists take then.
 *
 *   npm run bench -- compare statements PATH PATH… [--rounds 10]
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { createKey } from '../../src/api-keys/api-keys.ts';
import { connect } from '../../src/db/connect.ts';
import type { Route } from '../../src/http/routes/route.ts';
import { formatId } from '../../src/ids.ts';
import { writeCursor } from '../../src/paging.ts';
import { createSecretBox } from '../../src/secrets/secret-box.ts';
import { listRequests, listRoutes } from '../../test/support/list-requests.ts';
import { makeManyRecords, probes } from '../../test/support/many-records.ts';
import { openPostgres } from '../lib/postgres.ts';
import { percentile, short } from '../lib/stats.ts';
import { secretKey, startTenure } from '../lib/tenure.ts';
import { checkouts, rounds } from './comparison.ts';

const atOnce = 10;
const secrets = createSecretBox(secretKey);
const sizes = [1, 10, 25, 50, 100, 200, 500, 1000];
const usual = listRoutes.map((route) => pathOf(route, {}));

const postgres = await openPostgres('statements');
try {
  for (const { name, path } of checkouts) await measure(name, path);
} finally {
  await postgres.stop();
}

async function measure(name: string, checkout: string): Promise<void> {
  const database = await postgres.createDatabase(name);
  const environment = { DATABASE_URL: database.url, RATE_LIMIT_PER_SECOND: '1000000' };
  const server = await startTenure('api', environment, checkout);
  const client = new pg.Client(database.connection);
  await client.connect();
  const few = { charges: 100, maintenance: 100, events: 100, deliveries: 100, queued: 100, endpoints: 2 };
  await makeManyRecords(client, { payments: 1_000, accounts: 2, ...few });
  const db = connect({ connection: database.connection, poolSize: 1, onError: console.error });
  const holder = { accountId: probes.account, name: 'bench', permission: 'read' as const, expiresAt: null };
  const { key } = await createKey(db, holder);
  await db.close();
  const ask = async (path: string): Promise<number> => {
    const began = performance.now();
    const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    // Of some records there is only the history.
    if (answer.status !== 200 && answer.status !== 404)
      throw new Error(`${path} was answered with ${answer.status}.`);
    return performance.now() - began;
  };
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
    return rows.reduce((sum, { pid }) => sum + ownMb(pid), 0);
  };
  const usualOnes = Array.from({ length: 100 }, () => usual).flat();
  try {
    await all(usualOnes);
    const rest = await backends();
    const before = percentile(await all(usualOnes), 0.5);
    for (let round = 1; round <= rounds; round++) {
      const combinations = listRoutes.flatMap((route) =>
        listRequests(route, sizes[Math.floor(Math.random() * sizes.length)] ?? 25).map(({ query }) =>
          pathOf(route, query),
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
    await database.drop();
  }
}

function pathOf({ path, id }: Route, { cursor, ...query }: Record<string, string>): string {
  const given = new URLSearchParams(query);
  if (cursor !== undefined) given.set('cursor', writeCursor(cursor, secrets, path));
  const record = id === undefined ? '' : formatId(id, probes[id as keyof typeof probes]);
  return `/api/v1${path.replace(':id', record)}?${given}`;
}

/** What a process has of its own: not what it shares with the others. */
function ownMb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...rollup.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].map(([, size]) => Number(size));
  return kilobytes.reduce((sum, size) => sum + size, 0) / 1024;
}
