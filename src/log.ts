import { type Logger, pino } from 'pino';

export type Log = Logger;

/** One JSON line per thing that happened, on standard output. Secrets are never passed to it. */
export function createLog(level: string): Log {
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
}
