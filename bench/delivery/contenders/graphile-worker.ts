/*
 * graphile-worker, tuned as its page on performance says: a local queue of 500 jobs, so that jobs are fetched by the
 * batch, and completions gathered and written together. A job writes its row of the record and ends. Tuned, rows
 * of many jobs are written together, and a job ends when its batch is written. So that none of the 96 requests in flight
 * has to wait for the record, four times as many jobs run at once.
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
import { clearRecord, createRecord, type Keeper, Recorder, recordEach } from '../../peers/record.ts';
import { inFlight, WebhookClient } from '../../peers/webhooks.ts';
import { type Load, makeWebhooks } from '../workload.ts';

let pool: pg.Pool;
let recorder: Keeper;
let client: WebhookClient;
let isTuned = false;
let runner: Runner;

serve({
  async setup({ database, tuned = false }: { database: string; tuned?: boolean }) {
    pool = new pg.Pool({ connectionString: database, max: 14 });
    pool.on('error', (error) => console.error(error));
    pool.on('connect', (connected) => connected.on('error', () => undefined));
    await openGraphile(pool);
    await createRecord(pool);
    recorder = tuned ? new Recorder(pool) : recordEach(pool);
    isTuned = tuned;
  },
  async enqueue(load: Load) {
    client ??= new WebhookClient(load.base, isTuned);
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
