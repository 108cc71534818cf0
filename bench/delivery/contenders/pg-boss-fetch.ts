/*
 * pg-boss, tuned by hand: two fetchers take 500 jobs at a time, so that one always has jobs in hand while the other
 * asks for more; jobs are completed 500 at a time, in one statement, while the record is written in another. No
 * supervision, no schedules.
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

const batchSize = 500;
const fetchers = 2;

let boss: Boss;
let running = false;
let loops: Promise<void>[] = [];

serve({
  async setup({ database, tuned = false }: { database: string; tuned?: boolean }) {
    boss = await openBoss(database, { tuned });
  },
  enqueue: (load: Load) => enqueueInBoss(boss, load),
  go() {
    running = true;
    const client = boss.client();
    loops = Array.from({ length: fetchers }, async () => {
      while (running) {
        const jobs = await boss.queue.fetch<Payload>(queueName, { batchSize });
        if (jobs.length === 0) return;
        const attempts = await Promise.all(jobs.map((job) => client.send(toWebhook(job))));
        await Promise.all([
          record(boss.pool, attempts),
          boss.queue.complete(
            queueName,
            jobs.map(({ id }) => id),
          ),
        ]);
      }
    });
  },
  async halt() {
    running = false;
    await Promise.all(loops);
  },
});
