/*
 * pg-boss without what the measured part does not need, supervision and schedules, in three ways:
 *
 * - `by hand`: two fetchers take 500 jobs at a time, so that one always holds jobs while the other fetches more. Jobs
 *   are completed in one statement while the record is written in another.
 * - `work`: as its documentation has it. Four local workers with batches of 200 fetch again at once while batches are
 *   full; one record and one completion for each batch.
 * - `latency`: with LISTEN/NOTIFY, its quickest setting. Two local workers, so that one can fetch while the other
 *   sends.
 */
import { type Job, PgBoss } from 'pg-boss';
import { servePeer } from './peer.ts';
import type { Webhook } from './workload.ts';

const name = 'webhooks';
const fetchers = 2;

const workOptions: Record<string, object> = {
  work: { batchSize: 200, localConcurrency: 4, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 },
  latency: { batchSize: 10, localConcurrency: 2, pollingIntervalSeconds: 0.5 },
};

type Payload = Omit<Webhook, 'id'>;

servePeer(async ({ database, mode }, { client, recordAll }) => {
  const notify = mode === 'latency';
  const boss = new PgBoss({
    connectionString: database,
    max: 10,
    supervise: false,
    schedule: false,
    useListenNotify: notify,
  });
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(name, { notify });
  const send = (jobs: Job<Payload>[]) =>
    Promise.all(jobs.map(({ id, data }) => client.send({ id, ...data })));
  let isRunning = false;
  let loops: Promise<void>[] = [];
  const fetchByHand = async () => {
    while (isRunning) {
      const jobs = await boss.fetch<Payload>(name, { batchSize: 500 });
      if (jobs.length === 0) return;
      const ids = jobs.map(({ id }) => id);
      const attempts = await send(jobs);
      await Promise.all([recordAll(attempts), boss.complete(name, ids)]);
    }
  };
  return {
    clear: () => boss.deleteAllJobs(name),
    add: (webhooks) =>
      boss.insert(
        name,
        webhooks.map(({ id, ...data }) => ({ id, data })),
      ),
    addOne: ({ id, ...data }, transaction) =>
      boss.send(name, data, {
        id,
        db: { executeSql: (text: string, values?: unknown[]) => transaction.query(text, values) },
      }),
    async work() {
      isRunning = true;
      if (mode === 'by hand') loops = Array.from({ length: fetchers }, fetchByHand);
      else
        await boss.work<Payload>(name, workOptions[mode] ?? {}, async (jobs) => recordAll(await send(jobs)));
    },
    async halt() {
      isRunning = false;
      await Promise.all(loops);
      if (mode !== 'by hand') await boss.offWork(name);
    },
  };
});
