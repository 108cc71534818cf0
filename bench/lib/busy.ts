import { parentPort, workerData } from 'node:worker_threads';

// Work for one core, as servers do it: how often a record becomes text and a record again in the given time.
const record = {
  id: 'pay_0198c2f5',
  amount: '1250.00',
  currency: 'USD',
  paid_on: '2026-11-01',
  tags: ['rent', 'late'],
};

function timesWithin(ms: number): number {
  const end = performance.now() + ms;
  let times = 0;
  for (; performance.now() < end; times++) JSON.parse(JSON.stringify(record));
  return times;
}

timesWithin(workerData.ms / 4); // until it is compiled
parentPort?.postMessage(timesWithin(workerData.ms));
