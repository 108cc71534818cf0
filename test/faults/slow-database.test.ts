import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { isCluster } from '../support/database.ts';
import { envelope } from '../support/envelope.ts';
import {
  type Environment,
  freePort,
  ready,
  type ServerProcess,
  spawnServer,
  until,
} from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { type Service, testService } from '../support/service.ts';
import { thorough } from '../support/thorough.ts';
import { addressOf, startProxy, type TcpProxy } from './support/proxy.ts';
import { full, randomFrom, scale, seed } from './support/scale.ts';

/** How long the service waits for its database. `npm test` has no time for the real ten seconds. */
const timeoutMs = scale(10_000, 6_000);
/** The wait for a connection, the wait for the answer, and some extra time for a busy machine. */
const answeredWithinMs = Math.min(5_000, timeoutMs) + timeoutMs + scale(2_000, 20_000);

let service: Service;
let proxy: TcpProxy;
let receiver: Receiver;
let server: ServerProcess;
let key: string;
let tenantId: string;

beforeAll(async () => {
  service = await testService();
  key = (await service.client()).key;
  proxy = await startProxy(addressOf(inject('postgres')));
  receiver = await startReceiver();
  server = spawnServer({
    ...onProxy(),
    PORT: String(await freePort()),
    RATE_LIMIT_PER_SECOND: '0',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
  });
  await ready(server);
  const subscribed = await post('/webhooks', { url: receiver.url(), events: ['tenant.created'] });
  expect(subscribed.status).toBe(201);
  tenantId = ((await addTenant('first')).body as { data: { id: string } }).data.id;
});
afterAll(async () => {
  proxy.pass();
  server.kill('SIGTERM');
  expect(await server.ended, server.output()).toBe(0);
  await proxy.close();
  await receiver.close();
  await service.close();
});
afterEach(() => proxy.pass());

function onProxy(): Environment {
  const { user, database } = service.database.connection;
  return {
    DATABASE_URL: `postgres://${user}@127.0.0.1:${proxy.port}/${database}`,
    DATABASE_TIMEOUT_MS: String(timeoutMs),
    SECRET_KEY: service.secretKey,
  };
}

interface Answer {
  status: number;
  ms: number;
  body: unknown;
  retryAfter: string | null;
}

async function call(path: string, init: RequestInit = {}): Promise<Answer> {
  const since = performance.now();
  const response = await fetch(`${server.url}${path}`, init);
  const body = await response.json();
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, ms: performance.now() - since, body, retryAfter };
}
const authorization = () => ({ authorization: `Bearer ${key}` });
const get = (path: string) => call(`/api/v1${path}`, { headers: authorization() });
const post = (path: string, body: object) =>
  call(`/api/v1${path}`, { method: 'POST', headers: authorization(), body: JSON.stringify(body) });
const addTenant = (name: string) => post('/tenants', { first_name: name, last_name: 'Slow' });

const addPayment = (reference: string) =>
  post('/payments', { tenant_id: tenantId, amount_cents: 100, reference });

const away = { body: envelope(503, 'Service unavailable'), retryAfter: '1', status: 503 };

/** Everything is normal again: many requests at once are answered quickly, and what is written is delivered. */
async function expectNormal(name: string): Promise<void> {
  const since = performance.now();
  await until(async () => (await call('/readyz')).status === 200);
  await until(async () => (await get('/tenants?limit=1')).status === 200);
  expect(performance.now() - since).toBeLessThan(scale(5_000, 40_000));
  const answers = await Promise.all(Array.from({ length: 40 }, () => get('/tenants?limit=1')));
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
  expect((await addTenant(name)).status).toBe(201);
  await until(() => receiver.received.some(({ body }) => body.includes(`"first_name":"${name}"`)));
  // The connections of the pool, and the one that listens.
  expect(proxy.open()).toBeLessThanOrEqual(11);
}

test('a database that hangs is a 503 within bounded time; alive, not ready, and back in seconds', async () => {
  proxy.stall();
  const asked = Promise.all([
    ...Array.from({ length: 30 }, () => get('/tenants?limit=1')),
    ...Array.from({ length: 30 }, (_, n) => addTenant(`hung ${n}`)),
    ...Array.from({ length: 30 }, (_, n) => addPayment(`hung ${n}`)),
  ]);
  const alive = await call('/healthz');
  expect(alive).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(alive.ms).toBeLessThan(scale(1_000, answeredWithinMs));
  const notReady = await call('/readyz');
  expect(notReady).toMatchObject({ status: 503, body: { status: 'unavailable', database: 'unreachable' } });
  expect(notReady.ms).toBeLessThan(answeredWithinMs);

  for (const { ms, ...answer } of await asked) {
    expect(answer).toEqual(away);
    expect(ms).toBeLessThan(answeredWithinMs);
  }
  proxy.pass();
  await expectNormal('after the hang');
});

