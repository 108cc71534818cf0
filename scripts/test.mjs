// `npm test`: lint, types, then all tests; the last line says `N passed, N failed`.
// With arguments (`npm test -- src/payments`) only vitest runs, with these arguments.
import { browserTests } from './test/browser.mjs';
import { andAgainAlone, asOneTest, conclude, vitest } from './test/run.mjs';

const args = process.argv.slice(2);

const lint = () => asOneTest('biome', ['check', '.']);
const types = () =>
  asOneTest(
    'tsc',
    ['-p', 'tsconfig.json'],
    ['-p', 'dashboard/tsconfig.json'],
    ['-p', 'clients/typescript/tsconfig.json', '--noEmit'],
  );
// It gets its browser while the other tests run.
const browser = args.length === 0 ? browserTests() : undefined;
const unit = () => andAgainAlone(vitest, ['--no-file-parallelism']);

await conclude(args.length > 0 ? [() => vitest(args)] : [lint, types, unit, browser]);
