import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    // Six times faster than a process for each file. So: no test file may leave state behind in a module.
    pool: 'threads',
    isolate: false,
    // Much of the time is waiting, for processes and for Postgres: with one worker a machine of two cores idles.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Only to end what hangs: a busy machine takes many times as long as another.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
