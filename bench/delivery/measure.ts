import { setTimeout as sleep } from 'node:timers/promises';
import { watchCpu } from '../lib/cpu.ts';
import type { Receiver } from '../lib/receiver.ts';
import type { DeliveryContender, Running, Stage } from './contender.ts';

/** What one contender did in one round. Processor time is in seconds. */
export interface Sample {
  count: number;
  seconds: number;
  cpu: { contender: number; postgres: number; redis: number; receiver: number };
  /** More requests than deliveries: some arrived twice. */
  repeats: number;
}

export interface Size {
  endpoints: number;
  count: number;
  warmUp: number;
}

const receiverPatienceMs = 170_000;
const recordPatienceMs = 20_000;

/**
 * A process of its own, warmed up; then the load, from the start signal until all is on record. A worker runs for weeks, but
 * Node is still compiling what it does for a good while after the start, which costs those most that do most.
 */
export async function measure(
  contender: DeliveryContender,
  { postgres, redis }: Stage,
  receiver: Receiver,
  { endpoints, count, warmUp }: Size,
): Promise<Sample> {
  const running = await contender.start();
  const deliver = async (load: number) => {
    await receiver.reset();
    // Before the load, not after it: pages touched first after a checkpoint are written to the log whole.
    await postgres.settle();
    await running.enqueue({ count: load, endpoints, base: receiver.base });
    const cpu = watchCpu({
      contender: running.pids,
      postgres: [postgres.pid],
      redis: redis ? [redis.pid] : [],
      receiver: [receiver.pid],
    });
    const startedAt = performance.now();
    const arrived = receiver.received(load, receiverPatienceMs);
    await running.go();
    const { requests } = await arrived;
    await recordedAll(running, load);
    const seconds = (performance.now() - startedAt) / 1000;
    const sample: Sample = { count: load, seconds, cpu: cpu(), repeats: requests - load };
    await running.halt();
    const recorded = await running.recorded();
    if (recorded !== null && recorded !== load)
      throw new Error(`${contender.name}: ${load} deliveries were queued, ${recorded} are on record.`);
    return sample;
  };
  try {
    await deliver(warmUp);
    return await deliver(count);
  } finally {
    await running.stop();
  }
}

/** The last results are written down a moment after their receipt. Whoever loses some is found out by the check after. */
async function recordedAll(running: Running, count: number): Promise<void> {
  const givesUpAt = performance.now() + recordPatienceMs;
  while (performance.now() < givesUpAt) {
    const recorded = await running.recorded();
    if (recorded === null || recorded >= count) return;
    await sleep(5);
  }
}
