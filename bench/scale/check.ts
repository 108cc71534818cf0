import { cpus } from 'node:os';
import { describeMachine, type Machine } from '../lib/machine.ts';
import { startTenure } from '../lib/tenure.ts';
import type { Sizes } from './accounts.ts';
import { limits } from './assumptions.ts';
import { type Costs, each, type Kind, kindNames, totalOf } from './costs.ts';
import { openStage, spent, untilSettled } from './measure.ts';
import { loadOf } from './model.ts';
import { type Predicted, type Setup, simulate } from './queue.ts';
import { openOwnSite, type Site } from './site.ts';

/** What the real service did under one load. */
export interface Run {
  setup: Setup;
  rates: Record<Kind, number>;
  /** Clients that ask again as soon as they are answered, instead of a rate. */
  atOnce?: number;
  measured: Predicted;
}

export interface Check {
  measuredAt: string;
  machine: Machine;
  postgres: string;
  seconds: number;
  runs: Run[];
}

/** All kinds of requests as in the busiest hour, this many a second in total. */
function mixOf(perSecond: number): Record<Kind, number> {
  const { requests } = loadOf(1);
  const part = perSecond / totalOf(requests);
  const rates = kindNames.map((kind) => [kind, requests[kind] * part]);
  return Object.fromEntries(rates) as Record<Kind, number>;
}

/** Parts of the predicted maximum. Above that, requests wait longer and longer. */
const partsOfMost = [0.25, 0.5, 0.75];
const clients = 48;

/** Several loads, each for this long, on one API process and on two. */
export async function measureCheck(
  costs: Costs,
  sized: Sizes,
  seconds: number,
  say: (line: string) => void,
): Promise<Check> {
  const machine = describeMachine();
  const measuredAt = new Date().toISOString();
  const runs: Run[] = [];
  let postgres = '';
  for (const processes of [1, 2]) {
    const site = await openOwnSite('check');
    postgres = site.version;
    runs.push(...(await runService(site, costs, sized, processes, seconds, say)));
  }
  return { measuredAt, machine, postgres, seconds, runs };
}

async function runService(
  site: Site,
  costs: Costs,
  sized: Sizes,
  apis: number,
  seconds: number,
  say: (line: string) => void,
): Promise<Run[]> {
  await using stage = await openStage(site, apis, sized);
  await using worker = await startTenure('worker', stage.environment);
  const setup: Setup = { apis, workers: 1, poolSize: limits.poolSize, cores: cpus().length };
  const urls = stage.apis.map(({ url }) => url);
  const measure = async (perSecond: number, atOnce?: number): Promise<Run> => {
    const load = { rates: mixOf(perSecond), ...(atOnce && { atOnce }) };
    const { result, total } = await spent(stage, [worker], async () => {
      const answers = await stage.load.run({ urls, seconds, ...load });
      await untilSettled(site);
      return answers;
    });
    const { requests, seconds: lasted, p50Ms, p99Ms } = result;
    const { api, worker: ofWorker, postgres } = each(total, lasted * 1e6);
    const cores = { api, worker: ofWorker, postgres };
    const measured = { perSecond: requests / lasted, p50Ms, p99Ms, ...cores };
    say(JSON.stringify(measured));
    return { setup, ...load, measured };
  };
  await stage.receiver.received(sized.accounts * sized.payments);
  await untilSettled(site);
  // Node compiles what it runs for the first seconds of a load.
  await stage.load.run({ urls, rates: mixOf(200), seconds: Math.min(15, seconds) });
  const most = simulate(costs, setup, { rates: mixOf(1), seconds: 20, atOnce: clients }).perSecond;
  const runs: Run[] = [];
  for (const part of partsOfMost) runs.push(await measure(most * part));
  runs.push(await measure(1, clients));
  return runs;
}
