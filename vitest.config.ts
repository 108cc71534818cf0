import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes long begins first: at the end it would keep one worker busy while the others have nothing left. */
const longest = [
  'test/abuse/secrets-in-logs',
  'test/ledger-model',
  'test/processes',
  'test/backup',
  'test/faults/disk',
  'src/embedded-postgres/embedded-postgres',
  'test/faults/crashes',
  'src/deliveries/engine/recovery',
  'src/deliveries/engine/worker',
  'test/faults/log',
  'test/faults/days',
  'test/faults/slow-database',
  'test/faults/start',
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

/**
 * Tests that measure how long something takes, or how much is served meanwhile. Beside others on two cores they would
 * measure the others. So they run after them, one at a time.
 */
const alone = [
  'test/faults/overload.test.ts',
  'test/abuse/{fair-share,resources,stalls}.test.ts',
  'src/http/limits/load.test.ts',
  'src/http/server/drain.test.ts',
];

const common = {
  // Six times faster than a process for each file. So: no test file may leave state behind in a module.
  pool: 'threads',
  isolate: false,
  setupFiles: 'test/support/cheap-hashes.ts',
  // Only to end what hangs: a busy machine takes many times as long as another.
  testTimeout: 300_000,
  hookTimeout: 300_000,
} as const;

export default defineConfig({
  test: {
    globalSetup: 'test/support/global-setup.ts',
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'together',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: alone,
          // Much of the time is waiting, for processes and for Postgres: with fewer workers a machine of two cores
          // idles.
          maxWorkers: Math.max(3, availableParallelism() - 1),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: { ...common, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
