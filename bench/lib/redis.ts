import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { disposable } from './disposable.ts';
import { output } from './machine.ts';

export interface BenchRedis extends AsyncDisposable {
  pid: number;
  /** The path of its socket; Postgres is reached through one too. */
  path: string;
  version: string;
}

/** A durable Redis (appendonly, flushed every second); null if it is not installed. */
export async function openRedis(): Promise<BenchRedis | null> {
  const version = /\d+\.\d+(\.\d+)?/.exec(output('redis-server', '--version'))?.[0];
  if (version === undefined) return null;
  const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-redis-'));
  const path = join(folder, 'redis.sock');
  const files = ['--port', '0', '--unixsocket', path, '--dir', folder];
  const durability = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''];
  const server = spawn('redis-server', [...files, ...durability], { stdio: 'ignore' });
  const ended = once(server, 'close');
  const ending = disposable(async () => {
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const retryStrategy = (tries: number) => (tries > 200 ? null : 50);
  const client = new Redis({ path, maxRetriesPerRequest: null, retryStrategy });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
  return { pid: server.pid ?? 0, path, version, ...ending };
}
