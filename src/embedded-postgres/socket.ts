import { createHash } from 'node:crypto';
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account.ts';
import type { Layout } from './layout.ts';

// macOS allows 103 characters, Linux 107.
const LONGEST = 103;
const SHARED = '/tmp';

// Postgres reads a list of folders, in which these characters separate or quote.
const NOT_IN_LIST = /[,"]/;

/** The folder of Postgres's socket, which only its user can enter. It is beside the data if that path can be used. */
export function makeSocketFolder(layout: Layout): string {
  const owner = layout.account ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const beside = join(layout.folder, 'socket');
  const isTooLong = Buffer.byteLength(join(beside, '.s.PGSQL.5432')) > LONGEST;
  if (isTooLong || NOT_IN_LIST.test(beside)) return makeShort(layout, owner);
  mkdirSync(beside, { recursive: true });
  own(beside, owner);
  return beside;
}

/** Removes the folder if it is not beside the data. */
export function removeSocketFolder(folder: string): void {
  if (folder.startsWith(`${SHARED}/tenure-socket-`)) rmSync(folder, { recursive: true, force: true });
}

/** The same name each time, so that killed processes leave only one folder. */
function makeShort(layout: Layout, owner: Account): string {
  const hash = createHash('sha256').update(layout.cluster).digest('hex').slice(0, 12);
  const path = join(SHARED, `tenure-socket-${hash}`);
  try {
    mkdirSync(path);
    own(path, owner);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  if (isOwn(path, owner)) return path;
  // Anyone can write to /tmp, and somebody else took the name: use one that nobody can predict.
  const other = mkdtempSync(`${path}-`);
  own(other, owner);
  return other;
}

function isOwn(path: string, owner: Account): boolean {
  const stat = lstatSync(path);
  return stat.isDirectory() && stat.uid === owner.uid && (stat.mode & 0o077) === 0;
}

function own(path: string, owner: Account): void {
  chmodSync(path, 0o700);
  chownSync(path, owner.uid, owner.gid);
}
