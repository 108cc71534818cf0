import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Config, loadConfig } from '../config.ts';
import { fingerprintOf } from '../secrets/secret-box.ts';
import { forgetRotatedKeys, keyFile, keyFileFor, readSecretKeys, rotateKeyFile } from './key-file.ts';

const now = new Date('2026-11-15T09:30:00Z');
const later = new Date('2026-12-15T09:30:00Z');
let config: Config;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-key-'));
  config = loadConfig({ DATA_DIR: join(folder, 'data') }, '/nonexistent');
});
afterEach(() => rmSync(join(config.DATA_DIR, '..'), { recursive: true }));

test('a key is made once, for its owner only, and is the same from then on', () => {
  const { current, accepted } = readSecretKeys(config, now, []);
  expect(current).toMatch(/^[0-9a-f]{64}$/);
  expect(accepted).toEqual([]);
  expect(readSecretKeys(config, now, []).current).toBe(current);
  expect(statSync(keyFile(config)).mode & 0o777).toBe(0o600);
  expect(readdirSync(config.DATA_DIR)).toEqual(['secret.key']);
});

test('a rotated key is accepted until its day, over several rotations, or forgotten at once', () => {
  const first = readSecretKeys(config, now, []).current;
  rotateKeyFile(config, later, now, []);
  const second = readSecretKeys(config, now, []);
  expect(second.current).not.toBe(first);
  expect(second.accepted).toEqual([first]);
  rotateKeyFile(config, later, now, []);
  const third = readSecretKeys(config, now, []);
  expect(third.accepted).toEqual([second.current, first]);
  expect(statSync(keyFile(config)).mode & 0o777).toBe(0o600);

  expect(readSecretKeys(config, later, [])).toEqual({ current: third.current, accepted: [] });
  forgetRotatedKeys(config);
  expect(readFileSync(keyFile(config), 'utf8')).toBe(`${third.current}\n`);
});

test('a key that the database still has in use is accepted beyond its day, and outlives the next rotation', () => {
  const first = readSecretKeys(config, now, []).current;
  const inUse = [fingerprintOf(first)];
  rotateKeyFile(config, later, now, inUse);
  const second = readSecretKeys(config, later, inUse);
  expect(second.accepted).toEqual([first]);
  rotateKeyFile(config, new Date('2027-01-15T09:30:00Z'), later, inUse);
  expect(readSecretKeys(config, later, inUse).accepted).toEqual([second.current, first]);
  expect(readSecretKeys(config, later, []).accepted).toEqual([second.current]);
});

test('a missing key file is not replaced while the database has a key in use, unless that is given up for lost', () => {
  const first = readSecretKeys(config, now, []).current;
  const inUse = [fingerprintOf(first)];
  rmSync(keyFile(config));
  expect(() => readSecretKeys(config, now, inUse)).toThrow(
    `${keyFile(config)} is missing, and the data is encrypted with its key: restore it from a backup`,
  );
  expect(() => rotateKeyFile(config, later, now, inUse)).toThrow('is missing');
  expect(() => keyFileFor(config, inUse)).toThrow('is missing');
  expect(keyFileFor(config, [])).toBeNull();
  expect(readdirSync(config.DATA_DIR)).toEqual([]);
  expect(readSecretKeys(config, now, inUse, { lost: true }).current).not.toBe(first);
});

test('a backup takes the key file only if it has every key in use', () => {
  const first = readSecretKeys(config, now, []).current;
  rotateKeyFile(config, later, now, []);
  const { current } = readSecretKeys(config, now, []);
  const lines = keyFileFor(config, [fingerprintOf(first), fingerprintOf(current)]);
  expect(lines).toEqual([current, expect.stringContaining(`${first} until`)]);
  forgetRotatedKeys(config);
  expect(keyFileFor(config, [fingerprintOf(current)])).toEqual([current]);
  expect(() => keyFileFor(config, [fingerprintOf(first)])).toThrow('does not contain the key');
});

test.runIf(process.getuid?.() === 0)(
  'what root writes belongs to whom the file belonged to, else the folder, and goes where no link leads',
  () => {
    const ownerOf = () => statSync(keyFile(config)).uid;
    mkdirSync(config.DATA_DIR);
    chownSync(config.DATA_DIR, 1, 1);
    readSecretKeys(config, now, []);
    expect(ownerOf()).toBe(1);
    chownSync(keyFile(config), 2, 2);
    const elsewhere = join(config.DATA_DIR, '..', 'elsewhere');
    writeFileSync(elsewhere, 'as it was');
    symlinkSync(elsewhere, `${keyFile(config)}.new`);
    rotateKeyFile(config, later, now, []);
    expect(ownerOf()).toBe(2);
    expect(statSync(keyFile(config)).mode & 0o777).toBe(0o600);
    expect(readFileSync(elsewhere, 'utf8')).toBe('as it was');
    expect(statSync(elsewhere).uid).toBe(0);
  },
);

test('the setting wins over the file, and a file without a key is not taken for one', () => {
  const set = { ...config, SECRET_KEY: 'x'.repeat(32), SECRET_KEYS_ACCEPTED: ['y'.repeat(32)] };
  expect(readSecretKeys(set, now, [])).toEqual({ current: 'x'.repeat(32), accepted: ['y'.repeat(32)] });
  readSecretKeys(config, now, []);
  writeFileSync(keyFile(config), '\n');
  expect(() => readSecretKeys(config, now, [])).toThrow('has no key');
});

test('wrong keys in the settings are reported without showing them', () => {
  const load = (environment: Record<string, string>) => () => loadConfig(environment, '/nonexistent');
  expect(load({ SECRET_KEY: 'x'.repeat(32), SECRET_KEYS_ACCEPTED: `${'y'.repeat(32)},hush` })).toThrow(
    'SECRET_KEYS_ACCEPTED must be keys of at least 32 characters each, separated by commas.',
  );
  expect(load({ SECRET_KEYS_ACCEPTED: 'y'.repeat(32) })).toThrow('goes with a SECRET_KEY');
});
