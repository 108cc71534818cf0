import { once } from 'node:events';
import { cpus } from 'node:os';
import { Worker } from 'node:worker_threads';
import { spread } from './stats.ts';

/**
 * How many times the work of one core all of them do together. The cores of a rented machine may be the threads of fewer real
 * ones, or shared with others: then whoever keeps one busy is quicker than what needs all of them, and ratios between the two differ.
 */
export async function coresTogether(): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < 5; round++) {
    const alone = await workDone(1);
    ratios.push((await workDone(cpus().length)) / alone);
  }
  return Math.round(spread(ratios).median * 100) / 100;
}

async function workDone(cores: number): Promise<number> {
  const counts = await Promise.all(
    Array.from({ length: cores }, async () => {
      const worker = new Worker(new URL('./busy.ts', import.meta.url), { workerData: { ms: 400 } });
      const [count] = (await once(worker, 'message')) as [number];
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
