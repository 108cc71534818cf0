import { cpus } from 'node:os';
import type { Machine } from '../lib/machine.ts';
import { startTenure, type TenureProcess } from '../lib/tenure.ts';
import { limits } from './assumptions.ts';
import type { Costs } from './costs.ts';
import type { Kind } from './kinds.ts';
import { closeStage, openStage, sizes, spent, untilSettled } from './measure.ts';
import { loadOf } from './model.ts';
import { type Predicted, type Setup, simulate } from './queue.ts';
import type { Site } from './site.ts';

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

/** All kinds of requests as in the busiest hour, so many a second altogether. */
function mixOf(perSecond: number): Record<Kind, number> {
  const { requests } = loadOf(1, 'busiest');
  const all = Object.values(requests).reduce((sum, rate) => sum + rate, 0);
  return Object.fromEntries(
    Object.entries(requests).map(([kind, rate]) => [kind, (rate / all) * perSecond]),
  ) as Record<Kind, number>;
}

/** Of what is predicted to be the most: above that, all that comes waits longer and longer. */
const partsOfMost = [0.25, 0.5, 0.75];
const clients = 48;

/** So many API processes and a worker under several loads, each for so long. */
export async function runService(
  site: Site,
  costs: Costs,
  apis: number,
  seconds: number,
  say: (line: string) => void,
): Promise<Run[]> {
  const stage = await openStage(site, apis, sizes);
  const workers: TenureProcess[] = [];
  const setup: Setup = { apis, workers: 1, poolSize: limits.poolSize, cores: cpus().length, isShared: true };
  const runs: Run[] = [];
  const urls = stage.apis.map(({ url }) => url);
  const measure = async (perSecond: number, atOnce?: number): Promise<Run> => {
    const rates = mixOf(perSecond);
    const { result, total } = await spent(stage, workers, async () => {
      const answers = await stage.load.run({ urls, rates, seconds, ...(atOnce && { atOnce }) });
      await untilSettled(site);
      return answers;
    });
    const { requests, seconds: lasted, p50Ms, p99Ms } = result;
    const cores = (microseconds: number) => microseconds / 1e6 / lasted;
    const used = { api: cores(total.api), worker: cores(total.worker), postgres: cores(total.postgres) };
    return {
      setup,
      rates,
      ...(atOnce && { atOnce }),
      measured: { perSecond: requests / lasted, p50Ms, p99Ms, ...used },
    };
  };
  try {
    workers.push(await startTenure('worker', stage.environment));
    await stage.receiver.received(sizes.accounts * sizes.payments);
    await untilSettled(site);
    // Node compiles what it runs for the first seconds of a load.
    await stage.load.run({ urls, rates: mixOf(200), seconds: Math.min(15, seconds) });
    const most = simulate(costs, setup, { rates: mixOf(1), seconds: 20, atOnce: clients }).perSecond;
    for (const part of partsOfMost) runs.push(await measure(most * part));
    runs.push(await measure(1, clients));
    for (const { measured } of runs) say(JSON.stringify(measured));
    return runs;
  } finally {
    await closeStage(stage, workers);
  }
}
