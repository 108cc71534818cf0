import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '../../src/embedded-postgres/embedded-postgres.ts';
import { killPostmaster } from '../support/kill-postmaster.ts';
import { preparedFolder } from '../support/prepared-folder.ts';
import { type Environment, freePort, removeFolder, spawnServer, until } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { type Kept, keepRunning } from './support/keep-running.ts';
import { expectNoneLeft } from './support/leftovers.ts';
import { expectPromisesKept } from './support/promises.ts';
import { randomFrom, scale, seed } from './support/scale.ts';
import { startWriters, subscribe } from './support/writers.ts';

const rounds = scale(100, 4);
const paths = ['/one', '/two', '/three'];
const quiet = { info() {}, warn() {}, error() {} };

/**
 * Writes continue all the time while the whole server, an API, a worker and Postgres are killed, each at a random
 * moment. A killed worker's deliveries are free again after 10 s, so within the time that this takes no delivery can
 * lose all of its five attempts to crashes.
 */
test('whatever is killed when, every acknowledged write is kept and delivered, and nothing is left behind', {
  timeout: scale(720_000, 300_000),
}, async () => {
  // The random numbers have their own generator, so that victims and moments follow from the seed whatever else
  // happens.
  const random = randomFrom(seed);
  // Some answers take their time, so that workers die while they wait for them.
  const receiver = await startReceiver((_received, response) => {
    setTimeout(() => response.end(), Math.random() * (Math.random() < 0.02 ? 1_000 : 20));
  });
  onTestFinished(() => receiver.close());
  const { folder: dataDir, key } = await preparedFolder();
  onTestFinished(() => removeFolder(dataDir));
  const environment: Environment = {
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret key for the crash rounds, long enough',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
    WEBHOOK_RETRY_DELAYS_MS: '200,400,800,1600',
    RATE_LIMIT_PER_SECOND: '0',
  };
  const port = async () => ({ PORT: String(await freePort()) });
  const ofServer = await port();
  const server = keep('server', () => spawnServer({ ...environment, ...ofServer }));
  await server.ready();
  const postgres = await openEmbedded({ dataDir, role: 'command', purpose: 'crash rounds', log: quiet });
  const { host, port: number, user, database } = postgres.connection;
  const DATABASE_URL = `postgres://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${number}`;
  const ofApi = { ...(await port()), DATABASE_URL };
  const api = keep('api', () => spawnServer({ ...environment, ...ofApi }, 'api'));
  const worker = keep('worker', () => spawnServer({ ...environment, DATABASE_URL }, 'worker'));
  const processes = [server, api, worker];
  const allReady = () => Promise.all(processes.map((kept) => kept.ready()));
  await allReady();

  for (const path of paths) await subscribe(server.current().url, key, receiver.url(path));
  const writers = startWriters({
    urls: () => [server.current().url, api.current().url],
    key,
    random: randomFrom(seed + 1),
    kept: 6,
    fresh: 1,
    pauseMs: scale(15, 50),
  });
  onTestFinished(() => writers.stop());
  const someWrites = async () => {
    const before = writers.acknowledged.size;
    await until(() => writers.acknowledged.size >= before + 10);
  };

  const killed: Record<string, number> = { server: 0, api: 0, worker: 0, postgres: 0 };
  let missed = 0;
  for (let round = 0; round < rounds; ) {
    await someWrites();
    await sleep(random() * 300);
    // Every process dies in a short run, too: when few rounds are left, those that have not died come next.
    const never = Object.keys(killed).filter((each) => killed[each] === 0);
    const victims = never.length >= rounds - round ? never : Object.keys(killed);
    const name = victims[Math.floor(random() * victims.length)] ?? '';
    const kept = processes.find((each) => each.name === name);
    const isHit = kept ? kept.kill() : killPostmaster(postgres.dataDir);
    // A process that is not back yet from the last kill cannot be killed, so that is no round.
    if (isHit) {
      killed[name] = (killed[name] ?? 0) + 1;
      round++;
    } else missed++;
    // Most often the next process dies while this one is still starting.
    if (random() < 0.3) await allReady();
  }
  await allReady();
  await someWrites();
  await writers.stop();

  const db = new pg.Pool({ ...postgres.connection, max: 2 });
  db.on('error', () => undefined);
  onTestFinished(() => db.end());
  const counted = await expectPromisesKept(db, receiver, paths, writers);
  // Otherwise no worker died when it mattered.
  expect(counted.duplicates).toBeGreaterThanOrEqual(scale(10, 0));
  await Promise.all([api.stop(), worker.stop()]);
  await server.stop();
  expect(
    processes.flatMap((kept) => kept.troubles()),
    `seed ${seed}`,
  ).toEqual([]);
  const deaths = processes.map((kept) => kept.killed());
  for (const [n, { name }] of processes.entries()) expect(deaths[n]?.times, name).toBe(killed[name]);
  await expectNoneLeft(dataDir);
  expect(existsSync(join(postgres.dataDir, 'postmaster.pid'))).toBe(false);
  console.log(
    `seed ${seed}: ${rounds} rounds (${JSON.stringify(killed)}, ${missed} more hit nothing; ${deaths.reduce((sum, { unready }) => sum + unready, 0)} ` +
      `before it was ready, at most ${Math.max(...deaths.map(({ longestUnreadyMs }) => longestUnreadyMs))} ms after its start), ${counted.writes} writes acknowledged, ` +
      `${writers.failures.length} not, none lost; ${counted.deliveries} deliveries, ${counted.duplicates} duplicates`,
  );
});

function keep(name: string, spawn: () => ReturnType<typeof spawnServer>): Kept {
  const kept = keepRunning(name, spawn);
  onTestFinished(() => kept.stop());
  return kept;
}
