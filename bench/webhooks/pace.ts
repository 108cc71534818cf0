import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../lib/child.ts';
import { clockMs, type Receiver } from '../lib/receiver.ts';

export interface Pace {
  count: number;
  perSecond: number;
}

/** When each write was committed, by the ids of the deliveries that follow from it. */
export type Commits = Record<string, number>;

/**
 * Writes at an even pace, whether the write before has ended or not; a little irregularly, so that nobody's timers fall
 * into step with it. `write` resolves when the commit is known.
 */
export async function writeAtPace(
  { count, perSecond }: Pace,
  write: () => Promise<string>,
): Promise<Commits> {
  const apartMs = 1000 / perSecond;
  const startedAt = clockMs();
  const writes: Promise<[id: string, at: number]>[] = [];
  for (let n = 0; n < count; n++) {
    const dueAt = startedAt + (n + Math.random() / 2) * apartMs;
    await sleep(Math.max(0, dueAt - clockMs()));
    writes.push(write().then((id) => [id, clockMs()]));
  }
  return Object.fromEntries(await Promise.all(writes));
}

/**
 * Makes a contender's process write at this pace, and measures the milliseconds from commit to receipt of each
 * delivery.
 */
export async function commitToReceipt(
  writer: Child,
  receiver: Receiver,
  pace: Pace,
  endpoints = 1,
): Promise<number[]> {
  const deliveries = pace.count * endpoints;
  await receiver.reset();
  const arrived = receiver.received(deliveries);
  const commits = await writer.call<Commits>('write', pace);
  await arrived;
  const times = await receiver.times();
  const waits = Object.entries(commits).map(([id, at]) => Math.max(0, (times[id] ?? Number.NaN) - at));
  if (waits.length !== deliveries || waits.some(Number.isNaN))
    throw new Error(`${deliveries} deliveries were due, ${waits.length} were found again.`);
  return waits;
}
