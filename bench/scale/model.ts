import { limits, prices, requestsPerMonth, workload } from './assumptions.ts';
import { type Cost, type Costs, type Kind, kindNames } from './costs.ts';

/*
 * What an installation with this many units needs, from what each piece of work takes (Costs) and what is assumed about
 * its users. These are means; queue.ts says how long requests wait.
 */

const monthSeconds = (365.25 / 12) * 86_400;

/** Pieces of work in a second of the busiest hour. */
interface Load {
  requests: Record<Kind, number>;
  deliveries: number;
}

export function loadOf(units: number): Load {
  const { busiestDay, busiestHour, busiestDayOfPayments, endpointsPerEvent } = workload;
  const atPeak = (part: number) => (part * busiestHour) / 3_600;
  const rate = (kind: Kind): number => {
    const perMonth = units * requestsPerMonth[kind];
    if (kind === 'poll') return perMonth / monthSeconds;
    return perMonth * atPeak(kind === 'create' ? busiestDayOfPayments : busiestDay);
  };
  const requests = Object.fromEntries(kindNames.map((kind) => [kind, rate(kind)])) as Record<Kind, number>;
  return { requests, deliveries: (requests.create + requests.change) * endpointsPerEvent };
}

/** Cores in use of each, and bytes of the log, in a second. */
export function useOf(
  { requests, deliveries }: Load,
  { requests: cost, deliveries: { single } }: Costs,
): Cost {
  const parts = kindNames.map((kind): [Cost, number] => [cost[kind], requests[kind]]);
  return inSeconds([...parts, [single, deliveries]]);
}

/** Posting the rent of all units and recording its events at midnight: seconds of processor time. */
export function midnightOf(units: number, { days, deliveries }: Costs): Cost {
  const { chargesPerMonth, eventsPerCharge, endpointsPerEvent, unitsPerAccount } = workload;
  const charges = units * chargesPerMonth;
  return inSeconds([
    [days.charge, charges],
    [days.empty, units / unitsPerAccount],
    [deliveries.queued, charges * eventsPerCharge * endpointsPerEvent],
  ]);
}

/** The amount of each, in seconds of processor time and bytes. */
function inSeconds(parts: [Cost, number][]): Cost {
  const sum = { api: 0, worker: 0, postgres: 0, nodes: 0, outside: 0, wal: 0 };
  for (const [cost, count] of parts)
    for (const name of Object.keys(sum) as (keyof Cost)[])
      sum[name] += (cost[name] * count) / (name === 'wal' ? 1 : 1e6);
  return sum;
}

/** Bytes on disk, depending on how long things are kept. */
export function bytesOf(units: number, { rows }: Costs): number {
  const { yearsKept, daysOfEvents, chargesPerMonth, eventsPerCharge, endpointsPerEvent } = workload;
  const { create, change } = requestsPerMonth;
  const bytes = (table: string) => rows[table] ?? 0;
  const months = yearsKept * 12;
  const events = create + change + chargesPerMonth * eventsPerCharge;
  const kept =
    months * (create * bytes('payments') + chargesPerMonth * (bytes('charges') + bytes('open_spans'))) +
    months * (create + change) * bytes('history');
  const recent = (daysOfEvents / 30.4) * events * (bytes('events') + endpointsPerEvent * bytes('deliveries'));
  const itself = bytes('units') + 2 * (bytes('tenants') + bytes('leases') + bytes('lease_tenants'));
  return units * (kept + recent + itself);
}

/** Cores that a machine has for work that can be spread over them. */
const usefulCores = (cores: number): number => cores * limits.doubling ** Math.log2(cores);

/** What runs out first if the load grows on these machines, and at how many units. */
interface Limit {
  what: string;
  units: number;
}

export interface Machines {
  /** Those of PostgreSQL, or of the coordinator of a cluster. */
  cores: number;
  nodes: number;
  coresOfNode: number;
  /** Whether an API process and a worker share these cores too. */
  isShared?: boolean;
}

/** All limits, the nearest first. Processes can be added, so they are no limit. */
export function limitsOf(machines: Machines, costs: Costs): Limit[] {
  const one = useOf(loadOf(1), costs);
  const night = midnightOf(1, costs);
  const within = workload.midnightMinutes * 60;
  const { cores, nodes, coresOfNode, isShared } = machines;
  const found: Limit[] = [];
  const limit = (what: string, room: number, perUnit: number) => {
    if (perUnit > 0 && room > 0) found.push({ what, units: room / perUnit });
  };
  const onFirst = isShared ? one.api + one.worker + one.postgres : one.postgres;
  const nightOnFirst = isShared ? night.worker + night.postgres : night.postgres;
  const owner = nodes > 0 ? "the coordinator's " : "PostgreSQL's ";
  const name = `${isShared ? '' : owner}processors`;
  limit(name, usefulCores(cores) * limits.busy, onFirst);
  limit(`${name}, at midnight`, usefulCores(cores) * within, nightOnFirst);
  limit("the nodes' processors", nodes * usefulCores(coresOfNode) * limits.busy, one.nodes);
  limit("the nodes' processors, at midnight", nodes * usefulCores(coresOfNode) * within, night.nodes);
  limit('the log', limits.walPerSecond * Math.max(1, nodes), one.wal);
  // A coordinator stores next to nothing. If all share a machine, half of its memory is PostgreSQL's.
  const keeping = nodes > 0 ? nodes * coresOfNode : cores;
  const bytes = bytesOf(1, costs);
  limit('memory', (keeping * limits.memoryPerCore) / (isShared ? 2 : 1), bytes * limits.hot);
  limit('the disk', limits.disk * Math.max(1, nodes), bytes);
  if (isShared) {
    limit('the API process', limits.busy, one.api);
    limit('the worker', limits.busy, one.worker);
  }
  // With as many processes as needed.
  const processes = (one.api + one.worker) / limits.busy;
  limit('connections', limits.connections, processes * (limits.poolSize + 1));
  return found.sort((a, b) => a.units - b.units);
}

/** This many units on these machines, with the processes they need. */
export function planOf(units: number, machines: Machines, costs: Costs) {
  const load = loadOf(units);
  const use = useOf(load, costs);
  const night = midnightOf(units, costs);
  const within = workload.midnightMinutes * 60;
  const { cores, nodes, coresOfNode, isShared } = machines;
  const busyWorkers = Math.max(use.worker / limits.busy, night.worker / within);
  const apis = isShared ? 1 : Math.max(2, Math.ceil(use.api / limits.busy));
  const workers = isShared ? 1 : Math.max(2, Math.ceil(busyWorkers));
  const gigabytes = bytesOf(units, costs) / 1e9;
  const copies = isShared ? 1 : prices.copies;
  const bought = copies * (cores + nodes * coresOfNode) + (isShared ? 0 : apis + workers);
  return {
    apis,
    workers,
    writes: load.requests.create + load.requests.change,
    deliveries: load.deliveries,
    connections: apis * limits.poolSize + workers * (limits.poolSize + 1),
    gigabytes,
    euros: bought * prices.core + copies * gigabytes * prices.gigabyte,
  };
}
