import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

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
