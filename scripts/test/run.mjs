import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../prepare/paths.mjs';

const { NODE_ENV, ...environment } = process.env;
environment.PATH = `${join(root, 'node_modules/.bin')}${delimiter}${environment.PATH}`;

/**
 * Runs the parts one after the other and adds up their counts. Tests that failed and can be repeated run again after
 * everything else. The last lines name what failed and say `N passed, N failed`.
 */
export async function conclude(parts) {
  const results = [];
  for (const part of parts) results.push(...[await part()].flat());
  for (const { again } of results) await again?.();
  const sum = (key) => results.reduce((total, result) => total + (result[key] ?? 0), 0);
  const failed = sum('failed');
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  process.exitCode = failed === 0 ? 0 : 1;
  for (const failure of results.flatMap(({ failures = [] }) => failures)) console.log(`Failed: ${failure}`);
  console.log(`${sum('passed')} passed, ${failed} failed${skipped}`);
}

/** Several parts as one, at the same time: while one waits, another continues. */
export const atOnce =
  (...parts) =>
  () =>
    Promise.all(parts.map((part) => part()));

export async function vitest(args, more = {}, signal = undefined) {
  return counted(
    'vitest.json',
    async (report) => {
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
      return run('vitest', ['run', ...reporters, ...args], { more, signal });
    },
    (found) => ({
      passed: found.numPassedTests,
      failed: found.numFailedTests + found.testResults.filter(failedAsAWhole).length,
      skipped: found.numPendingTests + found.numTodoTests,
      failedFiles: found.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name),
      failures: found.testResults.filter(({ status }) => status === 'failed').flatMap(vitestFailures),
    }),
  );
}

function vitestFailures({ name, message, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return [inOneLine(file, message)];
  return failed.map(({ fullName, failureMessages }) => inOneLine(`${file}: ${fullName}`, failureMessages[0]));
}

const inOneLine = (test, message = '') => `${test}: ${stripVTControlCharacters(message).split('\n')[0]}`;

// A file that does not load has no tests that could fail.
function failedAsAWhole({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((test) => test.status === 'failed');
}

export async function playwright(args = [], more = {}, printing = undefined) {
  return counted(
    'playwright.json',
    (report) =>
      run('playwright', ['test', '--reporter=list,json', ...args], {
        more: { PLAYWRIGHT_JSON_OUTPUT_FILE: report, ...more },
        printing,
      }),
    ({ stats, suites }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
      failedFiles: suites.filter(hasFailed).map(({ file }) => file),
      failures: suites.flatMap(playwrightFailures),
    }),
  );
}

const hasFailed = ({ specs = [], suites = [] }) => specs.some(({ ok }) => !ok) || suites.some(hasFailed);

const playwrightFailures = ({ specs = [], suites = [] }) => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) =>
      inOneLine(`e2e/${file}: ${title}`, tests[0]?.results.at(-1)?.error?.message),
    ),
  ...suites.flatMap(playwrightFailures),
];

/** If more than these fail together, the reason is not a busy machine. */
const mostAgain = 5;

/**
 * Says of files that failed whether they pass when they run again, alone and one at a time. The counts stay those of
 * the first run: this only helps to distinguish a busy machine from a fault.
 */
export async function andAgainAlone(runner, alone) {
  const first = await runner([]);
  const files = first.failedFiles ?? [];
  if (files.length === 0 || files.length > mostAgain) return first;
  const again = async () => {
    console.log(`\nFailed, so run again alone, to find out why: ${files.join(', ')}`);
    const second = await runner([...files, ...alone]);
    console.log(
      second.failed === 0
        ? '\nThe second run passed. So it depends on the machine: fix the test, or what it tests.'
        : '\nThe second run failed as well.',
    );
  };
  return { ...first, again };
}

/** Runs a program that passes or fails as a whole. */
export async function asOneTest(program, ...lists) {
  let code = 0;
  for (const args of lists) code ||= await run(program, args);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, failures: [program] };
}

/**
 * What the runner counted. If it fails without a failed test, leaves no report or runs no test at all, that is itself a
 * failure.
 */
async function counted(name, runner, count) {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-reports-'));
  const report = join(folder, name);
  try {
    const code = await runner(report);
    const found = existsSync(report)
      ? count(JSON.parse(readFileSync(report, 'utf8')))
      : { passed: 0, failed: 0, skipped: 0 };
    const crashed = found.failed === 0 && (code !== 0 || !existsSync(report));
    const nothing = found.passed + found.failed === 0;
    return crashed || nothing ? { ...found, failed: 1 } : found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Resolves to the exit code, or to 1 if there is none. The signal ends the program at once. What it prints `at the end`
 * does not mix with what others print at the same time.
 */
async function run(program, args, { more = {}, signal = undefined, printing = 'as it comes' } = {}) {
  const printTo = (output) => started(program, args, more, signal, output);
  return printing === 'at the end' ? laterPrinted(printTo) : printTo('inherit');
}

function started(program, args, more, signal, output) {
  const stdio = ['inherit', output, output];
  const child = spawn(program, args, { cwd: root, env: { ...environment, ...more }, stdio });
  signal?.addEventListener('abort', () => child.kill('SIGKILL'));
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? 1));
    child.on('error', (error) => {
      console.error(`${program} cannot be run: ${error.message}`);
      resolve(1);
    });
  });
}

/** It prints to a file, since whatever a program leaves running could hold a pipe open for good. */
async function laterPrinted(work) {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-output-'));
  const path = join(folder, 'output');
  const file = openSync(path, 'a');
  try {
    return await work(file);
  } finally {
    closeSync(file);
    process.stdout.write(readFileSync(path));
    rmSync(folder, { recursive: true, force: true });
  }
}
