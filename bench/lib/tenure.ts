import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/process.ts';
import { disposable } from './disposable.ts';

export const root = join(import.meta.dirname, '../..');
export const secretKey = 'only for this benchmark, 32 characters';

/** Without these, nothing is delivered to a receiver on this machine. */
export const toThisMachine = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8' };

export interface TenureProcess extends AsyncDisposable {
  pid: number;
  /** Where it listens, if it is not a worker. */
  url: string;
}

/** Only ends what hangs: a busy machine takes many times as long as another. */
const waitAtMostMs = 300_000;

/**
 * `tenure start`, `api` or `worker` as users run it: with the flags that its package.json gives to Node, its log at
 * the usual level in a file. An API is ready when this returns; a worker says so in its table.
 */
export async function startTenure(
  part: 'start' | 'api' | 'worker',
  environment: Record<string, string>,
  checkout: string = root,
): Promise<TenureProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-log-'));
  const log = openSync(join(folder, 'log'), 'a');
  const port = String(await freePort());
  const child = spawn(process.execPath, [...startFlags(checkout), 'src/cli.ts', part], {
    cwd: checkout,
    stdio: ['ignore', log, log],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: port,
      SECRET_KEY: secretKey,
      // On, but too high to refuse anyone.
      RATE_LIMIT_PER_SECOND: '1000000',
      ...environment,
    },
  });
  closeSync(log);
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const ending = disposable(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const givesUpAt = performance.now() + waitAtMostMs;
  while (part !== 'worker' && (await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null || performance.now() > givesUpAt)
      throw new Error(`tenure ${part} did not start: ${readFileSync(join(folder, 'log'), 'utf8')}`);
    await sleep(20);
  }
  return { pid: child.pid ?? 0, url, ...ending };
}

function startFlags(checkout: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  return (scripts.start as string).split(' ').filter((word) => word.startsWith('--'));
}
