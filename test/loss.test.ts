import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '../src/db/embedded/embedded.ts';
import {
  dataFolder,
  type Environment,
  freePort,
  newKey,
  ready,
  removeFolder,
  type ServerProcess,
  spawnServer,
  until,
} from './process.ts';
import { type Received, startReceiver } from './receiver.ts';

const kills = 20;
const writers = 4;
const endpoints = ['/one', '/two', '/three'];
const quiet = { info() {}, warn() {}, error() {} };

/**
 * Nothing acknowledged is ever lost. Writes go on all the time while the worker, the whole server and Postgres
 * are killed in turn, each at a random moment. A killed worker's deliveries are free again after 10 s, so
 * within the time this takes no delivery can lose all of its five attempts to crashes.
 */
test('every acknowledged write reaches every endpoint, whatever dies when', {
  timeout: 240_000,
}, async () => {
  const receiver = await startReceiver((_received, response) => {
    setTimeout(() => response.end(), Math.random() * 20);
  });
  onTestFinished(() => receiver.close());
  const dataDir = await dataFolder();
  onTestFinished(() => removeFolder(dataDir));
  const environment: Environment = {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    SECRET_KEY: 'a secret key for the loss test, long enough',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
    WEBHOOK_RETRY_DELAYS_MS: '200,400,800,1600',
    RATE_LIMIT_PER_SECOND: '0',
  };
  const server = keepRunning(() => spawnServer(environment));
  onTestFinished(() => server.stop());
  await ready(server.current());
  const postgres = await openEmbedded({ dataDir, role: 'command', purpose: 'loss test', log: quiet });
  const { host, port, user, database } = postgres.connection;
  const DATABASE_URL = `postgres://${user}@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
  const worker = keepRunning(() => spawnServer({ ...environment, DATABASE_URL }, 'worker'));
  onTestFinished(() => worker.stop());

  const key = await newKey(environment);
  const api = (path: string, body: unknown) =>
    fetch(`${server.current().url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
  for (const path of endpoints) {
    expect((await api('/webhooks', { url: receiver.url(path), events: ['tenant.created'] })).status).toBe(
      201,
    );
  }

  const acknowledged = new Set<string>();
  let writing = true;
  const write = async () => {
    for (let n = 0; writing; n++) {
      const answer = await api('/tenants', { first_name: 'T', last_name: String(n) }).catch(() => null);
      if (answer?.status === 201) {
        const { data } = (await answer.json().catch(() => ({}))) as { data?: { id: string } };
        if (data) acknowledged.add(data.id);
      }
      await sleep(answer?.status === 201 ? 10 : 50);
    }
  };
  const writes = Array.from({ length: writers }, write);

  const victims = [
    () => worker.current().kill('SIGKILL'),
    () => server.current().kill('SIGKILL'),
    () => process.kill(postmasterPid(postgres.dataDir), 'SIGKILL'),
  ];
  for (let n = 0; n < kills; n++) {
    const before = acknowledged.size;
    await until(() => acknowledged.size >= before + 10);
    await sleep(Math.random() * 300);
    victims[n % victims.length]?.();
  }
  const before = acknowledged.size;
  await until(() => acknowledged.size >= before + 10);
  writing = false;
  await Promise.all(writes);

  const db = new pg.Pool({ ...postgres.connection, max: 2 });
  db.on('error', () => undefined);
  onTestFinished(() => db.end());
  const count = async (text: string): Promise<number> => Number((await db.query(text)).rows[0]?.count);
  await until(async () => (await count('select count(*) from delivery_queue')) === 0);

  const received = new Map<string, Set<string>>(endpoints.map((path) => [path, new Set()]));
  for (const request of receiver.received) received.get(request.path)?.add(tenantOf(request));
  for (const path of endpoints) {
    const missing = [...acknowledged].filter((id) => !received.get(path)?.has(id));
    expect(missing, `${path} never heard of them`).toEqual([]);
  }

  // One change, one event, one transaction.
  const named = `('ten_' || replace(t.id::text, '-', '')) = e.body::json #>> '{data,tenant,id}'`;
  expect(
    await count(`select count(*) from tenants t left join events e on ${named} where e.id is null`),
  ).toBe(0);
  expect(
    await count(`select count(*) from events e left join tenants t on ${named} where t.id is null`),
  ).toBe(0);
  expect(await count('select count(*) from tenants')).toBe(await count('select count(*) from events'));

  expect(await count("select count(*) from deliveries where status <> 'succeeded'")).toBe(0);
  expect(await count('select max(attempts) as count from deliveries')).toBeLessThanOrEqual(5);
  const times = new Map<string, number>();
  for (const { headers } of receiver.received) {
    const id = headers['x-service-delivery'] ?? '';
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  expect(Math.max(...times.values())).toBeLessThanOrEqual(5);
  console.log(
    `${kills} kills, ${acknowledged.size} writes, ${times.size} deliveries, ` +
      `${receiver.received.length - times.size} duplicates`,
  );
});

const tenantOf = ({ body }: Received): string => JSON.parse(body).data.tenant.id;

const postmasterPid = (cluster: string): number =>
  Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);

/** Starts it again whenever it ends, as a service manager would. */
function keepRunning(spawn: () => ServerProcess) {
  let wanted = true;
  let current = spawn();
  const running = (async () => {
    while (wanted) {
      await current.ended;
      if (!wanted) break;
      await sleep(50);
      current = spawn();
    }
  })();
  return {
    current: () => current,
    async stop() {
      wanted = false;
      current.kill('SIGTERM');
      await running;
    },
  };
}
