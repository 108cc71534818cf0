import { setTimeout as sleep } from 'node:timers/promises';
import { clockMs } from '../lib/receiver.ts';

export interface Pace {
  count: number;
  perSecond: number;
}

/** When each write was committed, by the id that its receipt will have. */
export type Commits = Record<string, number>;

/** Each contender's process is told this once. */
export interface Role {
  database: string;
  /** Null where there is none. */
  redis: string | null;
  /** Where the receiver is. */
  base: string;
  role: 'write' | 'work' | 'both';
}

/**
 * Writes at an even pace, whether the write before has ended or not; a little off the beat each time, so that
 * nobody's timers fall into step with it. `write` resolves when the commit is known.
 */
export async function writeAtPace(
  { count, perSecond }: Pace,
  write: (n: number) => Promise<string>,
): Promise<Commits> {
  const apartMs = 1000 / perSecond;
  const startedAt = clockMs();
  const writes: Promise<[id: string, at: number]>[] = [];
  for (let n = 0; n < count; n++) {
    const dueAt = startedAt + (n + Math.random() / 2) * apartMs;
    await sleep(Math.max(0, dueAt - clockMs()));
    writes.push(write(n).then((id) => [id, clockMs()]));
  }
  return Object.fromEntries(await Promise.all(writes));
}
