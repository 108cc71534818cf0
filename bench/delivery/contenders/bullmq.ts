/*
 * BullMQ on a Redis with appendonly, flushed every second (a crash of the machine may lose that second): finished jobs are
 * removed. A job writes its row of the record to PostgreSQL and ends. Tuned, rows of many jobs are written together,
 * and a job ends when its batch is written. So that none of the 96 requests in flight has to wait for the record, four
 * times as many jobs run at once.
 */
import { Queue, Worker } from 'bullmq';
import pg from 'pg';
import { serve } from '../../lib/child.ts';
import { clearRecord, createRecord, type Keeper, Recorder, recordEach } from '../../peers/record.ts';
import { inFlight, WebhookClient } from '../../peers/webhooks.ts';
import { type Load, makeWebhooks, type Webhook } from '../workload.ts';

let pool: pg.Pool;
let recorder: Keeper;
let client: WebhookClient;
let isTuned = false;
let queue: Queue<Webhook>;
let worker: Worker<Webhook>;
let connection: { path: string; maxRetriesPerRequest: null };

serve({
  async setup({ database, redis, tuned = false }: { database: string; redis: string; tuned?: boolean }) {
    pool = new pg.Pool({ connectionString: database, max: 10 });
    await createRecord(pool);
    recorder = tuned ? new Recorder(pool) : recordEach(pool);
    isTuned = tuned;
    connection = { path: redis, maxRetriesPerRequest: null };
    queue = new Queue('webhooks', { connection });
  },
  async enqueue(load: Load) {
    client ??= new WebhookClient(load.base, isTuned);
    await clearRecord(pool);
    await queue.obliterate({ force: true });
    const webhooks = makeWebhooks(load);
    for (let from = 0; from < webhooks.length; from += 2_000) {
      const jobs = webhooks
        .slice(from, from + 2_000)
        .map((data) => ({ name: 'webhook', data, opts: { removeOnComplete: true } }));
      await queue.addBulk(jobs);
    }
  },
  async go() {
    worker = new Worker<Webhook>('webhooks', async ({ data }) => recorder.add(await client.send(data)), {
      connection,
      concurrency: 4 * inFlight,
      removeOnComplete: { count: 0 },
    });
    await worker.waitUntilReady();
  },
  halt: () => worker.close(),
});
