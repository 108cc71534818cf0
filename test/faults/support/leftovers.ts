import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Processes that have to do with a folder: by a setting, by an argument, by where they work (a backend of Postgres
 * shows neither, but its working directory is the cluster), or by a file that they have open. This process and zombies,
 * which are gone, do not count. Only Linux can tell all of this.
 */
export function processesOf(folder: string): string[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    if (/^State:\s+Z/m.test(read(`/proc/${pid}/status`))) return false;
    return (
      read(`/proc/${pid}/environ`).includes(folder) ||
      read(`/proc/${pid}/cmdline`).includes(folder) ||
      linkOf(`/proc/${pid}/cwd`).startsWith(folder) ||
      namesIn(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`).startsWith(folder))
    );
  });
}

/**
 * What outlived its killed parent notices within seconds, or a few more on a busy machine. After that nothing may be
 * left.
 */
export async function expectNoneLeft(folder: string, withinMs = 60_000): Promise<void> {
  const since = performance.now();
  while (processesOf(folder).length > 0) {
    if (performance.now() - since > withinMs) throw new Error(`Left behind: ${describe(folder)}`);
    await sleep(100);
  }
}

const describe = (folder: string): string =>
  processesOf(folder)
    .map((pid) => `${pid} (${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()})`)
    .join(', ');

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
