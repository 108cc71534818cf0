import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectError } from '../test/support/records.ts';
import { type Service, testService } from '../test/support/service.ts';

let service: Service;
let now = Date.now();
beforeAll(async () => {
  service = await testService({ RATE_LIMIT_PER_SECOND: '2', RATE_LIMIT_BURST: '5' });
  service.app.now = () => new Date(now);
});
afterAll(() => service.close());

test('a key may burst, then learns when to come back, and is accepted then', async () => {
  const client = await service.client();
  for (let left = 4; left >= 0; left--) {
    const { status, headers } = await client.get('/tenants');
    expect(status).toBe(200);
    expect(headers.get('ratelimit-policy')).toBe('"default";q=5;w=3');
    expect(headers.get('ratelimit')).toBe(`"default";r=${left};t=${Math.ceil((5 - left) / 2)}`);
  }
  for (const refused of [
    await client.get('/tenants'),
    await client.post('/tenants', {}),
    await client.get('/tenants/x'),
  ]) {
    expectError(refused, 429, 'Too many requests');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('ratelimit')).toBe('"default";r=0;t=3');
    expect(refused.headers.get('x-request-id')).toMatch(/^req_/);
  }
  now += 1000;
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await client.get('/tenants')).status);
  expect(statuses).toEqual([200, 200, 429]);
  now += 3_600_000;
  expect((await client.get('/tenants')).headers.get('ratelimit')).toBe('"default";r=4;t=1');
});

test('errors count and carry the headers too, and keys do not share', async () => {
  const client = await service.client();
  const reader = await service.client({ permission: 'read', accountId: client.accountId });
  const statuses = [
    await client.post('/tenants', {}),
    await client.get('/tenants/x'),
    await client.get('/tenants?limit=0'),
    await client.patch('/tenants/x', {}),
    await client.delete('/webhooks/x'),
  ].map(({ status, headers }) => {
    expect(headers.get('ratelimit')).toMatch(/^"default";r=\d;t=\d$/);
    return status;
  });
  expect(statuses).toEqual([400, 404, 400, 400, 404]);
  expect((await client.get('/tenants')).status).toBe(429);
  const forbidden = await reader.post('/tenants', {});
  expectError(forbidden, 403, 'Forbidden');
  expect(forbidden.headers.get('ratelimit')).toBe('"default";r=4;t=1');
});

test('a limited request with an Idempotency-Key is not recorded', async () => {
  const client = await service.client();
  for (let n = 0; n < 5; n++) await client.get('/tenants');
  const create = () =>
    client.post('/tenants', { first_name: 'A', last_name: 'B' }, { 'idempotency-key': 'later' });
  expect((await create()).status).toBe(429);
  now += 1000;
  const answer = await create();
  expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, null]);
});

test('an address that keeps failing is limited, but not the good keys behind it', async () => {
  const good = await service.client();
  const late = await service.client();
  expect((await good.get('/tenants')).status).toBe(200);
  now += 60_000;
  const fail = async (key: string) => (await service.request('GET', '/tenants', { key })).status;
  const guess = (n: number) => `svc_live_${String(n).padStart(43, '0')}`;
  const statuses = [];
  for (let n = 0; n < 300; n += 50)
    statuses.push(...(await Promise.all(Array.from({ length: 50 }, (_, at) => fail(guess(n + at))))));
  expect(new Set(statuses)).toEqual(new Set([401]));
  const refused = await service.request('GET', '/tenants', { key: guess(1) });
  expectError(refused, 429, 'Too many requests');
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await fail('nonsense')).toBe(429);
  expect((await service.request('GET', '/tenants')).status).toBe(429);
  expect((await good.get('/tenants')).status).toBe(200);
  now += 20;
  expect((await late.get('/tenants')).status).toBe(200);
  expect(await fail('nonsense')).toBe(401);
  expect(await fail('nonsense')).toBe(429);
});

test('a limit of 0 is no limit, and sends no headers', async () => {
  const unlimited = await testService({ RATE_LIMIT_PER_SECOND: '0', RATE_LIMIT_BURST: '1' });
  const client = await unlimited.client();
  const answers = await Promise.all(Array.from({ length: 30 }, () => client.get('/tenants')));
  for (const { status, headers } of answers) {
    expect(status).toBe(200);
    expect(headers.get('ratelimit')).toBeNull();
    expect(headers.get('ratelimit-policy')).toBeNull();
  }
  await unlimited.close();
});
