import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/db/connect.ts';
import { raw } from '../../src/db/sql.ts';
import { watchCpu } from '../lib/cpu.ts';
import { describeMachine } from '../lib/machine.ts';
import { type Receiver, startReceiver } from '../lib/receiver.ts';
import { startTenure, type TenureProcess, toThisMachine } from '../lib/tenure.ts';
import { prepareAccounts, type Sizes } from './accounts.ts';
import { type Cost, type Costs, each, type Kind, kindNames, minus } from './costs.ts';
import { type Answers, type LoadProcess, startLoad } from './load.ts';
import type { Site } from './site.ts';

/** Enough to be distinguished from noise, and little enough that nothing waits: at most one core of two. */
const rates: Record<Kind, number> = { read: 150, list: 80, owed: 30, poll: 150, create: 120, change: 120 };
export const sizes: Sizes = { accounts: 200, leases: 20, payments: 100 };
/** On a cluster, where each takes up to ten times as much. */
export const partOnCluster = 0.1;
const leastRows = 1_000;
const createsWithDelivery = 80;

export interface Stage extends AsyncDisposable {
  site: Site;
  receiver: Receiver;
  apis: TenureProcess[];
  load: LoadProcess;
  /** For workers that are started later. */
  environment: Record<string, string>;
}

/** A site with accounts and this many API processes. There is no worker yet: what was queued so far waits. */
export async function openStage(site: Site, processes: number, sized: Sizes): Promise<Stage> {
  await using opened = new AsyncDisposableStack();
  opened.use(site);
  const receiver = opened.use(await startReceiver());
  const environment = { DATABASE_URL: site.url, ...toThisMachine };
  const apis: TenureProcess[] = [];
  for (let n = 0; n < processes; n++) apis.push(opened.use(await startTenure('api', environment)));
  const askers = await prepareAccounts(site.db, apis[0]?.url ?? '', receiver.base, sized);
  const load = opened.use(await startLoad(askers));
  await site.db.query(raw('vacuum analyze'));
  await site.settle();
  const kept = opened.move();
  return { site, receiver, apis, load, environment, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

interface Spent<Result> {
  result: Result;
  total: Cost;
  seconds: number;
}

/** Everything that is spent while `work` runs. */
export async function spent<Result>(
  { site, receiver, apis, load }: Stage,
  workers: TenureProcess[],
  work: () => Promise<Result>,
): Promise<Spent<Result>> {
  const pidsOf = (processes: TenureProcess[]) => processes.map(({ pid }) => pid);
  const wal = await site.walBytes();
  const cpu = watchCpu({
    api: pidsOf(apis),
    worker: pidsOf(workers),
    ...site.pids,
    outside: [load.pid, receiver.pid],
  });
  const began = performance.now();
  const result = await work();
  const seconds = (performance.now() - began) / 1000;
  return { result, total: { ...cpu(1), wal: (await site.walBytes()) - wal }, seconds };
}

const perSecond = ({ total, seconds }: Spent<unknown>): Cost => each(total, seconds);

/** Less what is spent when nothing happens. */
const besides = (idle: Cost, { total, seconds }: Spent<unknown>): Cost =>
  minus(total, each(idle, 1 / seconds));

export async function measureCosts(
  site: Site,
  sized: Sizes,
  seconds: number,
  say: (line: string) => void,
  /** The part of the usual rates. */
  part = 1,
): Promise<Costs> {
  await using stage = await openStage(site, 1, sized);
  const { load, receiver, environment } = stage;
  const machine = describeMachine();
  const measuredAt = new Date().toISOString();
  let queued = sized.accounts * sized.payments;
  const ask = async (usual: Partial<Record<Kind, number>>, duration = seconds): Promise<Answers> => {
    const rates = Object.fromEntries(Object.entries(usual).map(([kind, rate]) => [kind, rate * part]));
    const answers = await load.run({ urls: stage.apis.map(({ url }) => url), rates, seconds: duration });
    queued += answers.creates;
    return answers;
  };
  const told = (what: string, cost: Cost): Cost => {
    const parts = Object.entries(cost).map(([name, value]) => `${name} ${Math.round(value)}`);
    say(`${what}: ${parts.join(', ')}`);
    return cost;
  };

  // For the first seconds of a load, Node compiles what it runs. What is queued during that time is part of the
  // backlog.
  await ask({ read: 50, list: 50, owed: 20, poll: 50, create: 100, change: 50 }, seconds * 2);
  const apiIdle = perSecond(await spent(stage, [], () => sleep(seconds * 500)));
  const requests = {} as Record<Kind, Cost>;
  const waitsMs = {} as Record<Kind, number>;
  for (const kind of kindNames) {
    const asked = await spent(stage, [], () => ask({ [kind]: rates[kind] }));
    const cost = told(kind, each(besides(apiIdle, asked), asked.result.requests));
    requests[kind] = cost;
    waitsMs[kind] = Math.max(0, asked.result.p50Ms - (cost.api + cost.postgres + cost.nodes) / 1000);
  }

  await using worker = await startTenure('worker', environment);
  // It is warm after a quarter of the queue.
  await receiver.received(queued / 4);
  const drained = await spent(stage, [worker], async () => {
    const before = Object.keys(await receiver.times()).length;
    await receiver.received(queued);
    await untilSettled(site);
    return queued - before;
  });
  const ofQueue = told('delivery of a queue', each(drained.total, drained.result));
  const idle = told('idle', perSecond(await spent(stage, [worker], () => sleep(seconds * 500))));

  const atRate = await spent(stage, [worker], async () => {
    const { creates } = await ask({ create: createsWithDelivery });
    await receiver.received(queued);
    await untilSettled(site);
    return creates;
  });
  const whole = each(besides(idle, atRate), atRate.result);
  const single = told('single delivery', minus(whole, requests.create));

  // The first time, the rent of the next month is posted.
  await site.db.query(raw('update accounts set post_days_before_due = 31'));
  const turnDays = () => spent(stage, [worker], () => untilDaysTurned(site));
  const charge = told('charge', each(besides(idle, await turnDays()), sized.accounts * sized.leases));
  const empty = told('empty day', each(besides(idle, await turnDays()), sized.accounts));

  return {
    measuredAt,
    machine,
    postgres: site.version,
    sizes: sized,
    requests,
    waitsMs,
    deliveries: { queued: ofQueue, single },
    days: { charge, empty },
    idle,
    rows: await bytesOfRows(site),
  };
}

/** Makes the worker turn today again for every account. */
async function untilDaysTurned({ db }: Site): Promise<void> {
  const again = "through_day = through_day - 1, next_turn_at = now() - interval '1 second'";
  await db.query(raw(`update account_clocks set ${again}`));
  await untilNone(db, 'account_clocks where next_turn_at <= now()');
}

/** Waits until everything queued is delivered and recorded, and the ledgers of new payments are calculated. */
export async function untilSettled({ db }: Site): Promise<void> {
  for (const table of ['delivery_queue', 'ledger_changes']) await untilNone(db, table);
}

async function untilNone(db: Database, from: string): Promise<void> {
  // A cluster refuses a select without a column.
  while ((await db.query(raw(`select 1 as row from ${from} limit 1`))).length > 0) await sleep(20);
}

/** For tables that are large enough to judge. */
async function bytesOfRows({ db }: Site): Promise<Record<string, number>> {
  await db.query(raw('vacuum analyze'));
  const rows = await db.query<{ name: string; rows: number; bytes: number }>(
    raw(`select relname as name, reltuples::float8 as rows, pg_total_relation_size(oid)::float8 as bytes from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`),
  );
  const many = rows.filter(({ rows: count }) => count >= leastRows);
  return Object.fromEntries(many.map(({ name, rows: count, bytes }) => [name, Math.round(bytes / count)]));
}
