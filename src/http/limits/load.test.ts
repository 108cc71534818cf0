import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { countLockWaits } from '../../../test/support/database.ts';
import { envelope } from '../../../test/support/envelope.ts';
import { until } from '../../../test/support/process.ts';
import { type Client, requestsUnderWay, type Service, testService } from '../../../test/support/service.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService({ REQUEST_CONCURRENCY: '2', RATE_LIMIT_PER_SECOND: '0' });
  client = await service.client();
});
afterAll(() => service.close());

/** Holds up requests about properties until the function that it returns is called. */
async function holdUpProperties(): Promise<() => Promise<void>> {
  const holder = await service.app.db.connect();
  await holder.query('begin; lock table properties in access exclusive mode');
  return async () => {
    await holder.query('rollback');
    holder.release();
  };
}

const waiting = () => countLockWaits(service.app.db);

test('requests beyond the limit are refused at once, people and probes are not, and it ends when the work does', async () => {
  const goOn = await holdUpProperties();
  const held = [client.get('/properties'), client.post('/properties', { name: 'Held' })];
  await until(async () => (await waiting()) === 2);

  const refused = await client.get('/tenants');
  expect(refused.status).toBe(503);
  expect(refused.body).toEqual(envelope(503, 'Too busy'));
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('x-request-id')).toMatch(/^req_/);
  // The path counts however it is encoded.
  const encoded = await fetch(`${service.url}/%61pi/v1/tenants`, {
    headers: { authorization: `Bearer ${client.key}` },
  });
  expect([encoded.status, encoded.headers.get('cache-control')]).toEqual([503, 'no-store']);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect((await fetch(`${service.url}/internal/v1/properties`)).status).toBe(401);

  await goOn();
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 201]);
  expect((await client.get('/tenants')).status).toBe(200);
});

test('if there are many refusals, each waits for a second, so that immediate retries do not keep us busy', async () => {
  const goOn = await holdUpProperties();
  const held = [client.get('/properties'), client.get('/properties')];
  onTestFinished(async () => {
    await goOn();
    await Promise.all(held);
  });
  await until(async () => (await waiting()) === 2);
  const refusedAfterMs = async () => {
    const since = performance.now();
    expect((await client.get('/tenants')).status).toBe(503);
    return performance.now() - since;
  };
  const times = await Promise.all(Array.from({ length: 400 }, refusedAfterMs));
  // The first hundred within a second are answered at once.
  expect(times.filter((ms) => ms >= 990).length).toBeGreaterThan(100);
});

test('one account leaves a fifth to the others', async () => {
  const larger = await testService({ REQUEST_CONCURRENCY: '5' });
  onTestFinished(() => larger.close());
  const [busy, quiet] = [await larger.client(), await larger.client()];
  const holder = await larger.app.db.connect();
  await holder.query('begin; lock table properties in access exclusive mode');
  const held = Array.from({ length: 4 }, () => busy.get('/properties'));
  try {
    await until(async () => (await requestsUnderWay(larger)) === 4);
    expect((await busy.get('/tenants')).body).toEqual(envelope(503, 'Too busy', { type: 'overloaded' }));
    expect((await quiet.get('/webhooks')).status).toBe(200);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  for (const { status } of await Promise.all(held)) expect(status).toBe(200);
  expect((await busy.get('/tenants')).status).toBe(200);
});

test('every answer, good or bad, makes room again', async () => {
  for (let n = 0; n < 5; n++) {
    expect((await client.get('/properties?limit=0')).status).toBe(400);
    expect((await client.get('/nothing')).status).toBe(404);
    expect((await client.post('/properties', {})).status).toBe(400);
    expect((await service.request('GET', '/properties')).status).toBe(401);
    expect((await client.get('/properties?format=csv')).status).toBe(200);
  }
  const both = await Promise.all([client.get('/properties'), client.get('/tenants')]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
});

test('a slow sender does not count towards the limit', async () => {
  const { hostname, port } = new URL(service.url);
  const { connect } = await import('node:net');
  const head = `POST /api/v1/properties HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Length: 20\r\n\r\n`;
  const slow = [1, 2, 3, 4].map(() => connect(Number(port), hostname).on('error', () => undefined));
  for (const socket of slow) socket.write(`${head}{"name"`);
  const answers = await Promise.all([client.get('/properties'), client.get('/tenants')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  for (const socket of slow) socket.destroy();
});
