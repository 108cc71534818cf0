/*
 * A discrete simulation of the service: requests and deliveries come at random moments and wait for threads, threads
 * wait for cores. It knows nothing of Tenure but what each piece of work takes (Cost) and who does it.
 */
import { percentile } from '../lib/stats.ts';
import type { Cost, Costs } from './costs.ts';
import { type Kind, pickKind } from './kinds.ts';

export interface Setup {
  apis: number;
  workers: number;
  /** Connections of each process to PostgreSQL: so many of its statements go on at once. */
  poolSize: number;
  /** Everything on one machine with so many cores; or PostgreSQL on that, and every other process on a core of its own. */
  cores: number;
  isShared: boolean;
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
  running: { until: number; thread: Pool; done: () => void }[];
}

/** Threads of one process, and what waits for them. */
interface Pool {
  machine: Machine;
  threads: number;
  busy: number;
  /** Seconds of processor time so far. */
  used: number;
  waiting: { seconds: number; done: () => void }[];
}

/** Requests answered in a simulated time, after a tenth of it in which nothing is counted. */
export function simulate(
  costs: Costs,
  setup: Setup,
  load: { rates: Partial<Record<Kind, number>>; seconds: number; atOnce?: number },
): Predicted {
  const random = generator(7);
  const machines: Machine[] = [];
  const machine = (cores: number): Machine => {
    const made = { cores, progress: 0, running: [] };
    machines.push(made);
    return made;
  };
  const shared = machine(setup.cores);
  const pool = (threads: number): Pool => ({
    machine: setup.isShared || threads > 1 ? shared : machine(1),
    threads,
    busy: 0,
    used: 0,
    waiting: [],
  });
  const many = (count: number, threads: number) => Array.from({ length: count }, () => pool(threads));
  const apis = many(setup.apis, 1);
  const workers = many(setup.workers, 1);
  const connections = many(setup.apis, setup.poolSize);
  const workerConnections = many(setup.workers, setup.poolSize);
  const outside = pool(1);
  if (!setup.isShared) outside.machine = machine(1_000);

  let now = 0;
  const timers: { at: number; done: () => void }[] = [];
  const after = (seconds: number, done: () => void) => void timers.push({ at: now + seconds, done });
  const start = (thread: Pool, seconds: number, done: () => void) => {
    thread.busy++;
    thread.used += seconds;
    thread.machine.running.push({ until: thread.machine.progress + seconds, thread, done });
  };
  const work = (thread: Pool, microseconds: number, done: () => void) => {
    // No two requests take the same: half of a cost is always spent, half of it varies.
    const seconds = (microseconds / 1e6) * (0.5 - 0.5 * Math.log(1 - random()));
    if (thread.busy < thread.threads) start(thread, seconds, done);
    else thread.waiting.push({ seconds, done });
  };

  const took: number[] = [];
  const warmUp = load.seconds / 10;
  const ask = (kind: Kind, done: () => void) => {
    const cost = costs.requests[kind];
    const began = now;
    const at = Math.floor(random() * apis.length);
    const [api, connection] = [apis[at], connections[at]] as [Pool, Pool];
    // The caller's own work is on its machine and not in what it waits for, but it takes cores where all share them.
    if (setup.isShared) work(outside, cost.outside, () => undefined);
    work(api, cost.api / 2, () =>
      work(connection, cost.postgres, () =>
        after(costs.waitsMs[kind] / 1000, () =>
          work(api, cost.api / 2, () => {
            if (now > warmUp) took.push((now - began) * 1000);
            if (kind === 'create' && workers.length > 0) deliver();
            done();
          }),
        ),
      ),
    );
  };
  const deliver = () => {
    const cost: Cost = costs.deliveries.single;
    const at = Math.floor(random() * workers.length);
    const [worker, connection] = [workers[at], workerConnections[at]] as [Pool, Pool];
    work(worker, cost.worker, () => work(connection, cost.postgres, () => undefined));
  };

  const total = Object.values(load.rates).reduce((sum, rate) => sum + rate, 0);
  const kind = (): Kind => pickKind(load.rates, random());
  const arrive = () => {
    ask(kind(), () => undefined);
    after(-Math.log(1 - random()) / total, arrive);
  };
  const again = () => ask(kind(), again);
  if (load.atOnce === undefined) arrive();
  else for (let n = 0; n < load.atOnce; n++) again();

  let counted: { used: number[]; at: number } | undefined;
  const groups = [apis, workers, [...connections, ...workerConnections]];
  const usedBy = () => groups.map((group) => group.reduce((sum, { used }) => sum + used, 0));
  while (now < load.seconds) {
    if (!counted && now > warmUp) counted = { used: usedBy(), at: now };
    const timer = timers.reduce((first, each) => (each.at < first.at ? each : first), {
      at: Infinity,
      done() {},
    });
    let next = { in: timer.at - now, machine: undefined as Machine | undefined };
    for (const each of machines) {
      const soonest = Math.min(...each.running.map(({ until }) => until));
      const takes = (soonest - each.progress) / speedOf(each);
      if (takes < next.in) next = { in: takes, machine: each };
    }
    now += next.in;
    for (const each of machines) if (each.running.length > 0) each.progress += next.in * speedOf(each);
    if (next.machine === undefined) {
      timers.splice(timers.indexOf(timer), 1);
      timer.done();
      continue;
    }
    const { running } = next.machine;
    const finished = running.reduce((first, each) => (each.until < first.until ? each : first));
    running.splice(running.indexOf(finished), 1);
    finished.thread.busy--;
    const following = finished.thread.waiting.shift();
    if (following) start(finished.thread, following.seconds, following.done);
    finished.done();
  }
  const measured = now - (counted?.at ?? 0);
  const [api = 0, worker = 0, postgres = 0] = usedBy().map(
    (used, at) => (used - (counted?.used[at] ?? 0)) / measured,
  );
  const idle = mapIdle(costs, setup);
  return {
    perSecond: took.length / measured,
    p50Ms: percentile(took, 0.5),
    p99Ms: percentile(took, 0.99),
    api: api + idle.api,
    worker: worker + idle.worker,
    postgres: postgres + idle.postgres,
  };
}

/** Each thread has a core, or all have the same part of one. */
const speedOf = ({ cores, running }: Machine): number => Math.min(1, cores / running.length);

const mapIdle = ({ idle }: Costs, { apis, workers }: Setup) => ({
  api: (idle.api * apis) / 1e6,
  worker: (idle.worker * workers) / 1e6,
  postgres: idle.postgres / 1e6,
});

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
