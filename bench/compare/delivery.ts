/*
 * What a change is worth to the worker as users run it: `tenure worker` of several checkouts, each with its own
 * database and its log in a file.
 *
 *   npm run bench -- compare delivery PATH PATH…
 */

import { openPostgres } from '../lib/postgres.ts';
import { startReceiver } from '../lib/receiver.ts';
import { type DeliveryContender, measureDelivery } from '../webhooks/measure.ts';
import { tenureWorker } from '../webhooks/tenure-worker.ts';
import { checkouts, compare } from './comparison.ts';

const size = { count: 20_000, warmUp: 20_000 };

const postgres = await openPostgres('compare');
const receiver = await startReceiver();
const stage = { postgres, receiver, redis: null };
const contenders: DeliveryContender[] = [];
try {
  for (const endpoints of [1, 500]) {
    const workers: DeliveryContender[] = [];
    for (const { name, path } of checkouts)
      workers.push(await tenureWorker(stage, endpoints, { name, checkout: path }));
    contenders.push(...workers);
    await compare(
      `Deliveries, endpoints: ${endpoints}`,
      workers.map((worker) => ({
        name: worker.name,
        async measure() {
          const { redisUs: _, ...sample } = await measureDelivery(worker, stage, { endpoints, ...size });
          return sample;
        },
      })),
    );
  }
} finally {
  for (const contender of contenders) await contender.close();
  await receiver.stop();
  await postgres.stop();
}
