/*
 * `npm run bench`: measures, and writes docs/benchmarks.md from all results there are. `bench/README.md` says more.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { version } from '../src/system/version.ts';
import { describeMachine, output } from './lib/machine.ts';
import { drawPlot } from './lib/plot.ts';
import { readResults, renderPage, suiteNames as suites } from './lib/report.ts';
import type { Suite, SuiteResult } from './lib/suite.ts';
import { root } from './lib/tenure.ts';
import { nodesNote } from './scale/page.ts';

if (process.argv[2] === 'compare') compare(process.argv.slice(3));
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
  },
});
// A suite that was not measured yet is not in the list.
const unknown = positionals.filter((name) => !existsSync(join(root, 'bench/suites', `${name}.ts`)));
if (unknown.length > 0) stop(`There is no suite ${unknown.join(', ')}; there are ${suites.join(', ')}.`);
if (flags.rounds !== undefined && !/^[1-9]\d*$/.test(flags.rounds))
  stop('--rounds must be a whole number from 1.');

const paths = flags.quick
  ? { results: 'dist/bench/results', page: 'dist/bench/benchmarks.md', images: 'dist/bench/images' }
  : { results: 'bench/results', page: 'docs/benchmarks.md', images: 'docs/images' };
const failed: string[] = [];
if (!flags.report) {
  const wanted = positionals.length > 0 ? positionals : suites;
  for (const name of wanted) await measure(name).catch((error) => failed.push(`${name}: ${error.stack}`));
}
writeReport();
for (const failure of failed) console.error(`Not measured: ${failure}`);
// This ends whatever a contender left open.
process.exit(failed.length === 0 ? 0 : 1);

async function measure(name: string): Promise<void> {
  const { suite } = (await import(`./suites/${name}.ts`)) as { suite: Suite };
  const say = (line: string) => console.log(`[${name}] ${line}`);
  const machine = describeMachine();
  const rounds = Number(flags.rounds ?? (flags.quick ? 1 : suite.rounds));
  const startedAt = performance.now();
  const measuredAt = new Date().toISOString();
  const findings = await suite.run({ rounds, quick: flags.quick, say });
  const result: SuiteResult = {
    title: suite.title,
    measuredAt,
    durationSeconds: Math.round((performance.now() - startedAt) / 1000),
    rounds,
    machine,
    ...commitNow(),
    ...findings,
    versions: { tenure: version, node: process.versions.node, ...findings.versions },
  };
  mkdirSync(join(root, paths.results), { recursive: true });
  writeFileSync(join(root, paths.results, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
  for (const { text, measured, target, met } of result.bars)
    say(`${met === null ? '  –   ' : met ? ' met  ' : 'MISSED'} ${text}: ${measured} (${target})`);
}

/** With a plus where files were changed since. */
function commitNow(): { commit?: string } {
  const commit = output('git', '-C', root, 'rev-parse', '--short', 'HEAD').trim();
  const watched = ['src', 'bench', 'package-lock.json', ':!bench/results'];
  const changed = output('git', '-C', root, 'status', '--porcelain', ...watched);
  return commit === '' ? {} : { commit: changed === '' ? commit : `${commit}+` };
}

function writeReport(): void {
  const results = readResults(join(root, paths.results));
  mkdirSync(join(root, paths.images), { recursive: true });
  for (const { plot } of results.flatMap(({ sections }) => sections))
    if (plot) writeFileSync(join(root, paths.images, `bench-${plot.name}.svg`), drawPlot(plot));
  const tricks = readFileSync(join(root, 'bench/tricks.md'), 'utf8');
  const images = relative(dirname(paths.page), paths.images);
  writeFileSync(join(root, paths.page), renderPage(results, images, [nodesNote(), tricks]));
  console.log(`${paths.page} is written.`);
}

function compare([name, ...rest]: string[]): never {
  const script = join(root, `bench/compare/${name}.ts`);
  if (!existsSync(script)) stop(`There is no ${relative(root, script)}.`);
  process.exit(spawnSync(process.execPath, [script, ...rest], { stdio: 'inherit' }).status ?? 1);
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}
