import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../system/files.ts';
import { type Account, accountFor } from './account.ts';
import { copyOfBinaries, findBinaries, runs } from './binaries.ts';
import { EmbeddedProblem, refusalAt } from './problem.ts';
import { abandonedBeside, linkToShared, SHARED } from './shared-folder.ts';

export interface Layout {
  /** `<DATA_DIR>/postgres`, or the folder it links to: the hold, the log, the socket and the cluster. */
  folder: string;
  /** What Postgres calls its data directory. */
  cluster: string;
  /** The folder with `bin`, `lib` and `share`. */
  binaries: string;
  account: Account | undefined;
}

interface Log {
  info(about: object, message: string): void;
}

/** Finds where Postgres keeps its data, where its programs are and which user runs them. */
export function findLayout(dataDir: string, log: Log): Layout {
  if (process.platform === 'win32') {
    throw new EmbeddedProblem(
      'The embedded Postgres does not run on Windows. Use WSL, or set DATABASE_URL to a Postgres of your own.',
    );
  }
  const home = ownFolder(resolve(dataDir));
  const original = findBinaries();
  if (process.getuid?.() !== 0) {
    const folder = ownFolder(join(home, 'postgres'));
    checkOwner(folder);
    return { folder, cluster: join(folder, 'cluster'), binaries: original, account: undefined };
  }
  const account = accountFor(join(home, 'postgres', 'cluster'));
  const folder = folderFor(home, account);
  const binaries = runs(original, account) ? original : copyOfBinaries(original, SHARED, account);
  if (folder !== join(home, 'postgres') || binaries !== original) {
    log.info(
      { data: folder, programs: binaries, ...abandonedBeside(folder) },
      `Postgres cannot run as root, and the user it runs as cannot enter this folder: its data is in ${folder}, its programs in ${binaries}`,
    );
  }
  return { folder, cluster: join(folder, 'cluster'), binaries, account };
}

/**
 * Returns the folder's real path, and makes it if it is missing. As root, we let Postgres's user pass through it but
 * not list it.
 */
function ownFolder(path: string): string {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    // Sets the mode whatever the umask is.
    if (makeFolder(path, mode)) chmodSync(path, mode);
    return realpathSync(path);
  } catch (error) {
    throw (
      refusalAt(path) ??
      new EmbeddedProblem(
        `The data folder cannot be made: ${(error as Error).message}. Set DATA_DIR to another.`,
      )
    );
  }
}

function checkOwner(folder: string): void {
  const owner = statSync(folder).uid;
  if (owner === process.getuid?.()) return;
  throw new EmbeddedProblem(
    `${folder} belongs to another user (uid ${owner}). Start Tenure as the user who started it first, or set DATA_DIR to a folder of your own.`,
  );
}

/**
 * `<DATA_DIR>/postgres` itself, or a link there to a folder that the account can reach. The link makes the choice
 * permanent, so that the data does not seem lost if permissions change later.
 */
function folderFor(home: string, account: Account): string {
  const path = join(home, 'postgres');
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (!isThere && !canEnter(home, account)) linkToShared(path, account);
  const folder = isThere ? existing(path) : ownFolder(path);
  if (canEnter(folder, account)) return folder;
  throw new EmbeddedProblem(
    `Postgres cannot run as root, and the user it runs as (uid ${account.uid}) cannot enter ${folder}. Let others pass through its parent folders (chmod o+x).`,
  );
}

function existing(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new EmbeddedProblem(
      `${path} is a link to a folder that is gone. Bring that folder back, or delete the link to start with an empty database.`,
    );
  }
}

function canEnter(folder: string, account: Account): boolean {
  const tried = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...account, cwd: '/' });
  const { code } = (tried.error ?? {}) as NodeJS.ErrnoException;
  // The folder is not the problem: this is a container's root with few rights, or a namespace with no other user.
  if (code === 'EPERM' || code === 'EINVAL') {
    throw new EmbeddedProblem(
      `Postgres cannot run as root, and this root may not become another user (uid ${account.uid}). Start Tenure as an ordinary user, or set DATABASE_URL to a Postgres of your own.`,
    );
  }
  if (tried.error) throw tried.error;
  return tried.status === 0;
}
