import { serve } from '../lib/child.ts';
import { type Boss, openBoss, type Payload, queueName, toWebhook } from '../peers/pg-boss.ts';
import { Recorder } from '../peers/record.ts';
import { createPayments, writeWithJob } from '../peers/writing.ts';
import { type Pace, type Role, writeAtPace } from './pace.ts';

interface Setting {
  notify: boolean;
  localConcurrency: number;
  batchSize: number;
  pollingIntervalSeconds?: number;
}

export function serveBoss({ notify, ...options }: Setting): void {
  let boss: Boss;
  serve({
    async setup({ database, base, role }: Role) {
      boss = await openBoss(database, { notify, tuned: true });
      if (role === 'write') return createPayments(boss.pool);
      boss.use(base);
      const recorder = new Recorder(boss.pool);
      await boss.queue.work<Payload>(queueName, options, async (jobs) => {
        const attempts = await Promise.all(jobs.map((job) => boss.client().send(toWebhook(job))));
        await Promise.all(attempts.map((attempt) => recorder.add(attempt)));
      });
    },
    write: (pace: Pace) =>
      writeAtPace(pace, () =>
        writeWithJob(boss.pool, (client, { id, endpoint, body }) => {
          const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
          return boss.queue.send(queueName, { endpoint, body }, { id, db });
        }),
      ),
    stop: () => boss.queue.stop({ graceful: false }),
  });
}
