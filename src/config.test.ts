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

test('metrics on the port of the API are refused, and may both have any free port', async () => {
  await expect(start(load({ METRICS_PORT: '3000' })(), 'start')).rejects.toThrow(
    'METRICS_PORT must be another port than PORT; both are 3000.',
  );
  expect(() => refuseSharedPort(load({ PORT: '0', METRICS_PORT: '0' })())).not.toThrow();
});

test('a target that is none is named in one sentence', () => {
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
])('a DATABASE_URL that is none is told in one sentence that does not repeat it: %s', (url) => {
  const wrong = load({ DATABASE_URL: url, SECRET_KEY: 'k'.repeat(32) });
  expect(wrong).toThrow(/^DATABASE_URL must be a Postgres address such as [^\n]+\.$/);
  expect(wrong).not.toThrow('me:pass');
});
