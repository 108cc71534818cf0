/*
 * pg-boss as its documentation has it, with `work`: batches of 200 in four local workers that fetch again at once while
 * batches are full, one record and one completion for each batch. No supervision, no schedules.
 */
import { serve } from '../../lib/child.ts';
import {
  type Boss,
  enqueueInBoss,
  openBoss,
  type Payload,
  queueName,
  toWebhook,
} from '../../peers/pg-boss.ts';
import { record } from '../../peers/record.ts';
import type { Load } from '../workload.ts';

let boss: Boss;

serve({
  async setup({ database, tuned = false }: { database: string; tuned?: boolean }) {
    boss = await openBoss(database, { tuned });
  },
  enqueue: (load: Load) => enqueueInBoss(boss, load),
  async go() {
    const client = boss.client();
    const options = {
      batchSize: 200,
      localConcurrency: 4,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 0.5,
    };
    await boss.queue.work<Payload>(queueName, options, async (jobs) => {
      await record(boss.pool, await Promise.all(jobs.map((job) => client.send(toWebhook(job)))));
    });
  },
  halt: () => boss.queue.offWork(queueName),
});
