import { setTimeout as sleep } from 'node:timers/promises';
import { raw } from '../../src/db/sql.ts';
import { watchCpu } from '../lib/cpu.ts';
import { describeMachine } from '../lib/machine.ts';
import { type Receiver, startReceiver } from '../lib/receiver.ts';
import { startTenure, type TenureProcess, toThisMachine } from '../lib/tenure.ts';
import { type Asker, prepareAccounts, type Sizes } from './accounts.ts';
import { type Cost, type Costs, each, minus } from './costs.ts';
import { type Kind, kindNames } from './kinds.ts';
import { type LoadProcess, startLoad } from './load.ts';
import type { Site } from './site.ts';

/** Enough to be told from noise, little enough that nothing waits: one core of two at the most. */
const rates: Record<Kind, number> = { read: 150, list: 80, owed: 30, poll: 150, create: 120, change: 120 };
export const sizes: Sizes = { accounts: 200, leases: 20, payments: 100 };
/** On a cluster, where each takes up to ten times as much, and on the PostgreSQL that it is compared with. */
export const partOnCluster = 0.1;
const leastRows = 1_000;
const creates = { perSecond: 80 };

export interface Stage {
  site: Site;
  receiver: Receiver;
  apis: TenureProcess[];
  load: LoadProcess;
  askers: Asker[];
  /** For workers that are started later. */
  environment: Record<string, string>;
}

/** A site with accounts and so many API processes. No worker yet: what was queued so far waits. */
export async function openStage(site: Site, processes: number, sized: Sizes): Promise<Stage> {
  const receiver = await startReceiver();
  const environment = { DATABASE_URL: site.url, ...toThisMachine };
  const apis: TenureProcess[] = [];
  for (let n = 0; n < processes; n++) apis.push(await startTenure('api', environment));
  const askers = await prepareAccounts(site.db, apis[0]?.url ?? '', receiver.base, sized);
  await site.db.query(raw('vacuum analyze'));
  await site.settle();
  return { site, receiver, apis, askers, environment, load: await startLoad(askers) };
}

export async function closeStage({ load, apis, receiver, site }: Stage, workers: TenureProcess[] = []) {
  await load.stop();
  for (const { stop } of [...apis, ...workers]) await stop();
  await receiver.stop();
  await site.close();
}

/** Everything that is spent while `work` goes on. */
export async function spent<Result>(
  { site, receiver, apis, load }: Stage,
  workers: TenureProcess[],
  work: () => Promise<Result>,
): Promise<{ result: Result; total: Cost; seconds: number }> {
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
  const used = cpu();
  for (const name of Object.keys(used) as (keyof typeof used)[]) used[name] *= 1e6;
  return { result, total: { ...used, wal: (await site.walBytes()) - wal }, seconds };
}

