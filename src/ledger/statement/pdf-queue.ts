import { Worker } from 'node:worker_threads';
import { overloaded } from '../../errors.ts';

/**
 * How many requests may wait, for one account and in all. Beyond that, the answer is a 503. They are kept in memory.
 */
const most = { ofAccount: 25, ofAll: 100 };
/** The thread is ended after this much idle time, because the library and its fonts take some 60 MB. */
const idleMs = 60_000;
/** If a statement needs more, that ends the thread, not the process. */
const memoryMb = 512;

interface Job {
  body: string;
  resolve(content: Buffer): void;
  reject(error: unknown): void;
}

/**
 * Has PDFs made in a separate thread, one at a time: a long one takes most of a second of processor time, during which
 * the process could answer nobody. Accounts take turns, so an account that asks for many only keeps itself waiting.
 */
class PdfQueue {
  /** Requests by account, in the order of their turns. */
  readonly #waiting = new Map<string, Job[]>();
  #count = 0;
  #current: Job | undefined;
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** The statement's JSON as a file to send. */
  async make(body: string, accountId: string): Promise<Buffer> {
    const own = this.#waiting.get(accountId) ?? [];
    if (own.length >= most.ofAccount || this.#count >= most.ofAll) throw overloaded(5);
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    this.#waiting.set(accountId, [...own, { body, resolve, reject }]);
    this.#count++;
    if (this.#current === undefined) this.#next();
    return promise;
  }

  #next(): void {
    clearTimeout(this.#idle);
    this.#current = this.#take();
    if (this.#current === undefined) {
      this.#idle = setTimeout(() => this.#end(), idleMs).unref();
      return;
    }
    this.#thread ??= this.#start();
    this.#thread.postMessage(this.#current.body);
  }

  /** The oldest request of the account whose turn it is. That account then goes to the end. */
  #take(): Job | undefined {
    const [next] = this.#waiting;
    if (next === undefined) return undefined;
    const [accountId, [job, ...others]] = next;
    this.#waiting.delete(accountId);
    if (others.length > 0) this.#waiting.set(accountId, others);
    this.#count--;
    return job;
  }

  #start(): Worker {
    const thread = new Worker(new URL('./pdf-thread.ts', import.meta.url), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    thread.on('message', (content: Uint8Array<ArrayBuffer>) => {
      this.#current?.resolve(Buffer.from(content.buffer));
      this.#next();
    });
    thread.on('error', (error) => {
      if (this.#thread !== thread) return;
      this.#end();
      this.#current?.reject(error);
      this.#next();
    });
    // The process may end while the thread waits for work. This comes last, because listening to a thread keeps the
    // process alive again.
    thread.unref();
    return thread;
  }

  #end(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.terminate();
  }
}

/** The queue of this process. */
export const statementPdfs = new PdfQueue();
