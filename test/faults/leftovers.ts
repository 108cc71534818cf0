import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Processes that have to do with a folder: by a setting, an argument, or where they work (a backend of Postgres shows
 * neither, but sits in its cluster). Ourselves and zombies, which are gone, apart. Only Linux can tell all of this.
 */
export function processesOf(folder: string): string[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false;
    if (/^State:\s+Z/m.test(read(`/proc/${pid}/status`))) return false;
    return (
      read(`/proc/${pid}/environ`).includes(folder) ||
      read(`/proc/${pid}/cmdline`).includes(folder) ||
      cwdOf(pid).startsWith(folder)
    );
  });
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function cwdOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
