import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/*
 * Processor time from /proc, since on a busy machine it says more than the clock. Elsewhere than on Linux it is not
 * measured: NaN, shown as a dash.
 */

const isLinux = process.platform === 'linux';
const ticksPerSecond = isLinux ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 100;

/** Processes whose time counts together, each with all that it has started. */
export type Watched = Record<string, number[]>;

/** Starts to measure; the answer says how many seconds of processor time each group has used since. */
export function watchCpu<Group extends string>(groups: Record<Group, number[]>): () => Record<Group, number> {
  const before = readAll(groups);
  return () => {
    const after = readAll(groups);
    for (const group of Object.keys(after) as Group[]) after[group] -= before[group];
    return after;
  };
}

function readAll<Group extends string>(groups: Record<Group, number[]>): Record<Group, number> {
  const processes = isLinux ? readProcesses() : new Map<number, Process>();
  const entries = Object.entries<number[]>(groups).map(([group, pids]) => [
    group,
    isLinux ? pids.reduce((sum, pid) => sum + treeTicks(pid, processes), 0) / ticksPerSecond : Number.NaN,
  ]);
  return Object.fromEntries(entries) as Record<Group, number>;
}

interface Process {
  pid: number;
  parent: number;
  /** Its own time, and that of its children which have ended: backends of Postgres come and go. */
  ticks: number;
}

/** A process and everything below it that lives; what has ended is in its parent's time. */
function treeTicks(pid: number, processes: Map<number, Process>): number {
  let ticks = processes.get(pid)?.ticks ?? 0;
  for (const { pid: child, parent } of processes.values()) {
    if (parent === pid) ticks += treeTicks(child, processes);
  }
  return ticks;
}

function readProcesses(): Map<number, Process> {
  const processes = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const process = readProcess(Number(name));
    if (process) processes.set(process.pid, process);
  }
  return processes;
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the fields are counted from behind it (proc_pid_stat(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [utime, stime, cutime, cstime] = fields.slice(11, 15).map(Number);
    const ticks = (utime ?? 0) + (stime ?? 0) + (cutime ?? 0) + (cstime ?? 0);
    return { pid, parent: Number(fields[1]), ticks };
  } catch {
    return undefined; // it has ended meanwhile
  }
}
