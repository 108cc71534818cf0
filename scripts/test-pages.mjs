// `npm run test:pages`: all browser tests, each page in light and dark and as wide as a desk and a phone. `npm test` has
// a short version, without `e2e/thorough`. With arguments (`npm run test:pages -- e2e/thorough/print.spec.ts`) only
// those files.
import { browserTests } from './test/browser.mjs';
import { conclude } from './test/run.mjs';

await conclude([browserTests(process.argv.slice(2), { TESTS: 'thorough' })]);
