/*
 * BullMQ: the record is committed to PostgreSQL, then the job is added to Redis, where the worker waits for it. (A crash
 * between the two loses the webhook; the others write both in one transaction.)
 */
import { Queue, Worker } from 'bullmq';
import pg from 'pg';
import type { Webhook } from '../../delivery/workload.ts';
import { serve } from '../../lib/child.ts';
import { createRecord, Recorder } from '../../peers/record.ts';
import { WebhookClient } from '../../peers/webhooks.ts';
import { createPayments, insertPayment, oneWebhook } from '../../peers/writing.ts';
import { type Pace, type Role, writeAtPace } from '../pace.ts';

let pool: pg.Pool;
let queue: Queue<Webhook>;

serve({
  async setup({ database, redis, base, role }: Role) {
    pool = new pg.Pool({ connectionString: database, max: 10 });
    const connection = { path: redis ?? '', maxRetriesPerRequest: null };
    queue = new Queue('latency', { connection });
    await queue.waitUntilReady();
    if (role === 'write') return createPayments(pool);
    await createRecord(pool);
    const recorder = new Recorder(pool);
    const client = new WebhookClient(base, true);
    const work = async ({ data }: { data: Webhook }) => recorder.add(await client.send(data));
    const worker = new Worker<Webhook>('latency', work, { connection, concurrency: 10 });
    await worker.waitUntilReady();
  },
  write: (pace: Pace) =>
    writeAtPace(pace, async () => {
      const webhook = oneWebhook();
      await insertPayment(pool, webhook);
      // From here on it is committed: the caller takes the time, and Redis is part of what is measured.
      void queue.add('webhook', webhook, { removeOnComplete: true });
      return webhook.id;
    }),
  stop() {},
});
