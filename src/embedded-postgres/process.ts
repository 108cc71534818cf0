import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether this process exists and is not a zombie. */
export function isRunning(pid: number): boolean {
  return birthOf(pid) !== undefined;
}

/**
 * Distinguishes a process from a later one with the same pid: on Linux, by its start time. Returns undefined if it is
 * gone. A zombie counts as gone: signals reach it and `pg_ctl status` takes it for alive, but where pid 1 does not
 * collect orphans (in many containers) a killed Postgres stays a zombie for ever.
 */
export function birthOf(pid: number): string | undefined {
  if (process.platform === 'linux') return birthFromProc(pid);
  try {
    process.kill(pid, 0);
    return 'running';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 'running' : undefined;
  }
}

/** Whether this process is a postmaster of that cluster, and not another program with its old pid. */
export function isPostmasterOf(pid: number, cluster: string): boolean {
  return isRunning(pid) && commandLine(pid).includes(` -D ${cluster} `);
}

function birthFromProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the name, in brackets. It may itself contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
