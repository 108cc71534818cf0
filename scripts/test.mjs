// `npm test`: lint, types, then all tests; the last line says `N passed, N failed`.
// With arguments (`npm test -- src/payments`) only vitest runs, and gets them.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findChromium } from './prepare/chromium.mjs';
import { root } from './prepare/paths.mjs';

const args = process.argv.slice(2);
const reports = mkdtempSync(join(tmpdir(), 'tenure-reports-'));
const { NODE_ENV, ...environment } = process.env;
environment.PATH = `${join(root, 'node_modules/.bin')}${delimiter}${environment.PATH}`;

const results = [];
try {
  if (args.length === 0) results.push(await lint(), await types());
  const tests = [await vitest(), ...(args.length === 0 ? [await playwright()] : [])];
  const executed = tests.reduce((sum, { passed, failed }) => sum + passed + failed, 0);
  results.push(...tests);
  if (executed === 0) results.push({ passed: 0, failed: 1, skipped: 0 });
} finally {
  rmSync(reports, { recursive: true, force: true });
}

const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
process.exitCode = sum('failed') === 0 ? 0 : 1;
console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);

async function lint() {
  return asOneTest(await run('biome', ['check', '.']));
}

async function types() {
  let code = await run('tsc', ['-p', 'tsconfig.json']);
  if (existsSync(join(root, 'dashboard/tsconfig.json'))) {
    code ||= await run('tsc', ['-p', 'dashboard/tsconfig.json']);
  }
  return asOneTest(code);
}

async function vitest() {
  const report = join(reports, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run('vitest', ['run', ...reporters, ...args]);
  return countOrFail(code, report, (counted) => ({
    passed: counted.numPassedTests,
    failed: counted.numFailedTests + counted.testResults.filter(failedAsAWhole).length,
    skipped: counted.numPendingTests + counted.numTodoTests,
  }));
}

// A file that does not even load has no tests to fail.
function failedAsAWhole({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
}

async function playwright() {
  if (!existsSync(join(root, 'playwright.config.ts'))) return { passed: 0, failed: 0, skipped: 0 };
  const report = join(reports, 'playwright.json');
  const browser = findChromium();
  const code = await run('playwright', ['test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    ...(browser && { CHROMIUM_PATH: browser }),
  });
  return countOrFail(code, report, ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }));
}

/** What the runner counted. A runner that fails without a failed test, or leaves no report, is itself a failure. */
function countOrFail(code, report, count) {
  const counted = existsSync(report)
    ? count(JSON.parse(readFileSync(report, 'utf8')))
    : { passed: 0, failed: 0, skipped: 0 };
  const crashed = counted.failed === 0 && (code !== 0 || !existsSync(report));
  return crashed ? { ...counted, failed: 1 } : counted;
}

function asOneTest(code) {
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/** Resolves to the exit code, 1 if it ended otherwise. */
function run(program, programArgs, more = {}) {
  const child = spawn(program, programArgs, {
    cwd: root,
    env: { ...environment, ...more },
    stdio: 'inherit',
  });
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1));
    child.on('error', (error) => {
      console.error(`${program} cannot be run: ${error.message}`);
      resolve(1);
    });
  });
}
