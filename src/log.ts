import { type Logger, pino } from 'pino';
import { timestamp } from './system/log-line.ts';
import { LogOutput } from './system/log-output.ts';

export type Log = Logger;

let output: LogOutput | undefined;

/** Writes one JSON line per event to standard output. Secrets are never passed to it. */
export function createLog(level: string): Log {
  output ??= new LogOutput();
  return pino({ level, base: undefined, timestamp }, output);
}
