import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { until } from '../../../test/support/process.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService({ REQUEST_CONCURRENCY: '2', RATE_LIMIT_PER_SECOND: '0' });
  client = await service.client();
});
afterAll(() => service.close());

/** Requests about properties wait until it is called. */
async function holdUpProperties(): Promise<() => Promise<void>> {
  const holder = await service.app.db.connect();
  await holder.query('begin; lock table properties in access exclusive mode');
  return async () => {
    await holder.query('rollback');
    holder.release();
  };
}

const waiting = async (): Promise<number> => {
  const { rows } = await service.app.db.pool.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows.length;
};

test('what is more than can be worked on is refused at once; people and probes are not, and it is over with the work', async () => {
  const goOn = await holdUpProperties();
  const held = [client.get('/properties'), client.post('/properties', { name: 'Held' })];
  await until(async () => (await waiting()) === 2);

  const refused = await client.get('/tenants');
  expect(refused.status).toBe(503);
  expect(refused.body).toEqual({ error: { code: 503, message: 'Too busy' } });
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('x-request-id')).toMatch(/^req_/);
  // However it is written.
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

test.each(['GET', 'POST'])(
  'where there are many, who does not wait after a refusal is not listened to: %s',
  async (method) => {
    const goOn = await holdUpProperties();
    const held = [client.get('/properties'), client.get('/properties')];
    onTestFinished(async () => {
      await goOn();
      await Promise.all(held);
    });
    await until(async () => (await waiting()) === 2);

    const body = method === 'POST' ? '{"name":"Again and again"}' : '';
    const request =
      `${method} /api/v1/tenants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${client.key}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    let refusals = 0;
    socket.on('data', (chunk) => {
      refusals += String(chunk).split('HTTP/1.1 503').length - 1;
      socket.write(request);
    });
    socket.write(request);
    await until(() => refusals > 100);
    const before = refusals;
    await sleep(500);
    // A hundred in a second are answered at once, whoever they are for; it would be thousands.
    expect(refusals - before).toBeLessThanOrEqual(101);
    await until(() => refusals > before + 101);
  },
);

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

test('a sender who takes his time has no place in the line', async () => {
  const { hostname, port } = new URL(service.url);
  const { connect } = await import('node:net');
  const head = `POST /api/v1/properties HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.key}\r\nContent-Length: 20\r\n\r\n`;
  const slow = [1, 2, 3, 4].map(() => connect(Number(port), hostname).on('error', () => undefined));
  for (const socket of slow) socket.write(`${head}{"name"`);
  const answers = await Promise.all([client.get('/properties'), client.get('/tenants')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  for (const socket of slow) socket.destroy();
});
