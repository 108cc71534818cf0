import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchownSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { fingerprintOf } from '../secrets/secret-box.ts';
import { makeFolder, moveInto } from '../system/files.ts';

export interface SecretKeys {
  current: string;
  accepted: readonly string[];
}

/**
 * The keys of the settings. With the embedded database they are in `secret.key`, which is made once and kept beside it.
 * Its first line is the key. Each further line is a key that was rotated away: `<key> until <date>`. If the database
 * still uses such a key (judged by its fingerprint), it is accepted after that date, because its rotation was
 * interrupted. A missing file is made only if the database has no key in use, or the operator has given the key up for
 * lost.
 */
export function readSecretKeys(
  config: Config,
  now: Date,
  inUse: readonly string[],
  { lost = false }: { lost?: boolean } = {},
): SecretKeys {
  if (config.SECRET_KEY) return { current: config.SECRET_KEY, accepted: config.SECRET_KEYS_ACCEPTED };
  const file = keyFile(config);
  if (inUse.length > 0 && !lost && !existsSync(file)) throw new MissingKeyFile(file);
  const [current = '', ...others] = readOrMake(config, file);
  const accepted = others.filter((line) => isAccepted(line, now, inUse)).map(keyOf);
  if (current.length < 32) throw new Error(`${file} has no key: restore it from a backup.`);
  return { current, accepted };
}

/** A fresh key could not read anything, and would replace the right one in backups. */
class MissingKeyFile extends Error {
  constructor(file: string) {
    super(
      `${file} is missing, and the data is encrypted with its key: restore it from a backup, or set SECRET_KEY if it ` +
        'was set before; or, if the key is lost, run `tenure secrets rotate --lost`.',
    );
  }
}

function readOrMake(config: Config, file: string): string[] {
  try {
    if (!existsSync(file)) writeKeyFile(config, [freshKey()]);
    return linesOf(file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const advice =
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'The disk is full: free some space.'
        : 'Start Tenure as the user it belongs to, or give the file to this user (chown).';
    throw new Error(`The secret key ${file} cannot be read or made (${code}). ${advice}`);
  }
}

/** Puts a fresh key first. The previous one is accepted until the given time. */
export function rotateKeyFile(config: Config, until: Date, now: Date, inUse: readonly string[]): void {
  const { current } = readSecretKeys(config, now, inUse);
  const others = linesOf(keyFile(config))
    .slice(1)
    .filter((line) => isAccepted(line, now, inUse));
  writeKeyFile(config, [freshKey(), `${current} until ${until.toISOString()}`, ...others]);
}

/** Forgets all keys except the first. */
export function forgetRotatedKeys(config: Config): void {
  writeKeyFile(config, linesOf(keyFile(config)).slice(0, 1));
}

export const keyFile = (config: Config): string => join(config.DATA_DIR, 'secret.key');

/** Every key in the file, whether or not it is still accepted; none if there is no file. */
export function keysInFile(config: Config): string[] {
  const file = keyFile(config);
  return existsSync(file) ? linesOf(file).map(keyOf) : [];
}

/** The lines for a backup of a database that uses these keys. Without them the backup could not be restored. */
export function keyFileFor(config: Config, inUse: readonly string[]): string[] | null {
  const file = keyFile(config);
  if (!existsSync(file)) {
    if (inUse.length > 0) throw new MissingKeyFile(file);
    return null;
  }
  const lines = linesOf(file);
  const held = lines.map((line) => fingerprintOf(keyOf(line)));
  if (inUse.every((fingerprint) => held.includes(fingerprint))) return lines;
  throw new Error(
    `${file} does not contain the key that the data is encrypted with: restore it from an earlier backup; or, if that key ` +
      'is lost, stop the server and run `tenure secrets rotate --lost`. Nothing was backed up.',
  );
}

/**
 * The file is written all at once and synced, because losing a key, even half of it, loses everything that it
 * encrypted.
 */
export function writeKeyFile(config: Config, lines: readonly string[]): void {
  makeFolder(resolve(config.DATA_DIR));
  const path = keyFile(config);
  const draft = `${path}.new`;
  const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? statSync(config.DATA_DIR);
  // A killed process may have left this file, or it may be a link that would lead root elsewhere.
  rmSync(draft, { force: true });
  const file = openSync(draft, 'wx', 0o600);
  try {
    // Root may rotate or restore for a service that runs as another user, and that user has to read the file.
    if (process.getuid?.() === 0) fchownSync(file, uid, gid);
    writeFileSync(file, `${lines.join('\n')}\n`, { flush: true });
  } finally {
    closeSync(file);
  }
  moveInto(draft, path);
}

const freshKey = (): string => randomBytes(32).toString('hex');

const keyOf = (line: string): string => line.split(' until ')[0] ?? '';

function isAccepted(line: string, now: Date, inUse: readonly string[]): boolean {
  const [key = '', until = ''] = line.split(' until ');
  return Date.parse(until) > now.getTime() || inUse.includes(fingerprintOf(key));
}

const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
