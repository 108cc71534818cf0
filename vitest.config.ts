import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes a minute begins first: at the end it would keep one worker busy while the others have nothing left. */
const longest = [
  'plans',
  'ledger-model',
  'processes',
  'faults/crashes',
  'faults/days',
  'backup',
  'abuse/secrets-in-logs',
  'faults/rolling-restart',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      longest.some((name) => moduleId.endsWith(`/test/${name}.test.ts`));
    return (await super.sort(files)).sort((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    // Six times faster than a process for each file. So: no test file may leave state behind in a module.
    pool: 'threads',
    isolate: false,
    // Much of the time is waiting, for processes and for Postgres: with fewer workers a machine of two cores idles.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    // Only to end what hangs: a busy machine takes many times as long as another.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