export async function measureCosts(
  site: Site,
  sized: Sizes,
  seconds: number,
  say: (line: string) => void,
  /** Of the usual rates. */
  part = 1,
): Promise<Costs> {
  const stage = await openStage(site, 1, sized);
  const workers: TenureProcess[] = [];
  try {
    const urls = stage.apis.map(({ url }) => url);
    const slowed = (each: Partial<Record<Kind, number>>) =>
      Object.fromEntries(Object.entries(each).map(([kind, rate]) => [kind, rate * part]));
    const machine = describeMachine();
    const measuredAt = new Date().toISOString();
    const told = (what: string, cost: Cost) => {
      const parts = Object.entries(cost).map(([name, value]) => `${name} ${Math.round(value)}`);
      say(`${what}: ${parts.join(', ')}`);
      return cost;
    };

    // Node compiles what it runs for the first seconds of a load. What is queued meanwhile is part of the backlog.
    const warm = slowed({ read: 50, list: 50, owed: 20, poll: 50, create: 100, change: 50 });
    let queued = sized.accounts * sized.payments;
    queued += (await stage.load.run({ urls, rates: warm, seconds: seconds * 2 })).creates;
    const still = await spent(stage, [], () => sleep(seconds * 500));
    const apiIdle = each(still.total, still.seconds);
    const requests = {} as Record<Kind, Cost>;
    const waitsMs = {} as Record<Kind, number>;
    for (const kind of kindNames) {
      const { result, total } = await spent(stage, [], () =>
        stage.load.run({ urls, rates: slowed({ [kind]: rates[kind] }), seconds }),
      );
      queued += result.creates;
      const cost = told(kind, each(minus(total, each(apiIdle, 1 / result.seconds)), result.requests));
      requests[kind] = cost;
      waitsMs[kind] = Math.max(0, result.p50Ms - (cost.api + cost.postgres + cost.nodes) / 1000);
    }

    // The worker is warm after a quarter of the queue.
    workers.push(await startTenure('worker', stage.environment));
    await stage.receiver.received(queued / 4);
    const drained = await spent(stage, workers, async () => {
      const before = Object.keys(await stage.receiver.times()).length;
      await stage.receiver.received(queued);
      await untilSettled(site);
      return queued - before;
    });
    const queuedCost = told('delivery of a queue', each(drained.total, drained.result));
    const quiet = await spent(stage, workers, () => sleep(seconds * 500));
    const idle = told('idle', each(quiet.total, quiet.seconds));

    const atRate = await spent(stage, workers, async () => {
      const answers = await stage.load.run({ urls, rates: slowed({ create: creates.perSecond }), seconds });
      queued += answers.creates;
      await stage.receiver.received(queued);
      await untilSettled(site);
      return answers;
    });
    const whole = each(minus(atRate.total, each(idle, 1 / atRate.seconds)), atRate.result.creates);
    const single = told('single delivery', minus(whole, requests.create));

    const charged = await turnDays(stage, workers, sized.accounts, idle);
    const charge = told('charge', each(charged, sized.accounts * sized.leases));
    const turned = await turnDays(stage, workers, sized.accounts, idle);
    const empty = told('empty day', each(turned, sized.accounts));

    return {
      measuredAt,
      machine,
      postgres: site.version,
      sizes: sized,
      requests,
      waitsMs,
      deliveries: { queued: queuedCost, single },
      days: { charge, empty },
      idle,
      rows: await bytesOfRows(site),
    };
  } finally {
    await closeStage(stage, workers);
  }
}

/** Has the worker turn today again for every account. The first time, the rent of the next month is posted. */
async function turnDays(stage: Stage, workers: TenureProcess[], accounts: number, idle: Cost): Promise<Cost> {
  const { db } = stage.site;
  await db.query(raw('update accounts set post_days_before_due = 31'));
  const { total, seconds } = await spent(stage, workers, async () => {
    const again = "through_day = through_day - 1, next_turn_at = now() - interval '1 second'";
    await db.query(raw(`update account_clocks set ${again}`));
    const due = 'select count(*)::integer as count from account_clocks where next_turn_at <= now()';
    for (let left = accounts; left > 0; left = (await db.query<{ count: number }>(raw(due)))[0]?.count ?? 0)
      await sleep(50);
  });
  return minus(total, each(idle, 1 / seconds));
}

/** Everything that was queued is delivered and on record, and the ledgers of new payments are worked out. */
export async function untilSettled({ db }: Site): Promise<void> {
  // One by one and with a column, or a cluster refuses them.
  for (const table of ['delivery_queue', 'ledger_changes'])
    while ((await db.query(raw(`select 1 as row from ${table} limit 1`))).length > 0) await sleep(20);
}

async function bytesOfRows({ db }: Site): Promise<Record<string, number>> {
  await db.query(raw('vacuum analyze'));
  const rows = await db.query<{ name: string; rows: number; bytes: number }>(
    raw(`select relname as name, reltuples::float8 as rows, pg_total_relation_size(oid)::float8 as bytes from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`),
  );
  const many = rows.filter(({ rows: count }) => count >= leastRows);
  return Object.fromEntries(many.map(({ name, rows: count, bytes }) => [name, Math.round(bytes / count)]));
}
