import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServer } from '../../src/http/server/server.ts';
import { openBrowser, signUp } from '../support/browser.ts';
import { type Client, type Service, testService } from '../support/service.ts';
import { converse, lines } from '../support/sockets.ts';

/* The headers that every kind of answer has for browsers. */

let service: Service;
let server: FastifyInstance;
let folder: string;
let url: string;
let client: Client;
let cookie: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tenure-pages-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Tenure</title>');
  writeFileSync(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'assets/index-abc.js'), 'export {};');
  service = await testService({ SIGN_UP: 'open', TRUST_PROXY: 'true' });
  client = await service.client();
  cookie = (await signUp(service)).cookies();
  server = createServer({ ...service.app }, { dashboard: folder });
  await server.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await server.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Kind {
  path: string;
  status: number;
  type: RegExp;
  method?: string;
  headers?: () => Record<string, string>;
  /** A page that is shown. Everything else is data. */
  page?: true;
  cached?: true;
}

const key = () => ({ authorization: `Bearer ${client.key}` });
const json = /^application\/json; charset=utf-8$/;
const html = /^text\/html; charset=utf-8$/;
const kinds: Record<string, Kind> = {
  'a record list': { path: '/api/v1/tenants', status: 200, type: json, headers: key },
  'a CSV file': {
    path: '/api/v1/tenants?format=csv',
    status: 200,
    type: /^text\/csv; charset=utf-8/,
    headers: key,
  },
  'a refusal': { path: '/api/v1/tenants', status: 401, type: json },
  'an unknown route': { path: '/api/v1/nothing', status: 404, type: json },
  'a wrong method': { path: '/api/v1/tenants', method: 'PUT', status: 405, type: json },
  'a path that cannot be read': { path: '/api/v1/%', status: 404, type: json },
  'a wrong body': { path: '/api/v1/tenants', method: 'POST', status: 400, type: json, headers: key },
  'the document': { path: '/api/v1/openapi.json', status: 200, type: json },
  'a session': { path: '/internal/v1/session', status: 200, type: json, headers: () => ({ cookie }) },
  'a route of the dashboard': {
    path: '/internal/v1/home',
    status: 200,
    type: json,
    headers: () => ({ cookie }),
  },
  'a tool': { path: '/mcp', method: 'POST', status: 401, type: json },
  'no way to sign in for tools': { path: '/.well-known/oauth-authorization-server', status: 404, type: json },
  health: { path: '/healthz', status: 200, type: /^application\/json/ },
  readiness: { path: '/readyz', status: 200, type: /^application\/json/ },
  'the dashboard': { path: '/', status: 200, type: html, page: true },
  'a page inside the dashboard': { path: '/tenants/x', status: 200, type: html, page: true },
  'a script of the dashboard': {
    path: '/assets/index-abc.js',
    status: 200,
    type: /javascript/,
    cached: true,
    page: true,
  },
  'an icon': { path: '/favicon.svg', status: 200, type: /^image\/svg/, page: true },
  'a missing script': { path: '/assets/nothing.js', status: 404, type: json, page: true },
  'the API reference': { path: '/docs/', status: 200, type: html, page: true },
  'a guide': { path: '/docs/guides', status: 200, type: html, page: true },
  'an unknown guide': { path: '/docs/guides/nothing', status: 404, type: html, page: true },
};

const ask = ({ path, method = 'GET', headers = () => ({}) }: Kind, more: Record<string, string> = {}) =>
  fetch(url + path, {
    method,
    headers: { ...headers(), ...more },
    body: method === 'POST' ? '{}' : null,
    redirect: 'manual',
  });

describe.each(Object.entries(kinds))('%s', (_name, kind) => {
  let response: Response;
  beforeAll(async () => {
    // Pages cannot use the tools at all.
    response = await ask(kind, kind.path === '/mcp' ? {} : { origin: 'https://evil.example' });
    expect(response.status).toBe(kind.status);
    expect(response.headers.get('content-type')).toMatch(kind.type);
  });

  test('is taken for the type it states, and names no software', () => {
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    for (const name of ['server', 'x-powered-by', 'via'])
      expect(response.headers.has(name), name).toBe(false);
  });

  test('can be read by no other site', () => {
    const names = [...response.headers.keys()];
    expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });

  test('cannot be framed, and runs no script that was put into it', () => {
    const policy = response.headers.get('content-security-policy') ?? '';
    if (kind.path === '/healthz' || kind.path === '/readyz' || kind.path.startsWith('/.well-known')) return;
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(kind.page ? /default-src '(self|none)'/ : /default-src 'none'/);
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? '';
    expect(scripts).not.toContain('unsafe');
    expect(policy).not.toMatch(/https?:|\*/);
    if (kind.page && kind.type === html) {
      expect(response.headers.get('x-frame-options')).toBe('DENY');
      expect(response.headers.get('referrer-policy')).toMatch(/^(same-origin|no-referrer)$/);
    }
  });

  test('is not cached if it belongs to an account', () => {
    const caching = response.headers.get('cache-control');
    if (kind.cached) expect(caching).toContain('immutable');
    else if (!kind.page && kind.status === 200) expect(caching).toBe('no-store');
  });

  test('asks for https if it came by https, and only then', async () => {
    expect(response.headers.has('strict-transport-security')).toBe(false);
    // Fastify refuses such a path before it looks at the headers of a proxy.
    if (kind.path === '/api/v1/%') return;
    const secure = await ask(kind, { 'x-forwarded-proto': 'https' });
    expect(secure.headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/);
  });
});

test('what is not even a request is answered in the same way', async () => {
  const { text, statuses } = await converse(url, [lines('GET / HTTP/1.1', 'nonsense')]);
  expect(statuses).toEqual([400]);
  expect(text.toLowerCase()).toContain('x-content-type-options: nosniff');
  expect(text.toLowerCase()).toContain('cache-control: no-store');
  expect(text.toLowerCase()).not.toContain('server:');
});

test('a preflight of another site is refused', async () => {
  for (const path of ['/api/v1/tenants', '/internal/v1/tenants', '/internal/v1/sign-in', '/mcp']) {
    const response = await fetch(url + path, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(response.status, path).toBe(405);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
  }
});

test('the page of the reference runs its own inline script by hash, and that hash is the script’s', async () => {
  const response = await fetch(`${url}/docs/`);
  const policy = response.headers.get('content-security-policy') ?? '';
  const inline = [...(await response.text()).matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  expect(inline).toHaveLength(1);
  const hash = createHash('sha256')
    .update(inline[0]?.[1] ?? '')
    .digest('base64');
  expect(policy.split('; ')).toContain(`script-src 'self' 'sha256-${hash}'`);
});

test('every cookie is HttpOnly, SameSite and, over https, Secure', async () => {
  const proxied = { 'x-forwarded-proto': 'https' };
  const person = { name: 'Ada', email: 'cookie@example.com', password: 'correct horse battery' };
  const answers = [
    await openBrowser({ ...service, url }).post('/sign-up', person, proxied),
    await openBrowser({ ...service, url }).post('/sign-in', person, proxied),
    await openBrowser({ ...service, url }).post('/sign-out', {}, { cookie, ...proxied }),
  ];
  const cookies = answers.flatMap(({ headers }) => headers.getSetCookie());
  expect(cookies.length).toBeGreaterThanOrEqual(3);
  for (const each of cookies) {
    expect(each).toMatch(/; HttpOnly/i);
    expect(each).toMatch(/; SameSite=(Lax|Strict)/i);
    expect(each).toMatch(/; Secure/i);
    expect(each).not.toMatch(/; Domain=/i);
  }
});
