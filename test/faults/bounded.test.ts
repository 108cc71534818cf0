import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bounded } from '../../scripts/test/bounded.mjs';
import { processesOf } from './support/leftovers.ts';

/* How `npm run test:faults` ends. */

test('a run that takes too long is stopped and counts as failed, and all that it started is ended', async () => {
  let folder = '';
  let found: string[] = [];
  const result = await bounded(2_000, async ({ environment, signal }) => {
    folder = environment.TMPDIR ?? '';
    // One process hangs, and one is in a session of its own, as Postgres is.
    const script = 'setsid sleep 300 & sleep 300';
    const child = spawn('sh', ['-c', script], { env: { ...process.env, ...environment }, stdio: 'ignore' });
    await once(signal, 'abort');
    found = processesOf(folder);
    child.kill('SIGKILL');
    await once(child, 'exit');
    return { passed: 3, failed: 0 };
  });
  expect(result).toEqual({ passed: 3, failed: 1 });
  if (process.platform === 'linux') expect(found.length).toBeGreaterThan(1);
  expect(processesOf(folder)).toEqual([]);
  expect(existsSync(folder)).toBe(false);
});

test('a run that ends in time counts as it did', async () => {
  const counts = { passed: 2, failed: 0 };
  expect(await bounded(60_000, async () => counts)).toEqual(counts);
});
