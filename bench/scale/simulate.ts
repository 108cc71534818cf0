/*
 * Calculates what more units need: docs/scale.md and its picture, from what each piece of work takes here (measured)
 * and what is assumed about users and prices (assumptions.ts).
 *
 *   node bench/scale/simulate.ts             writes the page again from what was measured
 *   node bench/scale/simulate.ts --measure   measures what each piece of work takes, first (two minutes)
 *   node bench/scale/simulate.ts --cluster   measures the same on a cluster that BENCH_COORDINATOR and BENCH_NODES name
 *                                            (site.ts)
 *   node bench/scale/simulate.ts --nodes     measures one and two nodes beside one PostgreSQL (BENCH_POSTGRES), in
 *                                            three rounds (--rounds)
 *   node bench/scale/simulate.ts --check     runs the service with one and with two API processes, a minute at each
 *                                            of several rates, beside what the simulation says of them
 *
 *   --seconds 20                             of each measurement, instead of a minute (--check) or six seconds
 *   --accounts 30                            instead of 200, where making them takes too long
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../lib/tenure.ts';
import { measureCheck } from './check.ts';
import { measureCosts, partOnCluster, sizes } from './measure.ts';
import { measureNodes } from './nodes.ts';
import { drawNeeds, files, readMeasured, renderScale } from './page.ts';
import { given, openGivenSite, openOwnSite, type Site } from './site.ts';

const { values: flags } = parseArgs({
  options: {
    measure: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    nodes: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    check: { type: 'boolean', default: false },
    seconds: { type: 'string' },
    accounts: { type: 'string', default: String(sizes.accounts) },
  },
});

const write = (file: string, text: string) => writeFileSync(join(root, file), text);
const writeJson = (file: string, value: object) => write(file, `${JSON.stringify(value, null, 2)}\n`);
const say = (line: string) => console.log(line);

const sized = { ...sizes, accounts: Number(flags.accounts) };
const measure = async (site: Site, file: string, part?: number) => {
  writeJson(file, await measureCosts(site, sized, Number(flags.seconds ?? 6), say, part));
};

if (flags.measure) await measure(await openOwnSite('costs'), files.costs);
if (flags.cluster) {
  if (!given.coordinator) throw new Error('BENCH_COORDINATOR and BENCH_NODES name no servers.');
  await measure(await openGivenSite('cluster', given.coordinator, given.nodes), files.cluster, partOnCluster);
}
if (flags.nodes) writeJson(files.nodes, await measureNodes(Number(flags.rounds), say));
if (flags.check)
  writeJson(files.check, await measureCheck(readMeasured().costs, sized, Number(flags.seconds ?? 60), say));
const measured = readMeasured();
write(files.page, renderScale(measured));
write(files.picture, drawNeeds(measured));
say(`${files.page} is written.`);
if (flags.nodes) say('They are in docs/benchmarks.md after `npm run bench -- --report`.');
// This ends whatever was left open.
process.exit();
