import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../../support/process.ts';

/** A node of the cluster that TEST_DATABASE_URL names, on this machine. */
interface ClusterNode {
  port: number;
  /** Kills all of its processes with kill -9, as a power failure would. */
  kill(): void;
  start(): Promise<void>;
}

/**
 * The nodes whose data directories are listed in TEST_CLUSTER_NODES, separated by commas. TEST_CLUSTER_PG_CTL is the
 * program that starts them. Empty without these variables.
 */
export function clusterNodes(): ClusterNode[] {
  const { TEST_CLUSTER_NODES: folders = '', TEST_CLUSTER_PG_CTL: pgCtl = 'pg_ctl' } = process.env;
  return folders
    .split(',')
    .filter((folder) => folder !== '')
    .map((folder) => nodeIn(folder, pgCtl));
}

function nodeIn(folder: string, pgCtl: string): ClusterNode {
  const ofServer = () => readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
  return {
    port: Number(ofServer()[3]),
    kill() {
      const server = Number(ofServer()[0]);
      const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ');
      for (const pid of [server, ...children.map(Number)]) end(pid);
    },
    async start() {
      // It refuses to start while something of the old process is left.
      await until(async () => {
        const args = ['-D', folder, '-w', '-l', join(folder, 'restarted.log'), 'start'];
        // To connect to the others, a node looks for certificates in its home, and must be allowed to look there.
        const env = { ...process.env, HOME: folder };
        return promisify(execFile)(pgCtl, args, { ...owner(folder), cwd: '/', env }).then(
          () => true,
          () => false,
        );
      });
    },
  };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // The process has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** PostgreSQL refuses to run as root. */
function owner(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const { uid, gid } = statSync(folder);
  return { uid, gid };
}
