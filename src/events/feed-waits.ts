import type { App } from '../app.ts';
import { tooManyRequests } from '../errors.ts';

/**
 * A waiting request holds no database connection, but it counts towards the load limit. So each account may have only
 * a few of them, and all accounts together a quarter of the requests that a process handles.
 */
const mostOfAccount = 20;
const partOfRequests = 4;
const retryAfterSeconds = 1;

/** How many requests of each account are waiting in this process. */
const waits = new Map<string, number>();
let all = 0;

interface Wait {
  /**
   * Waits for a change made by this process, or for a short time. Returns false when the wait is over or not allowed.
   */
  pause(): Promise<boolean>;
  end(): void;
}

/** What may end a wait before its time is up. */
export interface Waiter {
  app: Pick<App, 'config' | 'stopping' | 'workers'>;
  onHangUp: (then: () => void) => () => void;
}

/** How often to look: an event may come from another process, or still be held back by an earlier transaction. */
const lookEveryMs = 1_000;
/** A change made by this process triggers a look at once, but no more often than this during a flood of changes. */
const lookAgainAfterMs = 250;

export function beginToWait({ app, onHangUp }: Waiter, accountId: string, mostMs: number): Wait {
  const own = waits.get(accountId) ?? 0;
  if (own >= mostOfAccount || all >= Math.max(1, app.config.REQUEST_CONCURRENCY / partOfRequests))
    throw tooManyRequests(retryAfterSeconds);
  waits.set(accountId, own + 1);
  all++;
  const { signal } = app.stopping;
  let isOver = signal.aborted;
  let isWoken = false;
  let looked = Number.NEGATIVE_INFINITY;
  let wakeUp = () => {};
  const woken = () => {
    isWoken = true;
    wakeUp();
  };
  const over = () => {
    isOver = true;
    wakeUp();
  };
  const deadline = setTimeout(over, mostMs);
  const stopListening = app.workers.onWake(woken);
  const stopHearing = onHangUp(over);
  signal.addEventListener('abort', over);

  async function sleep(ms: number, isEnough: () => boolean): Promise<void> {
    if (ms <= 0 || isEnough()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    wakeUp = () => {
      if (isEnough()) resolve();
    };
    await promise;
    clearTimeout(timer);
  }

  return {
    async pause() {
      await sleep(lookEveryMs, () => isOver || isWoken);
      await sleep(looked + lookAgainAfterMs - performance.now(), () => isOver);
      isWoken = false;
      looked = performance.now();
      return !isOver;
    },
    end() {
      clearTimeout(deadline);
      stopListening();
      stopHearing();
      signal.removeEventListener('abort', over);
      all--;
      const left = (waits.get(accountId) ?? 1) - 1;
      if (left === 0) waits.delete(accountId);
      else waits.set(accountId, left);
    },
  };
}
