// `npm run test:fuzz`: 100,000 requests made from the OpenAPI document, with a new seed each time. Bad input, the
// safe-URL check and the signature samples, in every language, get more cases than in `npm test`. Every combination of
// filters is planned, and tried with every size of a page. Every kind of value is sent under every name of a field that
// a route does not know, including every id of another account. Everything that a command prints is searched for
// secrets, in both forms. Spectral lints the OpenAPI document. The ledger is compared with its model in 20,000
// histories of an account, which takes most of the time, and a year of test mode with 150 units is compared with as
// many single days. The feed of events is followed during an import of 30,000 rows, and 20,000 payments are imported
// with a small heap. FUZZ_SEED repeats a run. With arguments, only those files run.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { delimiter, join } from 'node:path';
import { root } from './prepare/paths.mjs';

const { NODE_ENV, ...environment } = process.env;
const seed = environment.FUZZ_SEED || String(randomInt(2 ** 31));
const requests = environment.FUZZ_REQUESTS || '100000';
console.log(`FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests}`);

const args = process.argv.slice(2);
const ledger = ['model', 'order', 'rules'].map((name) => `test/ledger-${name}.test.ts`);
const wide = [
  'abuse/mass-assignment',
  'thorough/secrets-in-logs',
  'bad-input',
  'filters',
  'openapi-lint',
  'plans',
  'verify',
].map((name) => `test/${name}.test.ts`);
const all = [
  'test/abuse/fuzz',
  ...wide,
  ...ledger,
  'src/test-mode/advance.test.ts',
  'src/events/feed.test.ts',
  'src/cli/import.test.ts',
];
const files = args.length > 0 ? args : all;

const child = spawn('vitest', ['run', ...files], {
  cwd: root,
  env: {
    ...environment,
    TESTS: 'thorough',
    FUZZ_SEED: seed,
    FUZZ_REQUESTS: requests,
    PATH: `${join(root, 'node_modules/.bin')}${delimiter}${environment.PATH}`,
  },
  stdio: 'inherit',
});
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
child.on('error', (error) => {
  console.error(`vitest cannot be run: ${error.message}`);
  process.exitCode = 1;
});
