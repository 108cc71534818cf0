/*
 * BullMQ on a Redis with appendonly, flushed every second (a crash of the machine may lose that second). Finished
 * jobs are removed. So that none of the 96 requests in flight has to wait for the record, four times as many jobs run
 * at once; for latency it is ten. It cannot add a job inside the transaction of a write: a crash between the two
 * loses the webhook.
 */
import { Queue, Worker } from 'bullmq';
import { inFlight } from './client.ts';
import { servePeer } from './peer.ts';
import type { Webhook } from './workload.ts';

servePeer(async ({ redis, mode }, { deliver }) => {
  const connection = { path: redis ?? '', maxRetriesPerRequest: null };
  const opts = { removeOnComplete: true };
  const queue = new Queue<Webhook>('webhooks', { connection });
  await queue.waitUntilReady();
  let worker: Worker<Webhook> | undefined;
  return {
    isApart: true,
    clear: () => queue.obliterate({ force: true }),
    add: (webhooks) => queue.addBulk(webhooks.map((data) => ({ name: 'webhook', data, opts }))),
    addOne: (webhook) => queue.add('webhook', webhook, opts),
    work() {
      worker = new Worker<Webhook>('webhooks', ({ data }) => deliver(data), {
        connection,
        concurrency: mode === 'latency' ? 10 : 4 * inFlight,
        removeOnComplete: { count: 0 },
      });
      return worker.waitUntilReady();
    },
    halt: async () => worker?.close(),
  };
});
