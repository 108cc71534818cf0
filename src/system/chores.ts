import { endsWithin, pause } from '../clock.ts';
import type { Log } from '../log.ts';

/** Recurring work of a process. Other processes do the same. */
interface Chore {
  everyMs: number | (() => number);
  firstAfterMs?: number;
  /** The message to log if it fails. It runs again as usual. */
  failure: string;
  /** Returns whether there may be more to do at once. */
  work(signal: AbortSignal): Promise<boolean>;
}

/** A database that does not answer must not keep the process from ending. */
const stopWithinMs = 5_000;

export function createChores(log: Log, chores: Chore[]) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<unknown> = Promise.resolve();

  async function repeat({ everyMs, firstAfterMs = 0, failure, work }: Chore): Promise<void> {
    await pause(firstAfterMs, signal);
    while (!signal.aborted) {
      const goOn = await work(signal).catch((error) => {
        if (!signal.aborted) log.warn({ err: error }, failure);
        return false;
      });
      if (!goOn) await pause(typeof everyMs === 'number' ? everyMs : everyMs(), signal);
    }
  }

  return {
    start(): void {
      running = Promise.all(chores.map(repeat));
    },
    /** Work that is running learns of this through its signal. */
    async stop(): Promise<void> {
      stopping.abort();
      await endsWithin(stopWithinMs, running);
    },
  };
}
