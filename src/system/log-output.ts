import { write, writeSync } from 'node:fs';

const standardOutput = 1;
const writeEveryMs = 100;
/**
 * Lines that cannot be written, for example on a full disk, wait until there are this many bytes. After that they are
 * dropped and counted.
 */
const mostWaiting = 8 * 1024 * 1024;
/** The usual number of bytes between two writes. */
const usualBytes = 64 * 1024;
const mostBytesOfCharacter = 3;
/** At the end of the process there is no event loop left to wait for a slow reader. */
const lastTries = 100;
const tryAgainMs = 10;

/**
 * Standard output for log lines, written ten times a second: one by one, each took about as long as everything else
 * that is done for its request here. A service does not end because its log cannot be written; it tries again. A
 * process that ends writes what is left.
 *
 * pino.destination() would do the same for no more processor time, but a process that uses it never ends on a full
 * disk, because sonic-boom 4.2 tries again for ever.
 */
export class LogOutput {
  /** Lines are kept as bytes. Strings, of which pino makes trees, would be copied by every garbage collection. */
  #lines = Buffer.allocUnsafe(usualBytes);
  #length = 0;
  #rest = Buffer.alloc(0);
  #isWriting = false;
  #timer: NodeJS.Timeout | undefined;
  #lost = 0;

  constructor() {
    // Not asynchronously, because a write that fails would bring us here again, for ever.
    process.on('beforeExit', () => this.flushSync());
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.#waiting > mostWaiting) this.#lost++;
    else {
      this.#makeRoom(line.length * mostBytesOfCharacter);
      this.#length += this.#lines.write(line, this.#length);
    }
    this.#writeSoon();
  }

  get #waiting(): number {
    return this.#length + this.#rest.length;
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#lines.length) return;
    const larger = Buffer.allocUnsafe(2 * needed);
    this.#lines.copy(larger, 0, 0, this.#length);
    this.#lines = larger;
  }

  #writeSoon(): void {
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#writeAll(), writeEveryMs).unref();
  }

  #writeAll(): void {
    this.#timer = undefined;
    if (this.#isWriting) return;
    const bytes = this.#take();
    this.#isWriting = true;
    write(standardOutput, bytes, (_error, written = 0) => {
      this.#isWriting = false;
      this.#rest = bytes.subarray(written);
      if (this.#rest.length === 0) this.#tellLost();
      if (this.#waiting > 0) this.#writeSoon();
    });
  }

  #take(): Buffer<ArrayBuffer> {
    const bytes = Buffer.concat([this.#rest, this.#lines.subarray(0, this.#length)]);
    this.#rest = Buffer.alloc(0);
    this.#length = 0;
    if (this.#lines.length > 16 * usualBytes) this.#lines = Buffer.allocUnsafe(usualBytes);
    return bytes;
  }

  #tellLost(): void {
    if (this.#lost === 0) return;
    const time = new Date().toISOString();
    const msg = 'log lines could not be written and are lost';
    const line = JSON.stringify({ level: 40, time, lines: this.#lost, msg });
    this.#lost = 0;
    this.write(`${line}\n`);
  }

  /** Writes everything that is left, except what is being written at the moment. */
  flushSync(): void {
    let bytes = this.#take();
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
