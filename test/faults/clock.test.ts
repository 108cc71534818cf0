import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import {
  dataFolder,
  type Environment,
  freePort,
  newKey,
  ready,
  removeFolder,
  type ServerProcess,
  said,
  spawnServer,
  until,
} from '../support/process.ts';
import { acknowledge, hang, type Received, startReceiver } from '../support/receiver.ts';
import { needsDebian } from './support/debian.ts';
import { startDebianPostgres } from './support/debian-postgres.ts';

vi.setConfig({ testTimeout: 180_000 });
afterAll(() => vi.resetConfig());

const hourMs = 3_600_000;

/**
 * Tests with real clocks: our processes and Postgres see a clock that is set back by an hour while they run
 * (libfaketime), as NTP does on a machine whose clock was wrong. Monotonic clocks are left alone, as in the kernel.
 */
test('a clock that is set back by an hour delays no delivery, hides no record and breaks no promise', async (context) => {
  await needsDebian(context, 'postgresql-15', 'faketime');
  const clock = await steppableClock();
  const postgres = await startDebianPostgres(clock.environment);
  onTestFinished(() => postgres.stop());
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const environment: Environment = {
    ...clock.environment,
    DATABASE_URL: postgres.url,
    SECRET_KEY: 'a secret key of at least 32 characters',
    PORT: String(await freePort()),
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
    WEBHOOK_RETRY_DELAYS_MS: '20000,20000,20000,20000',
  };
  const api = await start(environment, 'api');
  const key = await newKey(environment);
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${api.current.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: whatever came back
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  const addTenant = async (name: string, headers = {}) => {
    const answer = await call('POST', '/tenants', { first_name: name, last_name: 'Clock' }, headers);
    expect(answer.status).toBe(201);
    return answer.body.data as { id: string; created_at: string };
  };
  const heard = (name: string): Received[] =>
    receiver.received.filter(({ body }) => body.includes(`"first_name":"${name}"`));
  await call('POST', '/webhooks', { url: receiver.url(), events: ['tenant.created'] });

  // One delivery fails and will be tried again in 20 s. The worker of another one dies while it is sending.
  const first = await start(environment, 'worker');
  receiver.answer((_received, response) => void response.writeHead(500).end());
  const before = await addTenant('retried', { 'idempotency-key': 'before-the-step' });
  await until(() => heard('retried').length === 1);
  receiver.answer(hang);
  await addTenant('interrupted');
  await until(() => heard('interrupted').length === 1);
  const second = await start(environment, 'worker');
  first.current.kill('SIGKILL');
  await first.current.ended;

  clock.step(-hourMs);
  const stepped = performance.now();
  receiver.answer(acknowledge);
  const after = await addTenant('after');
  await until(() => heard('after').length === 1);
  expect(performance.now() - stepped).toBeLessThan(5_000);
  await until(() => heard('interrupted').length >= 2);
  expect(performance.now() - stepped).toBeLessThan(30_000);
  await until(() => heard('retried').length >= 2);
  expect(performance.now() - stepped).toBeLessThan(50_000);

  // It is signed with the current time.
  const latest = heard('retried').at(-1);
  const signedAt = Number(/t=(\d+)/.exec(latest?.headers['x-service-signature'] ?? '')?.[1]) * 1000;
  expect(Math.abs(signedAt - (Date.now() - hourMs))).toBeLessThan(60_000);

  // A client that reads on from what it saw last finds what came after it.
  const { body: since } = await call('GET', `/tenants?created_since=${before.created_at}`);
  expect(since.data.map(({ id }: { id: string }) => id)).toContain(after.id);
  const { body: list } = await call('GET', '/tenants');
  expect(list.data[0].id).toBe(after.id);

  const replay = await call(
    'POST',
    '/tenants',
    { first_name: 'retried', last_name: 'Clock' },
    { 'idempotency-key': 'before-the-step' },
  );
  expect(replay.body.data.id).toBe(before.id);
  expect(replay.headers.get('idempotent-replayed')).toBe('true');

  // A restart does not upset the order, either.
  await api.restart();
  const last = await addTenant('after the restart');
  const { body: again } = await call('GET', '/tenants');
  expect(again.data[0].id).toBe(last.id);
  await until(() => heard('after the restart').length === 1);
  await said(api.current, 'the clock of this machine is behind the newest record');
  await said(second.current, "the database's clock went back");
});

async function start(environment: Environment, part: 'api' | 'worker') {
  const spawn = async (): Promise<ServerProcess> => {
    const server = spawnServer(environment, part);
    onTestFinished(async () => {
      server.kill('SIGTERM');
      await server.ended;
    });
    if (part === 'api') await ready(server);
    else await until(() => server.output().includes('Tenure is running'));
    return server;
  };
  const started = {
    current: await spawn(),
    async restart() {
      started.current.kill('SIGTERM');
      expect(await started.current.ended).toBe(0);
      started.current = await spawn();
    },
  };
  return started;
}

/** A clock for other processes, which follow a file. */
async function steppableClock(): Promise<{ environment: Environment; step(ms: number): void }> {
  const folder = await dataFolder();
  onTestFinished(() => removeFolder(folder));
  const file = join(folder, 'clock');
  const step = (ms: number) => writeFileSync(file, `${ms < 0 ? '' : '+'}${ms / 1000}\n`, { mode: 0o644 });
  step(0);
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (library === undefined) throw new Error('libfaketime is not where Debian puts it.');
  return {
    step,
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  };
}
