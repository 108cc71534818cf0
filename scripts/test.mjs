// `npm test`: lint, types, then the tests, with `TESTS=thorough` all of them; the last line says `N passed, N failed`.
// With arguments (`npm test -- src/payments`) only vitest runs, with these arguments.
import { join } from 'node:path';
import { ensureInstalled } from './prepare/install.mjs';
import { root } from './prepare/paths.mjs';
import { browserTests } from './test/browser.mjs';
import { andAgainAlone, asOneTest, atOnce, conclude, vitest } from './test/run.mjs';

const args = process.argv.slice(2);

const lint = () => asOneTest('biome', ['check', '.']);
const types = () =>
  asOneTest(
    'tsc',
    ['-p', 'tsconfig.json'],
    ['-p', 'dashboard/tsconfig.json'],
    ['-p', 'clients/typescript/tsconfig.json', '--noEmit'],
  );
const thorough = args.length > 0 || process.env.TESTS === 'thorough';
// Only their own tests need the packages of the Zapier integration. Installing mostly waits, so it begins now.
const packages = (thorough ? ensureInstalled(join(root, 'integrations/zapier')) : Promise.resolve()).then(
  () => ({}),
  (error) => ({ failed: 1, failures: [error.message] }),
);
const installed = () => packages;
/** The projects of vitest.config.ts. */
const tests = (project) => () =>
  andAgainAlone((more) => vitest(['--project', project, ...more]), ['--no-file-parallelism']);

if (args.length > 0) await conclude([installed, () => vitest(args, { TESTS: 'thorough' })]);
else {
  // The browser is installed while the other tests run, since both mostly wait. One after the other, they take half as
  // long again.
  const browser = browserTests([], {}, 'at the end');
  // Where time does not matter, a test that fails should not do so because others were busy.
  const most = thorough ? [tests('together'), browser] : [atOnce(tests('together'), browser)];
  await conclude([atOnce(lint, types, installed), ...most, tests('alone')]);
}
