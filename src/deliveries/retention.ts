import type { App } from '../app.ts';
import { days, hours, minutes, pause } from '../clock.ts';
import type { Database, Db } from '../db/connect.ts';
import { earlierOfClocks } from '../db/earlier-clock.ts';
import { literal, sql } from '../db/sql.ts';
import { lowestIdAt } from '../ids.ts';
import { createChores } from '../system/chores.ts';

/** Deletes at most `batch` old rows of one account and returns how many it deleted. */
export type Sweep = (db: Db, accountId: string, now: Date, batch: number) => Promise<number>;

/** The same for rows that belong to no account. */
export type CommonSweep = (db: Db, now: Date, batch: number) => Promise<number>;

const firstAfterMs = minutes(1);
const everyMs = hours(1);
/** A batch takes a few milliseconds, and so do its locks. */
const batch = 500;
/** The pause between batches, so that deleting never crowds out other work. */
const pauseMs = 20;

/** Deletes what is older than RETENTION_DAYS, every hour. */
export const createRetention = (app: App, sweeps: Sweep[], commonSweeps: CommonSweep[]) =>
  createChores(app.log, [
    {
      everyMs,
      firstAfterMs,
      failure: 'retention failed',
      async work(signal) {
        const now = app.now();
        const common = await sweepCommon(app.db, now, commonSweeps, signal);
        const deleted = await sweepOld(app.db, now, app.config.RETENTION_DAYS, sweeps, signal);
        app.log.info({ deleted: common + deleted }, 'retention');
        return false;
      },
    },
  ]);

/**
 * Deletes account by account, in small batches, and returns how many rows. Ids contain their time, so "older than" is a
 * bound on the primary key. Several processes may do this at once.
 */
export async function sweepOld(
  db: Database,
  now: Date,
  retentionDays: number,
  sweeps: Sweep[] = [],
  signal?: AbortSignal,
): Promise<number> {
  const today = await earlierOfClocks(db, now);
  const before = lowestIdAt(new Date(today.getTime() - days(retentionDays)));
  const needed = await eventsStillQueued(db, before);
  const all: Sweep[] = [
    (tx, accountId) => deleteAttempts(tx, accountId, before),
    (tx, accountId) => deleteDeliveries(tx, accountId, before),
    (tx, accountId) => deleteEvents(tx, accountId, before, needed),
    ...sweeps,
  ];
  let deleted = 0;
  for (const { id: accountId } of await db.query<{ id: string }>(
    sql`/* across accounts */ select id from accounts`,
  )) {
    for (const sweep of all) deleted += await inBatches(() => sweep(db, accountId, today, batch), signal);
  }
  return deleted;
}

/** Deletes old rows that belong to no account, and returns how many. */
export async function sweepCommon(
  db: Database,
  now: Date,
  sweeps: CommonSweep[],
  signal?: AbortSignal,
): Promise<number> {
  const today = await earlierOfClocks(db, now);
  let deleted = 0;
  for (const sweep of sweeps) deleted += await inBatches(() => sweep(db, today, batch), signal);
  return deleted;
}

/** Goes on for as long as there is a whole batch to delete. */
async function inBatches(sweep: () => Promise<number>, signal?: AbortSignal): Promise<number> {
  let deleted = 0;
  let count = batch;
  while (count === batch && !signal?.aborted) {
    count = await sweep();
    deleted += count;
    if (count > 0) await pause(pauseMs, signal);
  }
  return deleted;
}

/**
 * Old events with an unfinished delivery, after a long standstill or because an old event is being redelivered. They
 * are read once for all accounts. If an old event is redelivered after this, the delivery fails because its event is no
 * longer kept.
 */
async function eventsStillQueued(db: Database, before: string): Promise<string[]> {
  const rows = await db.query<{ event_id: string }>(
    sql`select distinct event_id from delivery_queue where event_id < ${before}`,
  );
  return rows.map(({ event_id }) => event_id);
}

async function deleteAttempts(db: Db, accountId: string, before: string): Promise<number> {
  const rows = await db.query(sql`
    delete from delivery_attempts where account_id = ${accountId} and (delivery_id, attempt) in (
      select delivery_id, attempt from delivery_attempts where account_id = ${accountId} and delivery_id < ${before}
      order by delivery_id, attempt limit ${literal(batch)})
    returning attempt`);
  return rows.length;
}

async function deleteDeliveries(db: Db, accountId: string, before: string): Promise<number> {
  const rows = await db.query(sql`
    delete from deliveries where account_id = ${accountId} and id in (
      select id from deliveries where account_id = ${accountId} and id < ${before} order by id limit ${literal(batch)})
    returning id`);
  return rows.length;
}

async function deleteEvents(db: Db, accountId: string, before: string, needed: string[]): Promise<number> {
  const rows = await db.query(sql`
    delete from events where account_id = ${accountId} and id in (
      select id from events where account_id = ${accountId} and id < ${before} and id <> all(${needed}::uuid[])
      order by id limit ${literal(batch)})
    returning id`);
  return rows.length;
}
