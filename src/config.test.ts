import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig, refuseSharedPort } from './config.ts';
import { start } from './start.ts';

const load = (environment: Record<string, string>) => () => loadConfig(environment, '/nonexistent');

test('a .env that begins with a byte order mark keeps its first setting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-env-'));
  writeFileSync(join(folder, '.env'), '\uFEFFPORT=4000\nHOST=0.0.0.0\n');
  expect(loadConfig({}, join(folder, '.env'))).toMatchObject({ PORT: 4000, HOST: '0.0.0.0' });
  rmSync(folder, { recursive: true });
});

test('a .env that cannot be read is named', () => {
  expect(() => loadConfig({}, tmpdir())).toThrow(`${tmpdir()} cannot be read: EISDIR`);
});

test('metrics on the port of the API are refused, and may both have any free port', async () => {
  await expect(start(load({ METRICS_PORT: '3000' })(), 'start')).rejects.toThrow(
    'METRICS_PORT must be another port than PORT; both are 3000.',
  );
  expect(() => refuseSharedPort(load({ PORT: '0', METRICS_PORT: '0' })())).not.toThrow();
});

test('a malformed target is named in one sentence', () => {
  expect(load({ WEBHOOK_ALLOWED_TARGETS: 'localhost:4000, foo' })).toThrow(
    /^WEBHOOK_ALLOWED_TARGETS must be host:port or networks such as 127\.0\.0\.0\/8, which "foo" is not; it is "localhost:4000, foo"\.$/,
  );
});

test('a wrong setting is named with what is allowed', () => {
  expect(load({ SIGN_UP: 'maybe' })).toThrow(/^SIGN_UP must be one of first, open, closed; it is "maybe"\.$/);
});

test.each([
  'postgres://me:pass#word@db/tenure',
  'postgres://me:password@db:123456/tenure',
  'mysql://db/tenure',
])('a DATABASE_URL that is not one is reported in one sentence that does not repeat it: %s', (url) => {
  const wrong = load({ DATABASE_URL: url, SECRET_KEY: 'k'.repeat(32) });
  expect(wrong).toThrow(/^DATABASE_URL must be a Postgres address such as [^\n]+\.$/);
  expect(wrong).not.toThrow('me:pass');
});

const openid = {
  OIDC_ISSUER: 'https://login.example.com/realms/office/',
  OIDC_CLIENT_ID: 'tenure',
  OIDC_CLIENT_SECRET: 'secret',
  PUBLIC_URL: 'https://rent.example.com',
};

test('an issuer of OpenID Connect is written with or without a slash, and over http only within a network', () => {
  expect(load(openid)().OIDC_ISSUER).toBe('https://login.example.com/realms/office');
  for (const nearby of [
    'http://localhost:8080',
    'http://keycloak:8080/realms/a',
    'http://10.1.2.3',
    'http://[::1]',
  ])
    expect(load({ ...openid, OIDC_ISSUER: nearby })().OIDC_ISSUER).toBe(nearby);
  for (const wrong of [
    'http://login.example.com',
    'http://8.8.8.8',
    'ftp://localhost',
    'login',
    'https://a.test/?b',
  ])
    expect(load({ ...openid, OIDC_ISSUER: wrong })).toThrow(/^OIDC_ISSUER must be an https address such as /);
});

test.each<[Record<string, string>, string]>([
  [
    { ...openid, OIDC_CLIENT_SECRET: '' },
    'OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET go together; OIDC_CLIENT_SECRET must be set too.',
  ],
  [
    { ...openid, PUBLIC_URL: '' },
    'OIDC_ISSUER needs PUBLIC_URL: the issuer sends people back to that address.',
  ],
  [{ OIDC_ONLY: 'true' }, 'OIDC_ONLY needs an OIDC_ISSUER; set that one too.'],
  [{ ...openid, OIDC_SCOPES: 'email' }, 'OIDC_SCOPES must contain openid; it is "email".'],
])('half of the settings of OpenID Connect are refused: %o', (settings, sentence) => {
  expect(load(settings)).toThrow(sentence);
});
