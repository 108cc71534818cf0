import { describeMachine, type Machine } from '../lib/machine.ts';
import { alternate } from '../lib/rounds.ts';
import { spread } from '../lib/stats.ts';
import { type Samples, valuesOf } from '../lib/suite.ts';
import { startTenure, type TenureProcess } from '../lib/tenure.ts';
import { each } from './costs.ts';
import { type LoadProcess, type LoadRequest, startLoad } from './load.ts';
import { closeStage, openStage, type Stage, spent, untilSettled } from './measure.ts';
import { given, openGivenSite } from './site.ts';

/*
 * Accounts on several nodes (Citus) beside one PostgreSQL of the same version: what one account can do, and 200 of them
 * whose payments are delivered, with one and with two nodes, and with processes of each kind alone and in pairs. All
 * share the cores of this machine, so two nodes cannot be faster than one. What tells is processor time.
 */

const clients = 32;
const seconds = { warmUp: 5, measured: 4 };
const sizes = { accounts: 200, leases: 2, payments: 5 };

/** Of each request or delivered payment, microseconds of each. `postgres` is the coordinator where there are nodes. */
export type Piece = Record<'perSecond' | 'p50Ms' | 'api' | 'worker' | 'postgres' | 'nodes', number>;

export interface Nodes {
  measuredAt: string;
  machine: Machine;
  postgres: string;
  rounds: number;
  /** What has changed since, written by hand where it was not measured again. */
  since?: string;
  /** By what was done, then by where. Medians. */
  done: Record<string, Record<string, Piece>>;
}

interface Contender extends Stage {
  name: string;
  /** Asks for one account alone. */
  alone: LoadProcess;
}

export async function measureNodes(rounds: number, say: (line: string) => void): Promise<Nodes> {
  const { postgres, coordinator, nodes } = given;
  if (!postgres || !coordinator || nodes.length < 2)
    throw new Error(
      'BENCH_POSTGRES, BENCH_COORDINATOR and BENCH_NODES name no servers (bench/scale/site.ts).',
    );
  const machine = describeMachine();
  const measuredAt = new Date().toISOString();
  const contenders: Contender[] = [];
  const open = async (name: string, url: string, behind: string[]) => {
    const stage = await openStage(await openGivenSite(name, url, behind), 2, sizes);
    contenders.push({ ...stage, name, alone: await startLoad(stage.askers.slice(0, 1)) });
    say(`${name} is ready`);
  };
  const inTurn = async (measure: (contender: Contender, duration: number) => Promise<Piece>) => {
    const samples = await alternate(
      contenders.map((contender) => ({
        name: contender.name,
        measure: (round) => measure(contender, round === 0 ? seconds.warmUp : seconds.measured),
      })),
      { rounds, say },
    );
    return Object.fromEntries(contenders.map(({ name }) => [name, medians(samples, name)]));
  };
  try {
    await open('one PostgreSQL', postgres, []);
    await open('coordinator and one node', coordinator, nodes.slice(0, 1));
    await open('coordinator and two nodes', coordinator, nodes.slice(0, 2));
    // Payments first, so that there is a page of them.
    const create = await inTurn((contender, duration) => measureAlone(contender, 'create', duration));
    const list = await inTurn((contender, duration) => measureAlone(contender, 'list', duration));
    const one = await inTurn((contender, duration) => measureMany(contender, 1, duration));
    const two = await inTurn((contender, duration) => measureMany(contender, 2, duration));
    const done = {
      'a page of 100, one account': list,
      'a new payment, one account': create,
      'payments of 200 accounts, delivered': one,
      'the same, two API processes and workers': two,
    };
    return { measuredAt, machine, postgres: contenders[0]?.site.version ?? '', rounds, done };
  } finally {
    for (const { alone, ...stage } of contenders) {
      await alone.stop();
      await closeStage(stage);
    }
  }
}

function medians(samples: Samples<keyof Piece>, name: string): Piece {
  const keys = ['perSecond', 'p50Ms', 'api', 'worker', 'postgres', 'nodes'] as const;
  return Object.fromEntries(keys.map((key) => [key, spread(valuesOf(samples, name, key)).median])) as Piece;
}

const measureAlone = (contender: Contender, kind: 'list' | 'create', duration: number) =>
  measure(contender, contender.alone, [], {
    urls: contender.apis.slice(0, 1).map(({ url }) => url),
    rates: { [kind]: 1 },
    seconds: duration,
  });

/** With what was queued before out of the way. Workers are there only meanwhile: they look for work all the time. */
async function measureMany(contender: Contender, processes: number, duration: number): Promise<Piece> {
  const workers: TenureProcess[] = [];
  try {
    for (let n = 0; n < processes; n++) workers.push(await startTenure('worker', contender.environment));
    await untilSettled(contender.site);
    const urls = contender.apis.slice(0, processes).map(({ url }) => url);
    return await measure(contender, contender.load, workers, {
      urls,
      rates: { create: 1 },
      seconds: duration,
    });
  } finally {
    for (const { stop } of workers) await stop();
  }
}

/** Until all is delivered, where there are workers. */
async function measure(
  contender: Contender,
  load: LoadProcess,
  workers: TenureProcess[],
  request: LoadRequest,
): Promise<Piece> {
  await contender.site.settle();
  const spentNow = await spent(contender, workers, async () => {
    const answers = await load.run({ ...request, atOnce: clients });
    if (workers.length > 0) await untilSettled(contender.site);
    return answers;
  });
  const { requests, p50Ms } = spentNow.result;
  const { api, worker, postgres, nodes } = each(spentNow.total, requests);
  return { perSecond: requests / spentNow.seconds, p50Ms, api, worker, postgres, nodes };
}
