/*
 * What a change is worth to the worker as users run it: `tenure worker` of several checkouts, each with its own
 * database and its log in a file.
 *
 *   npm run bench -- compare delivery PATH PATH…
 */
import { measureDelivery, openStage } from '../webhooks/measure.ts';
import { tenureWorker } from '../webhooks/tenure-worker.ts';
import { checkouts, compare, quick } from './comparison.ts';

const size = quick ? { count: 500, warmUp: 100 } : { count: 20_000, warmUp: 20_000 };

await using stage = await openStage('compare');
for (const endpoints of [1, 500]) {
  await using opened = new AsyncDisposableStack();
  const contenders = [];
  for (const { name, path } of checkouts) {
    const worker = opened.use(await tenureWorker(stage, endpoints, { name, checkout: path }));
    contenders.push({
      name,
      async measure() {
        const { redisUs: _, ...sample } = await measureDelivery(worker, stage, { endpoints, ...size });
        return sample;
      },
    });
  }
  await compare(`Deliveries, endpoints: ${endpoints}`, contenders);
}
