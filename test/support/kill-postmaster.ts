import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPostmasterOf } from '../../src/embedded-postgres/process.ts';

/**
 * Kills the Postgres of this folder. Returns whether there was one at this moment: after the last kill, the server may
 * not have started it again yet.
 */
export function killPostmaster(cluster: string): boolean {
  try {
    const [pid = ''] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    // The file outlives a killed postmaster, and is empty for a moment. Neither a zombie nor a process that got its pid
    // later may be killed, nor this one.
    if (!isPostmasterOf(Number(pid), cluster)) return false;
    process.kill(Number(pid), 'SIGKILL');
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ESRCH') throw error;
    return false;
  }
}
