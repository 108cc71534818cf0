// `npm run test:faults`: breaks everything that can break, at full length (`npm test` runs short versions).
// With arguments (`npm run test:faults -- test/faults/crashes.test.ts`) only those files.
import { bounded } from './test/bounded.mjs';
import { conclude, vitest } from './test/run.mjs';

const mostMs = 15 * 60_000;

const args = process.argv.slice(2);
const files = args.length > 0 ? args : ['test/faults'];

// One file at a time: each needs the machine for itself, and measures how long the service was away.
await conclude([
  () =>
    bounded(mostMs, ({ environment, signal }) =>
      vitest([...files, '--no-file-parallelism'], { ...environment, FAULTS: 'full' }, signal),
    ),
]);
