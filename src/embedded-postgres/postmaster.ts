import { closeSync, constants, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Layout } from './layout.ts';
import { birthOf, isPostmasterOf } from './process.ts';
import { run } from './run.ts';

/** Postgres's main process, started by us or found running. */
export interface Postmaster {
  pid: number;
  /** Settles when the process has ended. Waiting for it alone does not keep our process alive. */
  gone: Promise<void>;
  isGone(): boolean;
}

export type Settings = Record<string, string>;

export const PORT = 5432;
const ADOPTED_POLL_MS = 100;

const SETTINGS: Settings = {
  listen_addresses: '',
  port: String(PORT), // only names the socket
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  random_page_cost: '1.1',
  wal_compression: 'off', // made claims of deliveries 5 times slower
  jit: 'off', // our statements are short; compiling them costs more than it saves
  shared_preload_libraries: 'pg_stat_statements',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log', // failed statements would put people's data into a second log
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
};

export function startPostmaster(layout: Layout, socketFolder: string, settings: Settings): Postmaster {
  disownPidFile(layout);
  const flags = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  // It runs in a session of its own: Ctrl-C in the terminal is for us, and we need Postgres until all requests are
  // answered.
  const child = run(layout, 'postgres', ['-D', layout.cluster, '-k', socketFolder, ...flags], {
    detached: true,
  });
  child.unref();
  let isGone = child.pid === undefined;
  const gone = new Promise<void>((resolve) => {
    const end = () => {
      isGone = true;
      resolve();
    };
    child.once('exit', end).once('error', end);
  });
  return { pid: child.pid ?? 0, gone, isGone: () => isGone };
}

/** Finds a Postgres that a server left running because it was killed. */
export function findPostmaster(layout: Layout): { postmaster: Postmaster; socketFolder: string } | undefined {
  const file = readPidFile(layout);
  if (!file || !isPostmasterOf(file.pid, layout.cluster)) return undefined;
  const birth = birthOf(file.pid);
  const isGone = () => birthOf(file.pid) !== birth;
  const gone = new Promise<void>((resolve) => {
    // It is not our child process, so nothing tells us when it ends.
    const poll = setInterval(() => {
      if (!isGone()) return;
      clearInterval(poll);
      resolve();
    }, ADOPTED_POLL_MS);
    poll.unref();
  });
  return { postmaster: { pid: file.pid, gone, isGone }, socketFolder: file.socketFolder };
}

/** The pid and the folder of the socket that Postgres wrote down. */
export function readPidFile(layout: Layout): { pid: number; socketFolder: string } | undefined {
  const path = join(layout.cluster, 'postmaster.pid');
  if (!existsSync(path)) return undefined;
  const [pid, , , , socketFolder] = readFileSync(path, 'utf8').split('\n');
  return pid && socketFolder ? { pid: Number(pid), socketFolder } : undefined;
}

/**
 * Asks for a fast shutdown, which rolls back open transactions and writes everything. If that takes too long, kills it.
 */
export async function stopPostmaster(postmaster: Postmaster): Promise<void> {
  const steps = [
    ['SIGINT', 10_000],
    ['SIGQUIT', 3_000],
    ['SIGKILL', 3_000],
  ] as const;
  for (const [signal, waitMs] of steps) {
    if (postmaster.isGone() || !signalled(postmaster.pid, signal)) return;
    if (await settlesWithin(postmaster.gone, waitMs)) return;
  }
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    // It has just ended.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/**
 * Postgres will not start while the pid in its lock file exists, even if that is a zombie or, after a restart of the
 * container, some other program. We hold the folder and know better. Removing the file would also remove the check for
 * backends that outlive their postmaster. So we only write our own pid there, which Postgres ignores because it is its
 * parent's.
 */
function disownPidFile(layout: Layout): void {
  const path = join(layout.cluster, 'postmaster.pid');
  if (!existsSync(path)) return;
  const file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    const [, ...rest] = readFileSync(file, 'utf8').split('\n');
    const length = writeSync(file, [process.pid, ...rest].join('\n'), 0);
    // Truncated last: on a full disk a freed block may not come back, and Postgres never starts with an empty file.
    ftruncateSync(file, length);
  } finally {
    closeSync(file);
  }
}

async function settlesWithin(promise: Promise<void>, waitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, waitMs, false);
  });
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
