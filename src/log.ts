import { type DestinationStream, type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * One JSON line per thing that happened, on standard output. Secrets are never passed to it.
 *
 * Lines are gathered and written a few times a second: written one by one, each cost its request about as long as all
 * else that is done for it here. An ending process writes what is left.
 */
export function createLog(level: string): Log {
  const output = pino.destination({ dest: 1, sync: false, minLength: 8_192, periodicFlush: 100 });
  return pino({ level, base: undefined, timestamp }, output);
}

/**
 * A line whose fields are JSON already, such as `"a":1,"b":null`: for what happens thousands of times a second, where
 * finding out the type of every field takes longer than the rest.
 */
export function writeInfo(log: Log, fields: string, message: string): void {
  const { [pino.symbols.streamSym]: output } = log as unknown as {
    [pino.symbols.streamSym]: DestinationStream;
  };
  output.write(`{"level":30${timestamp()},${fields},"msg":"${message}"}\n`);
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
