import { Logger, makeWorkerUtils } from 'graphile-worker';
import type pg from 'pg';
import type { Webhook } from '../delivery/workload.ts';

export type Payload = Webhook;

/** Its messages are about every job. */
export const quiet = new Logger(() => () => undefined);

/** The tables and functions. */
export async function openGraphile(pool: pg.Pool): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool: pool, logger: quiet });
  await utils.migrate();
  await utils.release();
}

export const clearGraphile = (pool: pg.Pool): Promise<unknown> =>
  pool.query('truncate graphile_worker._private_jobs');

/** By its own function for many jobs. */
export async function addGraphileJobs(pool: pg.Pool, webhooks: Webhook[]): Promise<void> {
  for (let from = 0; from < webhooks.length; from += 2_000) {
    const specs = webhooks.slice(from, from + 2_000).map((payload) => ({ identifier: 'webhook', payload }));
    await pool.query(
      'select count(*) from graphile_worker.add_jobs(array(select json_populate_recordset(null::graphile_worker.job_spec, $1::json)))',
      [JSON.stringify(specs)],
    );
  }
}
