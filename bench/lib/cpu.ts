import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/*
 * Processor time from /proc, which says more than the clock on a busy machine. It is measured only on Linux; elsewhere
 * it is NaN, shown as a dash.
 */

const isLinux = process.platform === 'linux';
const ticksPerSecond = isLinux ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 100;

/**
 * Starts measuring. The returned function says how many microseconds of processor time each group has used since,
 * including all processes it has started, for each of this many pieces of work.
 */
export function watchCpu<Group extends string>(
  groups: Record<Group, number[]>,
): (count: number) => Record<Group, number> {
  const before = readAll(groups);
  return (count) => {
    const used = readAll(groups);
    for (const group of Object.keys(used) as Group[])
      used[group] = ((used[group] - before[group]) * 1e6) / count;
    return used;
  };
}

function readAll<Group extends string>(groups: Record<Group, number[]>): Record<Group, number> {
  const processes = isLinux ? readProcesses() : [];
  const seconds = (pids: number[]) =>
    isLinux ? pids.reduce((sum, pid) => sum + treeTicks(pid, processes), 0) / ticksPerSecond : Number.NaN;
  const entries = Object.entries<number[]>(groups).map(([group, pids]) => [group, seconds(pids)]);
  return Object.fromEntries(entries) as Record<Group, number>;
}

interface Process {
  pid: number;
  parent: number;
  /** Its own time, and that of its children which have ended: backends of Postgres come and go. */
  ticks: number;
}

/** A process and its living descendants; the time of those that have ended is in their parent's. */
function treeTicks(pid: number, processes: Process[]): number {
  const own = processes.find((each) => each.pid === pid)?.ticks ?? 0;
  const children = processes.filter(({ parent }) => parent === pid);
  return children.reduce((sum, child) => sum + treeTicks(child.pid, processes), own);
}

function readProcesses(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name in parentheses may hold anything; the fields are counted after it (proc_pid_stat(5)).
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      return [{ pid: Number(name), parent: Number(fields[1]), ticks }];
    } catch {
      return []; // it has ended by now
    }
  });
}
