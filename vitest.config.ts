import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes long begins first: at the end it would keep one worker busy while the others have nothing left. */
const longest = [
  'test/abuse/secrets-in-logs',
  'test/ledger-model',
  'test/processes',
  'test/backup',
  'test/plans',
  'src/embedded-postgres/embedded-postgres',
  'test/faults/crashes',
  'test/faults/days',
  'test/abuse/sign-in',
  'test/abuse/mass-assignment',
  'src/csv/export',
  'test/faults/rolling-restart',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const turn = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place === -1 ? longest.length : place;
    };
    return (await super.sort(files)).sort((a, b) => turn(a) - turn(b));
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
