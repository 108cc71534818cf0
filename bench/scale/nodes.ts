import { describeMachine, type Machine } from '../lib/machine.ts';
import { alternate } from '../lib/rounds.ts';
import { spread } from '../lib/stats.ts';
import { type Samples, valuesOf } from '../lib/suite.ts';
import { startTenure, type TenureProcess } from '../lib/tenure.ts';
import { each, type Kind } from './costs.ts';
import { openStage, type Stage, spent, untilSettled } from './measure.ts';
import { given, openGivenSite } from './site.ts';

/*
 * Accounts on several nodes (Citus) beside one PostgreSQL of the same version: what one account can do, and 200 of them
 * whose payments are delivered, with one and with two nodes, and with processes of each kind alone and in pairs. All
 * share the cores of this machine, so two nodes cannot be faster than one. What counts is processor time.
 */

const clients = 32;
const seconds = { warmUp: 5, measured: 4 };
const sizes = { accounts: 200, leases: 2, payments: 5 };

interface Task {
  kind: Kind;
  accounts: number;
  /** They run only during this task, since they look for work all the time. Each has an API process beside it. */
  workers: number;
}

const tasks: Record<string, Task> = {
  // Payments first, so that there is a page of them.
  'a new payment, one account': { kind: 'create', accounts: 1, workers: 0 },
  'a page of 100, one account': { kind: 'list', accounts: 1, workers: 0 },
  'payments of 200 accounts, delivered': { kind: 'create', accounts: 200, workers: 1 },
  'the same, two API processes and workers': { kind: 'create', accounts: 200, workers: 2 },
};

/** Microseconds of each for a request or a delivered payment. `postgres` is the coordinator if there are nodes. */
export type Piece = Record<'perSecond' | 'api' | 'worker' | 'postgres' | 'nodes', number>;

export interface Nodes {
  measuredAt: string;
  machine: Machine;
  postgres: string;
  rounds: number;
  /** What has changed since, written by hand if it was not measured again. */
  since?: string;
  /** By what was done, then by where. Medians. */
  done: Record<string, Record<string, Piece>>;
}

export async function measureNodes(rounds: number, say: (line: string) => void): Promise<Nodes> {
  const { postgres, coordinator, nodes } = given;
  if (!postgres || !coordinator || nodes.length < 2)
    throw new Error(
      'BENCH_POSTGRES, BENCH_COORDINATOR and BENCH_NODES name no servers (bench/scale/site.ts).',
    );
  const machine = describeMachine();
  const measuredAt = new Date().toISOString();
  await using opened = new AsyncDisposableStack();
  const open = async (name: string, url: string, behind: string[]) => {
    const stage = opened.use(await openStage(await openGivenSite(name, url, behind), 2, sizes));
    say(`${name} is ready`);
    return { name, stage };
  };
  const contenders = [
    await open('one PostgreSQL', postgres, []),
    await open('coordinator and one node', coordinator, nodes.slice(0, 1)),
    await open('coordinator and two nodes', coordinator, nodes.slice(0, 2)),
  ];
  const done: Nodes['done'] = {};
  for (const [what, task] of Object.entries(tasks)) {
    const inTurn = contenders.map(({ name, stage }) => ({
      name,
      measure: (round: number) => measure(stage, task, round === 0 ? seconds.warmUp : seconds.measured),
    }));
    const samples = await alternate(inTurn, { rounds, say });
    done[what] = Object.fromEntries(contenders.map(({ name }) => [name, medians(samples, name)]));
  }
  return { measuredAt, machine, postgres: contenders[0]?.stage.site.version ?? '', rounds, done };
}

function medians(samples: Samples<keyof Piece>, name: string): Piece {
  const keys = ['perSecond', 'api', 'worker', 'postgres', 'nodes'] as const;
  return Object.fromEntries(keys.map((key) => [key, spread(valuesOf(samples, name, key)).median])) as Piece;
}

/** If there are workers, until everything is delivered; what was queued before is done by then. */
async function measure(stage: Stage, task: Task, duration: number): Promise<Piece> {
  const { site, load, environment } = stage;
  const { kind, accounts } = task;
  await using opened = new AsyncDisposableStack();
  const workers: TenureProcess[] = [];
  for (let n = 0; n < task.workers; n++) workers.push(opened.use(await startTenure('worker', environment)));
  const untilDelivered = async () => {
    if (workers.length > 0) await untilSettled(site);
  };
  await untilDelivered();
  await site.settle();
  const urls = stage.apis.slice(0, Math.max(1, task.workers)).map(({ url }) => url);
  const spentNow = await spent(stage, workers, async () => {
    const rates = { [kind]: 1 };
    const answers = await load.run({ urls, rates, seconds: duration, accounts, atOnce: clients });
    await untilDelivered();
    return answers;
  });
  const { requests } = spentNow.result;
  const { api, worker, postgres, nodes } = each(spentNow.total, requests);
  return { perSecond: requests / spentNow.seconds, api, worker, postgres, nodes };
}
