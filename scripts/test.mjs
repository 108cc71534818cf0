// `npm test`: lint, types, then all tests; the last line says `N passed, N failed`.
// With arguments (`npm test -- src/payments`) only vitest runs, with these arguments.
import { ensureChromium, findChromium } from './prepare/chromium.mjs';
import { andAgainAlone, asOneTest, conclude, playwright, vitest } from './test/run.mjs';

const args = process.argv.slice(2);

const lint = () => asOneTest('biome', ['check', '.']);
const types = () =>
  asOneTest(
    'tsc',
    ['-p', 'tsconfig.json'],
    ['-p', 'dashboard/tsconfig.json'],
    ['-p', 'clients/typescript/tsconfig.json', '--noEmit'],
  );
// A browser is mostly waited for: it comes while the other tests run.
const chromium = args.length === 0 ? ensureChromium(process.execPath).catch((error) => error) : undefined;
const browser = async () => {
  const problem = await chromium;
  if (problem) {
    console.error(problem.message);
    return { failed: 1 };
  }
  const found = findChromium();
  const environment = found ? { CHROMIUM_PATH: found } : {};
  return andAgainAlone((more) => playwright(more, environment), ['--workers=1']);
};

const unit = () => andAgainAlone(vitest, ['--no-file-parallelism']);

await conclude(args.length > 0 ? [() => vitest(args)] : [lint, types, unit, browser]);
