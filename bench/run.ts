/*
 * `npm run bench`: measures, and writes docs/benchmarks.md from all results there are. `bench/README.md` says more.
 *
 *   npm run bench                            all suites
 *   npm run bench -- delivery latency        only these
 *   npm run bench -- --rounds 9 delivery     more rounds than five
 *   npm run bench -- --quick                 does it work? Small counts; written to dist/bench, not to docs
 *   npm run bench -- --report                nothing is measured, the report is written again
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '../src/system/version.ts';
import { generatePrisma } from './api/prisma/generate.ts';
import { describeMachine, output } from './lib/machine.ts';
import type { RunOptions, Suite, SuiteResult } from './lib/suite.ts';
import { writeReport } from './report/report.ts';

/** In the order of the report. Each is bench/<name>/suite.ts. */
const suites = ['delivery', 'latency', 'fairness', 'api', 'growth', 'memory', 'csv'];
const leastRounds = 5;

const root = join(import.meta.dirname, '..');
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
const places = flags.quick
  ? { results: 'dist/bench/results', page: 'dist/bench/benchmarks.md', images: 'dist/bench/images' }
  : { results: 'bench/results', page: 'docs/benchmarks.md', images: 'docs/images' };

const rounds = Number(flags.rounds ?? (flags.quick ? 1 : leastRounds));
const unknown = positionals.filter((name) => !suites.includes(name));
if (unknown.length > 0) stop(`There is no suite ${unknown.join(', ')}; there are ${suites.join(', ')}.`);
if (!Number.isInteger(rounds) || rounds < 1) stop('--rounds must be a whole number from 1.');
if (rounds < leastRounds && !flags.quick) stop(`Below ${leastRounds} rounds only with --quick.`);

const failed: string[] = [];
if (!flags.report) {
  generatePrisma();
  checkTypes();
  const wanted = positionals.length > 0 ? positionals : suites;
  for (const name of wanted) await measure(name).catch((error) => failed.push(`${name}: ${error.stack}`));
}
const missed = writeReport(readResults(), { root, ...places });
console.log(`${places.page} is written${missed === 0 ? '' : `; bars that are missed: ${missed}`}.`);
for (const failure of failed) console.error(`Not measured: ${failure}`);
// Whatever a contender left open ends here.
process.exit(failed.length === 0 ? 0 : 1);

async function measure(name: string): Promise<void> {
  const { suite } = (await import(`./${name}/suite.ts`)) as { suite: Suite };
  const say = (line: string) => console.log(`[${name}] ${line}`);
  const options: RunOptions = { rounds, quick: flags.quick, say };
  const machine = await describeMachine();
  const startedAt = performance.now();
  const measuredAt = new Date().toISOString();
  const findings = await suite.run(options);
  const result: SuiteResult = {
    suite: name,
    title: suite.title,
    measuredAt,
    durationSeconds: Math.round((performance.now() - startedAt) / 1000),
    rounds,
    machine,
    ...commitNow(),
    ...findings,
    versions: { tenure: version, node: process.versions.node, ...findings.versions },
  };
  mkdirSync(join(root, places.results), { recursive: true });
  writeFileSync(resultFile(name), `${JSON.stringify(result, null, 2)}\n`);
  for (const { text, measured, target, met } of result.bars)
    say(`${met === null ? '  –   ' : met ? ' met  ' : 'MISSED'} ${text}: ${measured} (${target})`);
}

/** With a plus where files were changed since. */
function commitNow(): { commit?: string } {
  const commit = output('git', '-C', root, 'rev-parse', '--short', 'HEAD').trim();
  const changed = output(
    'git',
    '-C',
    root,
    'status',
    '--porcelain',
    'src',
    'bench',
    'package-lock.json',
    ':!bench/results',
  );
  return commit === '' ? {} : { commit: changed === '' ? commit : `${commit}+` };
}

function readResults(): SuiteResult[] {
  return suites
    .filter((name) => existsSync(resultFile(name)))
    .map((name) => JSON.parse(readFileSync(resultFile(name), 'utf8')) as SuiteResult);
}

function resultFile(name: string): string {
  return join(root, places.results, `${name}.json`);
}

/** Here and not in `npm test`, which does not install what is compared. */
function checkTypes(): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'bench/tsconfig.json')], {
    stdio: 'inherit',
  });
  if (status !== 0) stop('The types of bench/ are wrong; see above.');
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}
