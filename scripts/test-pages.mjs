// `npm run test:pages`: the browser tests in full, each page in light and dark and as wide as a desk and a phone (`npm
// test` runs a short version). With arguments (`npm run test:pages -- e2e/print.spec.ts`) only those files.
import { browserTests } from './test/browser.mjs';
import { conclude } from './test/run.mjs';

await conclude([browserTests(process.argv.slice(2), { PAGES: 'full' })]);
