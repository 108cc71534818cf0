import type { Log } from '../../log.ts';

const tellEveryMs = 1_000;

/**
 * While the database is away or the disk is full, all requests fail alike. The first failure is logged at once, and the
 * others as one line a second with their number: a line for each, with its stack, would bury the one that says why.
 */
export class Outages {
  #log: Log;
  #untold = new Map<string, { count: number; last: unknown }>();

  constructor(log: Log) {
    this.#log = log;
  }

  tell(message: string, error: unknown): void {
    const untold = this.#untold.get(message);
    if (untold) {
      untold.count += 1;
      untold.last = error;
      return;
    }
    this.#write(message, 1, error);
  }

  #write(message: string, requests: number, error: unknown): void {
    this.#log.error({ err: error, requests }, message);
    this.#untold.set(message, { count: 0, last: undefined });
    setTimeout(() => this.#next(message), tellEveryMs).unref();
  }

  #next(message: string): void {
    const { count, last } = this.#untold.get(message) ?? { count: 0, last: undefined };
    this.#untold.delete(message);
    if (count > 0) this.#write(message, count, last);
  }
}
