import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { createServer } from '../../src/http/server/server.ts';
import { version } from '../../src/system/version.ts';
import { signUp } from '../support/browser.ts';
import { type Service, testService } from '../support/service.ts';

/* What strangers find out, and what operators find out about them. */

let service: Service;
beforeAll(async () => {
  service = await testService({
    SIGN_UP: 'open',
    SECURITY_CONTACT: 'security@example.com',
    PUBLIC_URL: 'https://rent.example.com',
  });
});
afterAll(() => service.close());

test('strangers are not told the version', async () => {
  for (const path of ['/internal/v1/session', '/api/v1/openapi.json', '/docs/', '/readyz', '/healthz', '/']) {
    const response = await fetch(service.url + path);
    const said = [...response.headers].flat().join('\n') + (await response.text());
    expect(said, path).not.toContain(version);
  }
  const person = await signUp(service);
  expect((await person.get('/session')).body.data.version).toBe(version);
});

test('security.txt says where to report a vulnerability, if the operator does', async () => {
  const response = await fetch(`${service.url}/.well-known/security.txt`);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await response.text();
  expect(text).toMatch(/^Contact: mailto:security@example\.com\nExpires: (\S+)\n/);
  expect(text).toContain('Canonical: https://rent.example.com/.well-known/security.txt\n');
  const expires = Date.parse(/Expires: (\S+)/.exec(text)?.[1] ?? '');
  expect(expires).toBeGreaterThan(Date.now() + 100 * 86_400_000);
  expect(expires).toBeLessThan(Date.now() + 365 * 86_400_000);
  const { url, close } = await serve({});
  expect((await fetch(`${url}/.well-known/security.txt`)).status).toBe(404);
  await close();
  expect(() => loadConfig({ SECURITY_CONTACT: 'ask\nme' }, '/nonexistent')).toThrow(
    'SECURITY_CONTACT must be',
  );
});

test('an untrusted proxy is reported once, and a trusted one never', async () => {
  const through = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };
  for (const [settings, warnings] of [
    [{}, 1],
    [{ TRUST_PROXY: '1' }, 0],
  ] as const) {
    const { url, log, close } = await serve(settings);
    await fetch(`${url}/healthz`);
    expect(log).toEqual([]);
    for (let n = 0; n < 3; n++) await fetch(`${url}/healthz`, { headers: through });
    expect(log.filter(({ msg }) => msg.includes('TRUST_PROXY is off'))).toHaveLength(warnings);
    await close();
  }
});

/** A server on the same database with a log that the test can read. */
async function serve(settings: Record<string, string>) {
  const log: { level: number; msg: string }[] = [];
  const config = loadConfig({ SECRET_KEY: service.secretKey, ...settings }, '/nonexistent');
  const write = (line: string) => {
    const entry = JSON.parse(line);
    if (entry.level >= 40) log.push(entry);
  };
  const app = createApp({
    config,
    db: service.app.db,
    log: pino({}, { write }),
    secretKey: service.secretKey,
  });
  const server = createServer(app);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, log, close: () => server.close() };
}
