import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readResults, renderPage, suiteNames } from '../bench/lib/report.ts';

/** What TypeScript says where a contender's package is not installed, and of what then has no type. */
const ofMissingPackages = /error TS(2305|2307|7006|7016|7031):/;

test('the benchmarks fit the code that they measure, with or without the contenders’ packages', () => {
  const { stdout, error } = spawnSync('node_modules/.bin/tsc', ['-p', 'bench/tsconfig.json'], {
    encoding: 'utf8',
  });
  expect(error).toBeUndefined();
  const problems = stdout.split('\n').filter((line) => /^\S.*error TS/.test(line));
  expect(problems.filter((line) => !ofMissingPackages.test(line))).toEqual([]);
});

test('docs/benchmarks.md says what bench/results and bench/tricks.md say, in at most 250 lines', () => {
  const files = suiteNames.map((name) => `bench/results/${name}.json`);
  expect(globSync('bench/results/*').toSorted()).toEqual(files.toSorted());
  const page = readFileSync('docs/benchmarks.md', 'utf8');
  const tricks = readFileSync('bench/tricks.md', 'utf8');
  const rendered = renderPage(readResults('bench/results'), 'images', tricks);
  expect(page, 'npm run bench -- --report writes it again').toBe(rendered);
  expect(page.split('\n').length - 1).toBeLessThanOrEqual(250);
});
