import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, copyFileSync, fchownSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Layout } from './layout.ts';

const LOG_LIMIT_BYTES = 10_000_000;

/** Starts one of Postgres's programs as the right user, writing to the log. */
export function run(
  layout: Layout,
  program: 'initdb' | 'postgres',
  args: string[],
  options: { detached?: boolean } = {},
): ChildProcess {
  // Into a file, not a pipe: Postgres can outlive us, and must not fail because nobody reads.
  const log = openSync(logPath(layout), 'a', 0o600);
  try {
    if (layout.account) fchownSync(log, layout.account.uid, layout.account.gid);
    return spawn(join(layout.binaries, 'bin', program), args, {
      ...options,
      ...layout.account,
      cwd: layout.folder,
      // Our environment is not passed on: PGPORT, PGDATA, LANG and the like would change what Postgres does.
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...givingMemoryBack },
      stdio: ['ignore', log, log],
    });
  } finally {
    closeSync(log);
  }
}

/**
 * By default, once a large block is freed, glibc learns to keep later ones. Each connection then keeps the memory that
 * it took to plan its largest statement: after thousands of different searches, ten held 384 instead of 270 MB.
 */
const givingMemoryBack = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '1048576' };

/** Keeps the log from growing for ever. Returns the position of its next line. */
export function boundLog(layout: Layout): number {
  const path = logPath(layout);
  let size = 0;
  try {
    size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size <= LOG_LIMIT_BYTES) return size;
    // Copied and cut, not renamed: a running Postgres keeps the file open.
    copyFileSync(path, `${path}.1`);
    truncateSync(path);
    return 0;
  } catch {
    // The disk is full, read-only or gone: the log stays as it is until that changes.
    return size;
  }
}

/** The end of what Postgres has logged since that position. */
export function readLog(layout: Layout, from: number): string {
  const said = readFileSync(logPath(layout)).subarray(from).toString().trim();
  return said.split('\n').slice(-8).join('\n');
}

function logPath(layout: Layout): string {
  return join(layout.folder, 'postgres.log');
}
