import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { connect, type Database } from '../../src/db/connect.ts';
import { sql } from '../../src/db/sql.ts';
import { wakeChannel } from '../../src/deliveries/engine/wake-signal.ts';
import { newId } from '../../src/ids.ts';
import { root, startTenure, type TenureProcess, toThisMachine } from '../lib/tenure.ts';
import { inFlight } from './client.ts';
import { countRows, type Endpoint, queueDeliveries, subscribeAll } from './endpoints.ts';
import type { DeliveryContender, Running, Stage } from './measure.ts';
import { pathOf } from './workload.ts';

/**
 * Tenure as shipped: `tenure worker` with the address guard, signatures, the attempt log and all. The queue is filled
 * as the product fills it; the commit and its NOTIFY are the start signal, so that the worker has to notice by
 * itself.
 */
export async function tenureWorker(
  { postgres, receiver }: Stage,
  endpoints: number,
  { name = 'Tenure', checkout = root } = {},
): Promise<DeliveryContender> {
  const database = await postgres.createDatabase(`worker_of_${name.toLowerCase()}`);
  const db = connect({ connection: database.connection, poolSize: 4, onError: () => undefined });
  // By its own migrations: it may know fewer than we do, and would not start on a newer schema.
  await (await startTenure('api', { DATABASE_URL: database.url }, checkout))[Symbol.asyncDispose]();
  const urls = Array.from({ length: endpoints }, (_, n) => receiver.base + pathOf(n));
  const subscribed = await subscribeAll(db, urls);
  const environment = {
    DATABASE_URL: database.url,
    ...toThisMachine,
    // A single busy endpoint may use half of the slots: the other half is kept free for others.
    WEBHOOK_CONCURRENCY: String(endpoints === 1 ? 2 * inFlight : inFlight),
    WEBHOOK_CONCURRENCY_PER_ENDPOINT: String(inFlight),
  };
  return {
    name,
    async start() {
      // Before anyone works on it: truncating during a worker's claims ends in deadlocks.
      await db.query(sql`truncate events, delivery_queue, deliveries, delivery_attempts, workers`);
      const worker = await startTenure('worker', environment, checkout);
      for (let tries = 0; (await countRows(db.pool, 'workers')) === 0; tries++) {
        if (tries > 600) throw new Error('The worker does not start.');
        await sleep(50);
      }
      return { ...worker, ...queueOf(db, subscribed) };
    },
    [Symbol.asyncDispose]: () => db.close(),
  };
}

function queueOf(db: Database, endpoints: Endpoint[]): Omit<Running, keyof TenureProcess> {
  const succeeded = () => countRows(db.pool, "deliveries where status = 'succeeded'");
  let loading: pg.PoolClient | undefined;
  let recordedBefore = 0;
  return {
    async enqueue(load) {
      recordedBefore = await succeeded();
      loading = await db.connect();
      await loading.query('begin');
      await queueDeliveries(loading, endpoints, load);
      await loading.query('analyze events, delivery_queue');
    },
    async go() {
      await loading?.query(`notify ${wakeChannel}, '${newId()}'`);
      await loading?.query('commit');
      loading?.release();
    },
    recorded: async () => (await succeeded()) - recordedBefore,
    halt: async () => undefined,
  };
}
