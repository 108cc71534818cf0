import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * One JSON line per thing that happened, on standard output. Secrets are never passed to it.
 *
 * Lines are gathered and written a few times a second: written one by one, each cost its request about as long as all
 * else that is done for it here. An ending process writes what is left.
 */
export function createLog(level: string): Log {
  const output = pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 100 });
  return pino({ level, base: undefined, timestamp }, output);
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
