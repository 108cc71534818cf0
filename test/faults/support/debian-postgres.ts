import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort, until } from '../../support/process.ts';

const bin = '/usr/lib/postgresql/15/bin';

interface DebianPostgres {
  /** The URL of an empty database. */
  url: string;
  stop(): Promise<void>;
}

/** Debian's Postgres 15 in its own folder and on its own port, as an operator would run it. Needs `postgresql-15`. */
export async function startDebianPostgres(environment: Record<string, string> = {}): Promise<DebianPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-postgres-'));
  const account = postgresAccount();
  chmodSync(folder, 0o711);
  if (account) chownSync(folder, account.uid, account.gid);
  const as = { ...account, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' } };
  const cluster = join(folder, 'cluster');
  execFileSync(`${bin}/initdb`, ['-D', cluster, '-U', 'tenure', '-A', 'trust', '-E', 'UTF8'], {
    ...as,
    stdio: 'pipe',
  });
  const port = await freePort();
  const flags = ['-D', cluster, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1'];
  const child = spawn(`${bin}/postgres`, flags, {
    ...as,
    env: { ...as.env, ...environment },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const admin = `postgres://tenure@127.0.0.1:${port}/postgres`;
  await until(() => answers(admin));
  return {
    url: `postgres://tenure@127.0.0.1:${port}/tenure`,
    async stop() {
      child.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether the server answers. Also makes our database. */
async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('create database tenure');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Postgres refuses to run as root. */
function postgresAccount(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const [, , uid, gid] = (/^postgres:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0] ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
