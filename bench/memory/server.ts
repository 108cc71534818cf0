import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeFlags } from '../../test/support/process.ts';

const root = join(import.meta.dirname, '../..');
const patienceMs = 60_000;

export interface Started {
  child: ChildProcess;
  pid: number;
  /** From its start until /readyz says that it is. */
  readyMs: number;
  stop(): Promise<void>;
}

/** By `npm start`, or the same without npm. Ready when /readyz says so. */
export async function start(by: 'npm' | 'node', environment: Record<string, string>): Promise<Started> {
  const [program, ...args] =
    by === 'npm' ? ['npm', 'start'] : [process.execPath, ...nodeFlags, 'src/cli.ts', 'start'];
  const started = performance.now();
  const child = spawn(program ?? '', args, {
    cwd: root,
    // Its own group, so that it can be stopped as Ctrl-C does.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
  });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${environment.PORT}/readyz`;
  while ((await fetch(url).catch(() => undefined))?.status !== 200) {
    if (child.exitCode !== null || performance.now() - started > patienceMs)
      throw new Error(`tenure start did not become ready (exit code ${child.exitCode}).`);
    await sleep(5);
  }
  const pid = child.pid ?? 0;
  return {
    child,
    pid,
    readyMs: performance.now() - started,
    async stop() {
      process.kill(-pid, 'SIGINT');
      await ended;
      await goneFrom(url);
    },
  };
}

/** npm may end before what it has started. */
async function goneFrom(url: string): Promise<void> {
  while (await fetch(url).catch(() => null)) await sleep(20);
}

/** Memory of one process that is in RAM, in MB. */
export function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}

/** Of a process's children and theirs, what they share counted once: their proportional shares (Pss). */
export function sharedMb(parent: number): number {
  return childrenOf(parent).reduce((total, pid) => total + pssMb(pid) + sharedMb(pid), 0);
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
      } catch {
        return false; // it has ended meanwhile
      }
    });
}

function pssMb(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024;
  } catch {
    return 0; // it has ended meanwhile
  }
}
