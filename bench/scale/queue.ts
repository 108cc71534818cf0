/*
 * A discrete simulation of the service: requests and deliveries come at random moments and wait for threads, threads
 * wait for cores. All it knows about Tenure is what each piece of work takes (Cost) and who does it.
 */
import { percentile } from '../lib/stats.ts';
import { type Costs, type Kind, pickKind, totalOf } from './costs.ts';

export interface Setup {
  apis: number;
  workers: number;
  /** Connections of each process to PostgreSQL: this many of its statements run at once. */
  poolSize: number;
  /** The cores of the one machine on which everything runs, callers included. */
  cores: number;
}

export interface Predicted {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Cores in use, on average. */
  api: number;
  worker: number;
  postgres: number;
}

/** Cores that threads share evenly: `progress` is how far each of them has come since the beginning. */
interface Machine {
  cores: number;
  progress: number;
  running: { until: number; pool: Pool; done: () => void }[];
}

/** This many threads on a machine, and what waits for them. */
interface Pool {
  machine: Machine;
  threads: number;
  busy: number;
  /** Seconds of processor time, after the warm-up. */
  used: number;
  waiting: { seconds: number; done: () => void }[];
}

/** Requests answered in a simulated time, after a tenth of it in which nothing is counted. */
export function simulate(
  costs: Costs,
  { apis, workers, poolSize, cores }: Setup,
  { rates, seconds, atOnce }: { rates: Partial<Record<Kind, number>>; seconds: number; atOnce?: number },
): Predicted {
  const random = generator(7);
  const any = <Item>(items: Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const warmUp = seconds / 10;
  let now = 0;

  const machines: Machine[] = [];
  const newPool = (threads: number, machine: Machine): Pool => ({
    machine,
    threads,
    busy: 0,
    used: 0,
    waiting: [],
  });
  const newMachine = (count: number): Machine => {
    const machine = { cores: count, progress: 0, running: [] };
    machines.push(machine);
    return machine;
  };
  const shared = newMachine(cores);
  const newProcess = () => ({
    thread: newPool(1, shared),
    connections: newPool(poolSize, shared),
  });
  const api = Array.from({ length: apis }, newProcess);
  const worker = Array.from({ length: workers }, newProcess);
  const outside = newPool(1, shared);
  /** What only takes time runs as if everything had a core. */
  const time = newPool(Number.POSITIVE_INFINITY, newMachine(Number.POSITIVE_INFINITY));

  const start = (pool: Pool, takes: number, done: () => void) => {
    pool.busy++;
    if (now > warmUp) pool.used += takes;
    pool.machine.running.push({ until: pool.machine.progress + takes, pool, done });
  };
  const work = (pool: Pool, microseconds: number, done: () => void) => {
    // No two requests cost the same: half of a cost is always spent, the other half varies.
    const takes = (microseconds / 1e6) * (0.5 - 0.5 * Math.log(1 - random()));
    if (pool.busy < pool.threads) start(pool, takes, done);
    else pool.waiting.push({ seconds: takes, done });
  };

  const took: number[] = [];
  const ask = (done: () => void) => {
    const kind = pickKind(rates, random());
    const cost = costs.requests[kind];
    const began = now;
    const { thread, connections } = any(api);
    // The caller's own work takes cores, but the caller does not wait for it.
    work(outside, cost.outside, () => undefined);
    work(thread, cost.api / 2, () =>
      work(connections, cost.postgres, () =>
        start(time, costs.waitsMs[kind] / 1000, () =>
          work(thread, cost.api / 2, () => {
            if (now > warmUp) took.push((now - began) * 1000);
            if (kind === 'create' && workers > 0) deliver();
            done();
          }),
        ),
      ),
    );
  };
  const deliver = () => {
    const cost = costs.deliveries.single;
    const { thread, connections } = any(worker);
    work(thread, cost.worker, () => work(connections, cost.postgres, () => undefined));
  };
  const total = totalOf(rates);
  const arrive = () => {
    ask(() => undefined);
    start(time, -Math.log(1 - random()) / total, arrive);
  };
  const again = () => ask(again);
  if (atOnce === undefined) arrive();
  else for (let n = 0; n < atOnce; n++) again();

  while (now < seconds) {
    const next = machines.reduce((a, b) => (untilNext(b) < untilNext(a) ? b : a));
    const step = untilNext(next);
    now += step;
    for (const each of machines) each.progress += step * speedOf(each);
    const finished = next.running.reduce((a, b) => (b.until < a.until ? b : a));
    next.running.splice(next.running.indexOf(finished), 1);
    finished.pool.busy--;
    const following = finished.pool.waiting.shift();
    if (following) start(finished.pool, following.seconds, following.done);
    finished.done();
  }

  const { idle } = costs;
  const inUse = (pools: Pool[], idleUs: number) =>
    pools.reduce((sum, { used }) => sum + used, 0) / (now - warmUp) + idleUs / 1e6;
  return {
    perSecond: took.length / (now - warmUp),
    p50Ms: percentile(took, 0.5),
    p99Ms: percentile(took, 0.99),
    api: inUse(
      api.map(({ thread }) => thread),
      idle.api * apis,
    ),
    worker: inUse(
      worker.map(({ thread }) => thread),
      idle.worker * workers,
    ),
    postgres: inUse(
      [...api, ...worker].map(({ connections }) => connections),
      idle.postgres,
    ),
  };
}

/** Each thread has a core, or all have an equal part of one. */
const speedOf = ({ cores, running }: Machine): number => Math.min(1, cores / running.length);

/** How long until the next of its threads is done, if nothing else happens. */
const untilNext = (machine: Machine): number =>
  (Math.min(...machine.running.map(({ until }) => until)) - machine.progress) / speedOf(machine);

/** The same numbers in every run (mulberry32), so that the page is the same for the same costs. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