/** The longer delay is more than some requests and new connections have time for. */
test.each(scale([200, 2_000], [20]))(
  'a slow database (%i ms) makes answers slow, not wrong',
  async (delayMs) => {
    proxy.delay(delayMs);
    const kinds = [
      () => get('/tenants?limit=1'),
      (n: number) => addTenant(`slow ${n}`),
      (n: number) => addPayment(`slow ${n}`),
    ];
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => kinds[n % 3]?.(n) as Promise<Answer>),
    );
    const failed = answers.filter(({ status }) => status >= 300);
    for (const { ms: _, ...answer } of failed) expect(answer).toEqual(away);
    expect(failed.length).toBeLessThanOrEqual(delayMs === 2_000 ? 29 : 0);
    for (const { ms } of answers) expect(ms).toBeLessThan(answeredWithinMs + 4 * delayMs);
    expect(answers.some(({ ms }) => ms > delayMs)).toBe(true);
    proxy.pass();
    await expectNormal(`after ${delayMs} ms`);
  },
);

test.runIf(full || thorough)(
  'connections that break at random cost some 503, and nothing that was acknowledged',
  async () => {
    const random = randomFrom(seed);
    // A write to a cluster takes several times as many round trips.
    proxy.drop(isCluster() ? 0.01 : 0.05, random);
    const acknowledged: string[] = [];
    const paid: string[] = [];
    const refused: Answer[] = [];
    let reads = 0;
    let writing = true;
    const write = async (writer: number) => {
      for (let n = 0; writing; n++) {
        const name = `drop ${writer} ${n}`;
        const answer = await addTenant(name);
        if (answer.status === 201) acknowledged.push(name);
        else refused.push(answer);
        const [payment, read] = await Promise.all([addPayment(name), get('/tenants?limit=1')]);
        if (payment.status === 201) paid.push(name);
        else refused.push(payment);
        if (read.status === 200) reads++;
        else refused.push(read);
      }
    };
    const writers = [1, 2, 3, 4].map(write);
    const since = performance.now();
    await until(() => refused.length >= scale(100, 3) || performance.now() - since > 30_000);
    writing = false;
    await Promise.all(writers);
    proxy.pass();

    for (const { ms: _, ...answer } of refused) expect(answer).toEqual(away);
    expect(refused.length, `seed ${seed}`).toBeGreaterThan(0);
    expect(reads).toBeGreaterThan(refused.length);
    await expectNormal('after the drops');
    const { rows } = await service.app.db.pool.query<{ first_name: string }>(
      'select first_name from tenants',
    );
    const written = new Set(rows.map((row) => row.first_name));
    expect(acknowledged.filter((name) => !written.has(name))).toEqual([]);
    const kept = await service.app.db.pool.query<{ reference: string }>('select reference from payments');
    const references = new Set(kept.rows.map(({ reference }) => reference));
    expect(paid.filter((name) => !references.has(name))).toEqual([]);
    for (const name of acknowledged) {
      await until(() => receiver.received.some(({ body }) => body.includes(`"first_name":"${name}"`)));
    }
  },
);

test.runIf(full)(
  'a start on a database that does not answer yet says so, waits and then serves',
  async () => {
    proxy.stall();
    const other = spawnServer({ ...onProxy(), PORT: String(await freePort()) });
    await until(() => other.output().includes('waiting for the database'));
    proxy.pass();
    await ready(other);
    other.kill('SIGTERM');
    expect(await other.ended).toBe(0);
  },
);

test.runIf(full)('a stop does not wait for a database that does not answer', async () => {
  // Its requests would wait much longer than the stop may take.
  const other = spawnServer({ ...onProxy(), DATABASE_TIMEOUT_MS: '60000', PORT: String(await freePort()) });
  await ready(other);
  proxy.stall();
  const since = performance.now();
  other.kill('SIGTERM');
  expect(await other.ended, other.output()).toBe(0);
  // docs/operating.md promises this.
  expect(performance.now() - since).toBeLessThan(30_000);
});
