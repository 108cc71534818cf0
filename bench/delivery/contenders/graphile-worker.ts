/*
 * graphile-worker, tuned as its page on performance says: a local queue of 500 jobs, so that jobs are fetched by the
 * batch, and completions gathered and written together. The record is written in batches, and a job ends when its batch
 * is written; so that none of the 96 requests in flight has to wait for that, four times as many jobs run at once.
 */
import { type Runner, run } from 'graphile-worker';
import pg from 'pg';
import { serve } from '../../lib/child.ts';
import {
  addGraphileJobs,
  clearGraphile,
  openGraphile,
  type Payload,
  quiet,
} from '../../peers/graphile-worker.ts';
import { clearRecord, createRecord, Recorder } from '../../peers/record.ts';
import { inFlight, WebhookClient } from '../../peers/webhooks.ts';
import { type Load, makeWebhooks } from '../workload.ts';

let pool: pg.Pool;
let recorder: Recorder;
let client: WebhookClient;
let runner: Runner;

serve({
  async setup({ database }: { database: string }) {
    pool = new pg.Pool({ connectionString: database, max: 14 });
    pool.on('error', (error) => console.error(error));
    pool.on('connect', (connected) => connected.on('error', () => undefined));
    await openGraphile(pool);
    await createRecord(pool);
    recorder = new Recorder(pool);
  },
  async enqueue(load: Load) {
    client ??= new WebhookClient(load.base);
    await clearRecord(pool);
    await clearGraphile(pool);
    await addGraphileJobs(pool, makeWebhooks(load));
    await pool.query('analyze');
  },
  async go() {
    runner = await run({
      pgPool: pool,
      noHandleSignals: true,
      taskList: {
        webhook: async (payload) => recorder.add(await client.send(payload as Payload)),
      },
      preset: {
        worker: {
          concurrentJobs: 4 * inFlight,
          localQueue: { size: 500 },
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
          logger: quiet,
        },
      },
    });
  },
  halt: () => runner.stop(),
});
