import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface Load {
  requests: number;
  seconds: number;
  bytes: number;
  p50Ms: number;
  p99Ms: number;
}

export const connections = 32;

interface LoadRequest {
  url: string;
  key: string;
  seconds: number;
  /** A file of bodies to post in turn; without it the URL is asked for. */
  bodies?: string;
  /** Every other write has an Idempotency-Key of its own. */
  idempotent?: boolean;
}

/**
 * As many requests as 32 connections get answered. One that fails or is refused is an error: nothing was measured
 * then.
 */
export async function load({ url, key, seconds, bodies, idempotent }: LoadRequest): Promise<Load> {
  const script = join(import.meta.dirname, 'load.lua');
  const clients = ['--threads', '1', '--connections', String(connections)];
  // As long as it takes: on a busy machine, too, an answer that comes is an answer.
  const times = ['--timeout', '30s', '--duration', `${seconds}s`];
  const env = {
    PATH: process.env.PATH,
    KEY: key,
    ...(bodies && { BODIES: bodies }),
    ...(idempotent && { IDEMPOTENCY_KEYS: randomUUID() }),
  };
  const timeout = (seconds + 60) * 1000;
  const args = [...clients, ...times, '--script', script, url];
  const { stdout } = await promisify(execFile)('wrk', args, { env, timeout });
  const line = stdout.split('\n').find((text) => text.startsWith('{'));
  if (!line) throw new Error(`wrk said nothing of use: ${stdout}`);
  const { failed, refused, ...result } = JSON.parse(line) as Load & { failed: number; refused: number };
  if (failed + refused > 0 || result.requests === 0)
    throw new Error(
      `${failed} requests to ${url} failed and ${refused} were refused, of ${result.requests}.`,
    );
  return result;
}

/** wrk says its version, but calls that a failure. */
export function wrkVersion(): string {
  const { stdout } = spawnSync('wrk', ['--version'], { encoding: 'utf8' });
  const version = /\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0];
  if (version === undefined) throw new Error('wrk, which makes the load, is not installed.');
  return version;
}
