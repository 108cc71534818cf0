/*
 * graphile-worker, which listens by itself: each commit wakes it. No local queue and no gathering of completions, which help
 * throughput and not latency; ten jobs at once.
 */
import { type Runner, run } from 'graphile-worker';
import pg from 'pg';
import { serve } from '../../lib/child.ts';
import { openGraphile, type Payload, quiet } from '../../peers/graphile-worker.ts';
import { createRecord, Recorder } from '../../peers/record.ts';
import { WebhookClient } from '../../peers/webhooks.ts';
import { createPayments, writeWithJob } from '../../peers/writing.ts';
import { type Pace, type Role, writeAtPace } from '../pace.ts';

let pool: pg.Pool;
let runner: Runner | undefined;

serve({
  async setup({ database, base, role }: Role) {
    pool = new pg.Pool({ connectionString: database, max: 14 });
    pool.on('error', (error) => console.error(error));
    pool.on('connect', (connected) => connected.on('error', () => undefined));
    if (role === 'write') return createPayments(pool);
    await openGraphile(pool);
    await createRecord(pool);
    const recorder = new Recorder(pool);
    const client = new WebhookClient(base, true);
    runner = await run({
      pgPool: pool,
      noHandleSignals: true,
      taskList: { webhook: async (payload) => recorder.add(await client.send(payload as Payload)) },
      preset: { worker: { concurrentJobs: 10, logger: quiet } },
    });
  },
  write: (pace: Pace) =>
    writeAtPace(pace, () =>
      writeWithJob(pool, (client, webhook) =>
        client.query({
          name: 'job',
          text: "select from graphile_worker.add_job('webhook', $1::json)",
          values: [JSON.stringify(webhook)],
        }),
      ),
    ),
  stop: () => runner?.stop(),
});
