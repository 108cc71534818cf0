import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { envelope } from '../../../test/support/envelope.ts';
import { createApp } from '../../app.ts';
import { loadConfig } from '../../config.ts';
import { createLog } from '../../log.ts';
import { createServer } from './server.ts';

const script = 'console.log("hello");\n'.repeat(100);
const page = '<!doctype html><title>Tenure</title><script type="module" src="/assets/app-1a2b.js"></script>';

let folder: string;
let database: TestDatabase;
const servers: FastifyInstance[] = [];

async function serve(dashboard: string, settings: Record<string, string> = {}): Promise<string> {
  const key = 'a secret key of at least 32 characters';
  const config = loadConfig({ LOG_LEVEL: 'silent', SECRET_KEY: key, ...settings }, '/nonexistent');
  const server = createServer(
    createApp({ config, db: database.db, log: createLog('silent'), secretKey: key }),
    { dashboard },
  );
  await server.listen({ port: 0, host: '127.0.0.1' });
  servers.push(server);
  return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenure-dashboard-'));
  mkdirSync(join(folder, 'built/assets'), { recursive: true });
  const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, 'built', name), text);
  write('index.html', page);
  write('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('sw.js', 'addEventListener("install", () => self.skipWaiting());');
  write('manifest.webmanifest', '{"name":"Tenure"}');
  write('.stamp', 'not for you');
  write('assets/app-1a2b.js', script);
  write('assets/app-1a2b.js.br', brotliCompressSync(script));
  write('assets/app-1a2b.js.gz', gzipSync(script));
  writeFileSync(join(folder, 'secret.txt'), 'outside');
  database = await testDatabase();
  url = await serve(join(folder, 'built'));
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

test.each(['/', '/properties', '/tenants/ten_1?tab=payments', '/invite/abc', '/settings/api-keys'])(
  '%s is the page, never from a cache without asking',
  async (path) => {
    const answer = await fetch(url + path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(page);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    // This does not use fetch, which asks for a fresh copy as soon as it is given a condition.
    const again = await servers[0]?.inject({
      url: path,
      headers: { 'if-none-match': answer.headers.get('etag') ?? '' },
    });
    expect(again?.statusCode).toBe(304);
  },
);

test('pages run only our own scripts and cannot be framed', async () => {
  const { headers } = await fetch(`${url}/`);
  const policy = headers.get('content-security-policy') ?? '';
  for (const rule of [
    "default-src 'self'",
    "script-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ]) {
    expect(policy.split('; ')).toContain(rule);
  }
  expect(policy).not.toContain('unsafe');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('same-origin');
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
  expect(headers.get('permissions-policy')).toContain('camera=()');
  expect(headers.get('strict-transport-security')).toBeNull();
  expect(headers.get('x-request-id')).toMatch(/^req_/);
});

test('behind https browsers are told to stay there', async () => {
  const https = await serve(join(folder, 'built'), { PUBLIC_URL: 'https://rent.example.com' });
  expect((await fetch(`${https}/`)).headers.get('strict-transport-security')).toBe('max-age=31536000');
});

test('built files are kept for ever and sent compressed', async () => {
  for (const [accepted, encoding] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ]) {
    const answer = await fetch(`${url}/assets/app-1a2b.js`, {
      headers: { 'accept-encoding': accepted ?? '' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('content-type')).toMatch(/javascript/);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await answer.text()).toBe(script);
  }
});

test.each([
  ['/favicon.svg', 'image/svg+xml'],
  ['/manifest.webmanifest', 'application/manifest+json'],
  ['/sw.js', 'application/javascript; charset=utf-8'],
])('%s is never from a cache without asking: the next release may have another', async (path, type) => {
  const { status, headers } = await fetch(url + path);
  expect([status, headers.get('content-type')]).toEqual([200, type]);
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test('what is not there is a JSON 404, and is not kept', async () => {
  for (const path of [
    '/assets/gone-9z.js',
    '/robots.txt',
    '/api/v1/nothing',
    '/internal/v1/nothing',
    '/api',
    '//api/v1/tenants',
    '///api//v1/tenants?limit=1',
    '/%2Fapi/v1/tenants',
    '//internal/v1/session',
  ]) {
    const answer = await fetch(url + path);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.json()).toEqual(envelope(404, 'Not found'));
    expect(answer.headers.get('cache-control') ?? '').not.toContain('immutable');
  }
  expect((await fetch(`${url}/properties`, { method: 'POST' })).status).toBe(404);
});

test.each([
  '/assets/../../secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/%2e%2e/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/.stamp',
  '/assets/..%5c..%5csecret.txt',
])('%s leads nowhere', async (path) => {
  const server = servers[0];
  const answer = await server?.inject({ method: 'GET', url: path });
  expect(answer?.body).not.toContain('outside');
  expect(answer?.body).not.toContain('not for you');
});

test('the API reference and health stay where they are', async () => {
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  const reference = await fetch(`${url}/docs/`);
  expect(reference.status).toBe(200);
  expect(await reference.text()).not.toBe(page);
  expect((await fetch(`${url}/api/v1/openapi.json`)).status).toBe(200);
});

test('without a built dashboard a plain page says what to do, and the API works', async () => {
  const bare = await serve(join(folder, 'nowhere'));
  const answer = await fetch(`${bare}/`);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toContain('npm start');
  expect((await fetch(`${bare}/api/v1/properties`)).status).toBe(401);
});
