import pg from 'pg';
import { type Job, PgBoss } from 'pg-boss';
import { type Load, makeWebhooks, type Webhook } from '../delivery/workload.ts';
import { clearRecord, createRecord } from './record.ts';
import { WebhookClient } from './webhooks.ts';

export const queueName = 'webhooks';

export interface Boss {
  queue: PgBoss;
  /** For the record. */
  pool: pg.Pool;
  /** Made with the first load, which says where the receiver is. */
  client(): WebhookClient;
  use(base: string): void;
}

/** Without what the measured part does not need: supervision, schedules. Ten connections, as Tenure has. */
export async function openBoss(
  database: string,
  options: { notify?: boolean; tuned?: boolean } = {},
): Promise<Boss> {
  const { notify = false, tuned = false } = options;
  const queue = new PgBoss({
    connectionString: database,
    max: 10,
    supervise: false,
    schedule: false,
    useListenNotify: notify,
  });
  queue.on('error', (error) => console.error(error));
  await queue.start();
  await queue.createQueue(queueName, { notify });
  const pool = new pg.Pool({ connectionString: database, max: 4 });
  await createRecord(pool);
  let client: WebhookClient | undefined;
  return {
    queue,
    pool,
    client() {
      if (!client) throw new Error('Nothing was queued yet.');
      return client;
    },
    use(base) {
      client ??= new WebhookClient(base, tuned);
    },
  };
}

/** An empty table again, then the load in batches. */
export async function enqueueInBoss(boss: Boss, load: Load): Promise<void> {
  await clearRecord(boss.pool);
  await boss.queue.deleteAllJobs(queueName);
  boss.use(load.base);
  const webhooks = makeWebhooks(load);
  for (let from = 0; from < webhooks.length; from += 2_000) {
    const jobs = webhooks
      .slice(from, from + 2_000)
      .map(({ id, endpoint, body }) => ({ id, data: { endpoint, body } }));
    await boss.queue.insert(queueName, jobs);
  }
  await boss.pool.query('analyze');
}

export type Payload = Omit<Webhook, 'id'>;

export const toWebhook = ({ id, data }: Job<Payload>): Webhook => ({ id, ...data });
