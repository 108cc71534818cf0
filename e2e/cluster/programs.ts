import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fchownSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Postgres refuses to run as root. */
export const account = process.getuid?.() === 0 ? accountOf('postgres') : null;

/** Starts a program as that user, in its own session: Ctrl-C in the terminal is for us. */
export function launch(program: string, args: string[], folder: string, log: string): ChildProcess {
  const file = openSync(log, 'a', 0o600);
  if (account) fchownSync(file, account.uid, account.gid);
  try {
    const child = spawn(program, args, {
      ...account,
      cwd: folder,
      detached: true,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        LC_ALL: 'C.UTF-8',
        // etcd 3.4 requires this on platforms that its makers do not test.
        ...(process.arch === 'arm64' && { ETCD_UNSUPPORTED_ARCH: 'arm64' }),
      },
      stdio: ['ignore', file, file],
    });
    // Whoever waits for it gets the error. A missing program must not end this process.
    child.on('error', () => undefined);
    return child;
  } finally {
    closeSync(file);
  }
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

/** Fails if one of them ends, which none should. */
export function firstEnd(children: ChildProcess[]): Promise<never> {
  const ends = children.map(async (child) => {
    await once(child, 'exit');
    throw new Error(`${child.spawnfile} ended with code ${child.exitCode}`);
  });
  const first = Promise.race(ends);
  // Later they are ended on purpose.
  for (const promise of [first, ...ends]) promise.catch(() => undefined);
  return first;
}

/** The last lines of every log, to find out what went wrong. */
export function logsIn(folder: string): string {
  const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
  const tail = (name: string) =>
    readFileSync(join(folder, name), 'utf8').trim().split('\n').slice(-8).join('\n');
  return logs.map((name) => `${name}:\n${tail(name)}`).join('\n\n');
}

/** Asks the program to end, and kills it after a while. */
export async function end(child: ChildProcess | undefined, waitMs = 20_000): Promise<void> {
  if (!child || !isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), waitMs);
  await ended;
  clearTimeout(timer);
}

export async function within(ms: number, what: string, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${ms / 1000} s`);
    await sleep(100);
  }
}

function accountOf(name: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = (line ?? '').split(':');
  if (!uid || !gid) throw new Error(`There is no user ${name}: install postgresql-15.`);
  return { uid: Number(uid), gid: Number(gid) };
}
