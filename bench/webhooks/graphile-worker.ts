/*
 * graphile-worker, tuned as its page on performance says: a local queue of 500 jobs, so that jobs are fetched by the
 * batch, and completions gathered and written together. So that none of the 96 requests in flight has to wait for the
 * record, four times as many jobs run at once. For latency there is neither a local queue nor gathering, and ten jobs
 * at once; each commit wakes it.
 */
import { Logger, makeWorkerUtils, type Runner, run } from 'graphile-worker';
import { inFlight } from './client.ts';
import { servePeer } from './peer.ts';
import type { Webhook } from './workload.ts';

/** Its messages are about every job. */
const logger = new Logger(() => () => undefined);

const settings: Record<string, object> = {
  latency: { concurrentJobs: 10, logger },
  throughput: {
    concurrentJobs: 4 * inFlight,
    localQueue: { size: 500 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
    logger,
  },
};

servePeer(async ({ mode }, { pool, deliver }) => {
  const utils = await makeWorkerUtils({ pgPool: pool, logger });
  await utils.migrate();
  await utils.release();
  let runner: Runner | undefined;
  return {
    clear: () => pool.query('truncate graphile_worker._private_jobs'),
    add: (webhooks) =>
      pool.query(
        `select count(*) from graphile_worker.add_jobs(
          array(select json_populate_recordset(null::graphile_worker.job_spec, $1::json)))`,
        [JSON.stringify(webhooks.map((payload) => ({ identifier: 'webhook', payload })))],
      ),
    addOne: (webhook, transaction) =>
      transaction.query({
        name: 'job',
        text: "select from graphile_worker.add_job('webhook', $1::json)",
        values: [JSON.stringify(webhook)],
      }),
    async work() {
      runner = await run({
        pgPool: pool,
        noHandleSignals: true,
        taskList: { webhook: (payload) => deliver(payload as Webhook) },
        preset: { worker: settings[mode] ?? {} },
      });
    },
    halt: async () => runner?.stop(),
  };
});
