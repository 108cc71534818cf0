import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { thorough } from './test/support/thorough.ts';

/** What takes long begins first. At the end it would keep one worker busy while the others have nothing left to do. */
const longest = [
  'test/ledger-model',
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
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

/**
 * Tests that measure how long something takes, or how much is served during it. Next to others on two cores they would
 * measure the others, so they run after them, one at a time.
 */
const alone = [
  'test/abuse/{fair-share,resources,stalls}.test.ts',
  'src/http/limits/load.test.ts',
  'src/http/server/drain.test.ts',
];

/** These flood servers, or start many and kill them. They are left out of `npm test` unless asked for. */
const long = ['test/thorough/*.test.ts', 'test/faults/overload.test.ts'];

const common = {
  // This is six times faster than a process for each file. In return, no test file may leave state behind in a module.
  pool: 'threads',
  isolate: false,
  setupFiles: 'test/support/cheap-hashes.ts',
  // This only ends tests that hang: a busy machine takes many times as long as another.
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
          exclude: [...alone, ...long],
          // Tests often wait for processes and for Postgres. With fewer workers, a machine with two cores would be idle
          // at times.
          maxWorkers: Math.max(3, availableParallelism() - 1),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'alone',
          include: thorough ? [...alone, ...long] : alone,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
