import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { watchCpu } from '../lib/cpu.ts';
import type { BenchPostgres } from '../lib/postgres.ts';

export const connections = 32;

interface LoadRequest {
  /** The server's process. */
  pid: number;
  url: string;
  key: string;
  seconds: number;
  /** One per line, posted in turn; without them the URL is requested. */
  bodies?: string;
  /** Every other write has an Idempotency-Key of its own. */
  idempotent?: boolean;
}

export type LoadKey = 'perSecond' | 'p50Ms' | 'p99Ms' | 'serverUs' | 'postgresUs';

export interface Load {
  requests: number;
  bytes: number;
  /** Processor time is for each request: on a busy machine it says more than the clock. */
  sample: Record<LoadKey, number>;
}

/** What wrk says; load.lua writes it. */
type Said = Record<'requests' | 'seconds' | 'bytes' | 'failed' | 'refused' | 'p50Ms' | 'p99Ms', number>;

/** As many requests as 32 connections can make. One that fails or is refused is an error. */
export async function load(
  postgres: BenchPostgres,
  { pid, url, key, seconds, bodies, idempotent }: LoadRequest,
): Promise<Load> {
  await postgres.settle();
  const script = join(import.meta.dirname, 'load.lua');
  const clients = ['--threads', '1', '--connections', String(connections)];
  // However long it takes: a late answer counts, even on a busy machine.
  const times = ['--timeout', '30s', '--duration', `${seconds}s`];
  const env = {
    PATH: process.env.PATH,
    KEY: key,
    ...(bodies && { BODIES: bodies }),
    ...(idempotent && { IDEMPOTENCY_KEYS: randomUUID() }),
  };
  const timeout = (seconds + 60) * 1000;
  const args = [...clients, ...times, '--script', script, url];
  const cpu = watchCpu({ server: [pid], postgres: [postgres.pid] });
  const { stdout } = await promisify(execFile)('wrk', args, { env, timeout });
  const line = stdout.split('\n').find((text) => text.startsWith('{'));
  if (!line) throw new Error(`wrk said nothing useful: ${stdout}`);
  const { failed, refused, requests, bytes, ...said } = JSON.parse(line) as Said;
  if (failed + refused > 0 || requests === 0)
    throw new Error(`${failed} requests to ${url} failed and ${refused} were refused, of ${requests}.`);
  const used = cpu(requests);
  const { p50Ms, p99Ms } = said;
  const perSecond = requests / said.seconds;
  const sample = { perSecond, p50Ms, p99Ms, serverUs: used.server, postgresUs: used.postgres };
  return { requests, bytes, sample };
}

/** wrk prints its version, but calls that a failure. */
export function wrkVersion(): string {
  const { stdout } = spawnSync('wrk', ['--version'], { encoding: 'utf8' });
  const version = /\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0];
  if (version === undefined) throw new Error('wrk, which makes the load, is not installed.');
  return version;
}
