import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, rmdirSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { flushFolder, makeFolder } from '../system/files.ts';
import type { Account } from './account.ts';
import { EmbeddedProblem } from './problem.ts';

// For root with a checkout that others cannot enter. Unlike /tmp it is persistent, and only root may write there.
export const SHARED = '/var/lib/tenure';

/**
 * The folder is new each time, never one that an earlier checkout at the same path left: a fresh clone must not find an
 * old database.
 */
export function linkToShared(path: string, account: Account): void {
  refuseOwnDisk(dirname(path), account);
  if (makeFolder(SHARED)) chmodSync(SHARED, 0o755);
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 8);
  const folder = mkdtempSync(join(SHARED, `${hash}-`));
  chmodSync(folder, 0o711);
  try {
    symlinkSync(folder, path);
  } catch (error) {
    rmdirSync(folder);
    // Another process was faster; its folder is just as good.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  flushFolder(SHARED);
  flushFolder(dirname(path));
}

/**
 * A disk that was mounted for the data must keep the data. In a container, the shared folder disappears with the
 * container, and a link to nowhere would be left on the disk.
 */
function refuseOwnDisk(home: string, account: Account): void {
  if (statSync(home).dev === statSync(dirname(home)).dev) return;
  throw new EmbeddedProblem(
    `DATA_DIR (${home}) is on a disk of its own, and the user Postgres runs as (uid ${account.uid}) cannot enter it. Let others pass through it and its parent folders (chmod o+x), or mount that disk elsewhere.`,
  );
}

export function abandonedBeside(folder: string): { earlier?: string[] } {
  if (!folder.startsWith(SHARED)) return {};
  const [hash] = basename(folder).split('-');
  const earlier = readdirSync(SHARED).filter(
    (name) => name.startsWith(`${hash}-`) && name !== basename(folder),
  );
  return earlier.length > 0 ? { earlier: earlier.map((name) => join(SHARED, name)) } : {};
}
