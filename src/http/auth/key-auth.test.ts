import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { envelope } from '../../../test/support/envelope.ts';
import { expectError, make } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';
import { createKey, revokeKey } from '../../api-keys/api-keys.ts';
import { createApp } from '../../app.ts';
import { operator } from '../../caller.ts';
import { raw, sql } from '../../db/sql.ts';
import { routes } from '../routes/routes.ts';
import { createServer } from '../server/server.ts';

let service: Service;
let client: Client;
const realNow = () => new Date();
beforeAll(async () => {
  service = await testService();
  client = await service.client();
});
afterEach(() => {
  service.app.now = realNow;
});
afterAll(() => service.close());

const aheadBy = (ms: number) => {
  service.app.now = () => new Date(Date.now() + ms);
};
const read = (authorization: string, url = service.url) =>
  fetch(`${url}/api/v1/payments`, { headers: authorization ? { authorization } : {} });

test('a missing, malformed or unknown key is 401 with the envelope', async () => {
  const { key } = client;
  const wrong = [
    '',
    'Bearer',
    'Bearer ',
    key,
    `Basic ${key}`,
    `Bearer${key}`,
    `Bearer ${key} ${key}`,
    `Bearer ${key}, Bearer ${key}`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer ${key}0`,
    `Bearer ${key.toLowerCase()}`,
    `Bearer ${key.toUpperCase()}`,
    `Bearer svc_test_${key.slice(9)}`,
    `Bearer svc_live_${'0'.repeat(43)}`,
    'Bearer svc_live_',
    `Bearer "${key}"`,
    `Token ${key}`,
    `Bearer ${'x'.repeat(5000)}`,
    "Bearer ' or 1=1 --",
  ];
  for (const header of wrong) {
    const response = await read(header);
    expect(response.status, header).toBe(401);
    expect(await response.json()).toEqual(envelope(401, 'Unauthorized'));
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  }
  expect((await service.request('GET', `/payments?api_key=${key}`)).status).toBe(401);
});

test('the scheme is read in any case', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
    expect((await read(`${scheme} ${client.key}`)).status).toBe(200);
  expect((await read(`Bearer   ${client.key}`)).status).toBe(200);
});

test.each(routes.map((route) => [route.method, route.path, route.permission] as const))(
  '%s %s needs a key, and one that may %s',
  async (method, path, permission) => {
    const at = path.replace(/:\w+/, 'x');
    expectError(await service.request(method, at), 401, 'Unauthorized');
    if (permission === 'read') return;
    const reader = await service.client({ permission: 'read', accountId: client.accountId });
    expectError(await service.request(method, at, { key: reader.key, body: {} }), 403, 'Forbidden');
  },
);

test('a key that may read reads, and one that may write does both', async () => {
  const { id } = await make.property(client);
  const reader = await service.client({ permission: 'read', accountId: client.accountId });
  expect((await reader.get(`/properties/${id}`)).status).toBe(200);
  expect((await client.get(`/properties/${id}`)).status).toBe(200);
});

test('a revoked key cannot read payments a second later, on any process', async () => {
  const second = createServer(createApp({ ...service.app, secretKey: 'x'.repeat(32) }));
  await second.listen({ port: 0, host: '127.0.0.1' });
  const urls = [service.url, `http://127.0.0.1:${(second.server.address() as AddressInfo).port}`];
  const { id, key } = await createKey(service.database.db, {
    by: { actor: operator },
    accountId: client.accountId,
    name: 'short-lived',
    permission: 'read',
    expiresAt: null,
  });
  for (const url of urls) expect((await read(`Bearer ${key}`, url)).status).toBe(200);
  await revokeKey(service.database.db, { accountId: client.accountId, actor: operator }, id, new Date());
  const deadline = Date.now() + 1000;
  for (const url of urls) {
    let status = 200;
    while (status !== 401 && Date.now() <= deadline) status = (await read(`Bearer ${key}`, url)).status;
    expect(status).toBe(401);
  }
  await second.close();
});

test('an expired key is refused at once, though it was good a moment ago', async () => {
  const expired = await service.client({ accountId: client.accountId, expiresAt: new Date(Date.now() - 1) });
  expectError(await expired.get('/payments'), 401, 'Unauthorized');
  const expiring = await service.client({
    accountId: client.accountId,
    expiresAt: new Date(Date.now() + 60_000),
  });
  expect((await expiring.get('/payments')).status).toBe(200);
  aheadBy(60_001);
  expectError(await expiring.get('/payments'), 401, 'Unauthorized');
});

test('the key itself is stored nowhere and shown to nobody', async () => {
  const { key } = client;
  const answers = [
    await client.get('/nowhere'),
    await client.post('/payments', { tenant_id: key }),
    await client.get(`/payments/${key}`),
    await client.get(`/payments?status=${key}`),
  ];
  for (const { text } of answers) expect(text).not.toContain(key);
  const tables = await service.database.db.query<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  for (const { name } of tables) {
    const [row] = await service.database.db.query<{ text: string }>(
      sql`select coalesce(string_agg(t::text, ' '), '') as text from ${raw(name)} t`,
    );
    expect(row?.text.includes(key), name).toBe(false);
  }
});
