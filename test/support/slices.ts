import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';

/*
 * Measures how long a service keeps others waiting: the longest time during which its thread does one thing and nothing
 * else. A busy machine makes every wait longer, so what counts is the processor time that the thread used between two
 * measurements.
 */

interface Slices {
  /** The longest processor time between two turns of the event loop. */
  longestMs: number;
  /** The event loop's longest delay. It includes the time that the machine spent on other things. */
  delayMs: number;
}

const lookEveryMs = 1;

export async function longestSlice<Result>(
  work: () => Promise<Result>,
): Promise<Slices & { result: Result }> {
  const delay = monitorEventLoopDelay({ resolution: lookEveryMs });
  const slices = createHistogram();
  let before = threadMicroseconds();
  const look = () => {
    const now = threadMicroseconds();
    slices.record(Math.max(1, Math.round(now - before)));
    before = now;
  };
  const timer = setInterval(look, lookEveryMs);
  delay.enable();
  try {
    const result = await work();
    look();
    return { longestMs: slices.max / 1e3, delayMs: delay.max / 1e6, result };
  } finally {
    clearInterval(timer);
    delay.disable();
  }
}

/** Node 22 cannot report the time of one thread. */
function threadMicroseconds(): number {
  if (!('threadCpuUsage' in process)) return performance.now() * 1e3;
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** Sends requests from a thread of its own. Making and sending a large body is work, too, but not the service's. */
export class Sender {
  readonly #worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', async ({ url, init }) => {
       try {
         const response = await fetch(url, init);
         parentPort.postMessage({ status: response.status, text: (await response.text()).slice(0, 2000) });
       } catch (error) {
         parentPort.postMessage({ status: 0, text: String(error.cause ?? error) });
       }
     });`,
    { eval: true },
  );

  /** Sends a request and measures how long the service kept others waiting. */
  measure(
    url: string,
    init: { method: string; headers: Record<string, string>; body: Buffer },
  ): Promise<Slices & { result: { status: number; text: string } }> {
    const body = new Uint8Array(init.body);
    return longestSlice(() => {
      const { promise, resolve } = Promise.withResolvers<{ status: number; text: string }>();
      this.#worker.once('message', resolve);
      this.#worker.postMessage({ url, init: { ...init, body } }, [body.buffer]);
      return promise;
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
