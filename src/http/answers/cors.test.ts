import { afterAll, beforeAll, expect, test } from 'vitest';
import { unknownId } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';
import { loadConfig } from '../../config.ts';
import { routes } from '../routes/routes.ts';

const page = 'https://app.example.com';
let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService({ CORS_ORIGINS: `${page}, http://localhost:5173` });
  client = await service.client();
});
afterAll(() => service.close());

const from = (origin: string, path: string, options: RequestInit = {}, to = service) =>
  fetch(`${to.url}${path}`, {
    ...options,
    headers: { origin, authorization: `Bearer ${client.key}`, ...options.headers },
  });
const ask = (origin: string, path: string, method: string, to = service) =>
  from(
    origin,
    path,
    { method: 'OPTIONS', headers: { 'access-control-request-method': method, authorization: '' } },
    to,
  );
const allowed = (answer: Response) => answer.headers.get('access-control-allow-origin');

test('a page of a named origin can read every answer and its headers, errors included', async () => {
  const post = (body: string, more = {}) => ({ method: 'POST', body, headers: more });
  const answers: [number, Promise<Response>][] = [
    [200, from(page, '/api/v1/tenants')],
    [201, from(page, '/api/v1/tenants', post('{"first_name":"Ada","last_name":"Okafor"}'))],
    [400, from(page, '/api/v1/tenants', post('{}'))],
    [401, from(page, '/api/v1/tenants', { headers: { authorization: 'Bearer svc_live_wrong' } })],
    [404, from(page, `/api/v1/tenants/${unknownId('ten')}`)],
    [404, from(page, '/api/v1/nothing')],
    [405, from(page, '/api/v1/tenants', { method: 'DELETE' })],
    [406, from(page, '/api/v1/tenants', { headers: { 'accept-encoding': 'identity;q=0' } })],
    [413, from(page, '/api/v1/tenants', post('x'.repeat(1024 * 1024 + 1)))],
    [200, from('http://localhost:5173', '/api/v1/openapi.json')],
  ];
  for (const [status, asked] of answers) {
    const answer = await asked;
    expect(answer.status).toBe(status);
    expect(allowed(answer), String(status)).toMatch(
      /^https:\/\/app\.example\.com$|^http:\/\/localhost:5173$/,
    );
    expect(answer.headers.get('vary')).toMatch(/\borigin\b/i);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    for (const name of [
      'ETag',
      'Location',
      'Link',
      'X-Total-Count',
      'Retry-After',
      'RateLimit',
      'X-Request-Id',
    ])
      expect(answer.headers.get('access-control-expose-headers')).toContain(name);
  }
});

test('a browser learns that a page may send what the API takes', async () => {
  for (const { method, path } of routes) {
    const answer = await ask(page, `/api/v1${path.replace(/:\w+/, 'x')}`, method);
    expect([answer.status, allowed(answer), await answer.text()]).toEqual([204, page, '']);
    expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
    for (const name of [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'Prefer',
    ])
      expect(answer.headers.get('access-control-allow-headers')).toContain(name);
  }
});

test('other origins, the dashboard and /mcp stay closed', async () => {
  const others = [
    'https://evil.example',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'null',
  ];
  for (const origin of others) {
    const answer = await from(origin, '/api/v1/tenants');
    expect([origin, answer.status, allowed(answer)]).toEqual([origin, 200, null]);
    expect(answer.headers.get('vary')).toMatch(/\borigin\b/i);
    const asked = await ask(origin, '/api/v1/tenants', 'GET');
    expect([asked.status, allowed(asked)]).toEqual([405, null]);
  }
  for (const path of [
    '/internal/v1/tenants',
    '/internal/v1/session',
    '/mcp',
    '/',
    '/%69nternal/v1/tenants',
  ]) {
    expect(allowed(await from(page, path)), path).toBeNull();
    expect(allowed(await ask(page, path, 'POST')), path).toBeNull();
  }
});

test('an asterisk lets every page call, and by default none may', async () => {
  const open = await testService({ CORS_ORIGINS: '*' }, service.database);
  const answer = await from('https://anybody.example', '/api/v1/tenants', {}, open);
  expect([answer.status, allowed(answer)]).toEqual([200, '*']);
  expect(allowed(await ask('null', '/api/v1/tenants', 'GET', open))).toBe('*');
  expect(allowed(await from('https://anybody.example', '/internal/v1/session', {}, open))).toBeNull();

  const closed = await testService({}, service.database);
  const plain = await from(page, '/api/v1/tenants', {}, closed);
  expect([allowed(plain), plain.headers.get('vary')]).toEqual([null, expect.not.stringMatching(/origin/i)]);
  expect((await ask(page, '/api/v1/tenants', 'GET', closed)).status).toBe(405);
});

test.each([
  'app.example.com',
  'https://app.example.com/path',
  'ftp://app.example.com',
  'https://*.example.com x',
])('CORS_ORIGINS=%s stops the start', (value) => {
  expect(() => loadConfig({ CORS_ORIGINS: value }, '/nonexistent')).toThrow(/CORS_ORIGINS.*origins/s);
});
