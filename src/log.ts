import { write, writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/** Lines wait for company this long, or until there are so many characters of them. */
const gatherMs = 100;
const gatherMost = 64 * 1024;
/** What cannot be written waits too, on a full disk say, until there is so much of it. */
const waitingMost = 8 * 1024 * 1024;
const standardOutput = 1;

/**
 * One JSON line per thing that happened, on standard output. Secrets are never passed to it.
 *
 * Lines are gathered and written a few times a second: written one by one, each cost its request about as long as all
 * else that is done for it here. An ending process writes what is left.
 */
export function createLog(level: string): Log {
  output ??= new Gathered();
  return pino({ level, base: undefined, timestamp }, output);
}

let output: Gathered | undefined;

/** At the end there is no event loop to wait in for a slow reader. */
const lastTries = 100;
const tryAgainMs = 10;

class Gathered implements DestinationStream {
  #lines: string[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  #waiting: Buffer[] = [];
  #writing: Buffer | null = null;
  /** Of both. */
  #waitingBytes = 0;
  #lost = 0;

  constructor() {
    // Not asynchronously: a write that fails would bring us here again, for ever.
    process.on('beforeExit', () => this.flushSync());
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= gatherMost) this.#pass();
    else this.#timer ??= setTimeout(() => this.#pass(), gatherMs).unref();
  }

  #pass(): void {
    this.#gather();
    this.#writeNext();
  }

  #gather(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    const bytes = Buffer.from(this.#lines.join(''));
    if (this.#waitingBytes + bytes.length > waitingMost) this.#lost += this.#lines.length;
    else {
      this.#waiting.push(bytes);
      this.#waitingBytes += bytes.length;
    }
    this.#lines = [];
    this.#length = 0;
  }

  #writeNext(): void {
    if (this.#writing !== null) return;
    const bytes = this.#waiting.shift();
    if (bytes === undefined) return;
    this.#writing = bytes;
    write(standardOutput, bytes, (error, written) => {
      this.#writing = null;
      if (error === null) this.#wrote(bytes, written);
      else this.#failed(bytes, error);
    });
  }

  #wrote(bytes: Buffer, written: number): void {
    this.#waitingBytes -= written;
    if (written < bytes.length) this.#waiting.unshift(bytes.subarray(written));
    if (this.#waiting.length > 0) this.#writeNext();
    else if (this.#lost > 0) this.#tellLost();
  }

  /** A service does not end because its log cannot be written. The next lines try again, for a slow reader sooner. */
  #failed(bytes: Buffer, { code }: NodeJS.ErrnoException): void {
    this.#waiting.unshift(bytes);
    if (code === 'EAGAIN') setTimeout(() => this.#writeNext(), tryAgainMs).unref();
  }

  #tellLost(): void {
    const lost = this.#lost;
    this.#lost = 0;
    this.write(
      `{"level":40${timestamp()},"lines":${lost},"msg":"log lines could not be written and are lost"}\n`,
    );
  }

  /** All that is left, except what is just being written. */
  flushSync(): void {
    this.#gather();
    let bytes = Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.#waitingBytes -= bytes.length;
    for (let tries = 0; bytes.length > 0 && tries < lastTries; tries++) {
      try {
        bytes = bytes.subarray(writeSync(standardOutput, bytes));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tryAgainMs);
      }
    }
  }
}

let lastMs = 0;
let lastText = '';

/** Many lines are of the same millisecond. */
function timestamp(): string {
  const now = Date.now();
  if (now !== lastMs) {
    lastMs = now;
    lastText = `,"time":"${new Date(now).toISOString()}"`;
  }
  return lastText;
}
