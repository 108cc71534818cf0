import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { stopAtInterrupt } from './interrupt.ts';
import { programVersion } from './versions.ts';

export interface BenchRedis {
  pid: number;
  /** The path of its socket, as Postgres has one too. */
  path: string;
  version: string;
  stop(): Promise<void>;
}

/** A Redis that keeps what it is told (appendonly, flushed every second); null where it is not installed. */
export async function openRedis(): Promise<BenchRedis | null> {
  const version = programVersion('redis-server');
  if (version === '') return null;
  const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-redis-'));
  const path = join(folder, 'redis.sock');
  const settings = {
    port: 0,
    unixsocket: path,
    dir: folder,
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = spawn('redis-server', args, { stdio: 'ignore' });
  const ended = once(server, 'close');
  const stop = stopAtInterrupt(async () => {
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await answering(path);
  return {
    pid: server.pid ?? 0,
    path,
    version,
    stop,
  };
}

async function answering(path: string): Promise<void> {
  const client = new Redis({ path, maxRetriesPerRequest: null, retryStrategy: () => 50 });
  client.on('error', () => undefined);
  const answer = await Promise.race([client.ping(), sleep(10_000, 'late', { ref: false })]);
  client.disconnect();
  if (answer !== 'PONG') throw new Error('redis-server does not answer.');
}
