import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readResults, renderPage, suiteNames } from '../bench/lib/report.ts';
import { drawNeeds, files, nodesNote, readMeasured, renderScale } from '../bench/scale/page.ts';
import { type Setup, simulate } from '../bench/scale/queue.ts';
import { thorough } from './support/thorough.ts';

/**
 * What TypeScript reports where a contender's package is not installed, and for values that have no type because of
 * that.
 */
const ofMissingPackages = /error TS(2305|2307|7006|7016|7031):/;

test.runIf(thorough)(
  'the benchmarks fit the code that they measure, with or without the contenders’ packages',
  () => {
    const { stdout, error } = spawnSync('node_modules/.bin/tsc', ['-p', 'bench/tsconfig.json'], {
      encoding: 'utf8',
    });
    expect(error).toBeUndefined();
    const problems = stdout.split('\n').filter((line) => /^\S.*error TS/.test(line));
    expect(problems.filter((line) => !ofMissingPackages.test(line))).toEqual([]);
  },
);

test('docs/benchmarks.md says what bench/results and bench/tricks.md say, in at most 250 lines', () => {
  const results = suiteNames.map((name) => `bench/results/${name}.json`);
  expect(globSync('bench/results/*.json').toSorted()).toEqual(results.toSorted());
  const page = readFileSync('docs/benchmarks.md', 'utf8');
  const tricks = readFileSync('bench/tricks.md', 'utf8');
  const rendered = renderPage(readResults('bench/results'), 'images', [nodesNote(), tricks]);
  expect(page, 'npm run bench -- --report writes it again').toBe(rendered);
  expect(page.split('\n').length - 1).toBeLessThanOrEqual(250);
});

test('docs/scale.md and its picture say what was measured and assumed, in at most 150 lines', () => {
  const measured = readMeasured();
  const page = readFileSync('docs/scale.md', 'utf8');
  expect(page, 'node bench/scale/simulate.ts writes it again').toBe(renderScale(measured));
  expect(page.split('\n').length - 1).toBeLessThanOrEqual(150);
  expect(readFileSync(files.picture, 'utf8')).toBe(drawNeeds(measured));
});

describe('the simulation behind docs/scale.md', () => {
  const { costs } = readMeasured();
  const cost = { api: 1_000, worker: 500, postgres: 2_000, nodes: 0, outside: 0, wal: 0 };
  const simple = {
    ...costs,
    requests: { ...costs.requests, create: cost },
    waitsMs: { ...costs.waitsMs, create: 0 },
    deliveries: { ...costs.deliveries, single: { ...cost, api: 0, postgres: 500 } },
    idle: { ...cost, api: 0, worker: 0, postgres: 0 },
  };
  const usual: Setup = { apis: 1, workers: 1, poolSize: 10, cores: 8 };
  const run = (setup: Partial<Setup>, perSecond: number, atOnce?: number) =>
    simulate(
      simple,
      { ...usual, ...setup },
      { rates: { create: perSecond }, seconds: 10, ...(atOnce && { atOnce }) },
    );
  const near = (value: number, wanted: number) => expect(Math.abs(value / wanted - 1)).toBeLessThan(0.05);

  test('has what comes in go out, and spends what it costs', () => {
    const { perSecond, api, worker, postgres, p50Ms } = run({}, 100);
    near(perSecond, 100);
    near(api, 0.1);
    near(worker, 0.05);
    near(postgres, 0.25);
    expect(p50Ms).toBeGreaterThan(1.5);
    expect(p50Ms).toBeLessThan(4);
  });

  test('does no more than its narrowest part allows', () => {
    const none = { workers: 0 };
    near(run(none, 1, 64).perSecond, 1_000); // one API process: 1 ms each
    near(run({ ...none, apis: 4, cores: 2 }, 1, 64).perSecond, 667); // two cores for all: 3 ms each
    near(run({ ...none, poolSize: 1 }, 1, 64).perSecond, 500); // one connection: 2 ms each
  });
});
