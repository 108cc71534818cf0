import { type Config, loadConfig } from '../config.ts';
import type { Database } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { limitQueues } from '../events/queue-room.ts';
import { createLog } from '../log.ts';
import { visible, visibleLines } from './visible.ts';

/**
 * Runs a short command on the database, whether or not the server is running. (Without a server, the embedded Postgres
 * is started for the duration of the command.) Log lines would only get in the way.
 */
export async function withDatabase<Result>(
  work: (db: Database, config: Config) => Promise<Result>,
  { config = loadConfig(), alone, migrated = true }: WithDatabase = {},
): Promise<Result> {
  const role = alone === undefined ? 'command' : 'server';
  limitQueues(config.QUEUED_DELIVERIES_PER_ACCOUNT);
  const { db, close } = await openDatabase(config, createLog('silent'), role, alone);
  try {
    if (migrated) await migrate(db);
    return await work(db, config);
  } finally {
    await close();
  }
}

interface WithDatabase {
  config?: Config;
  /** The command's name, if it needs the embedded database to itself, without a server. */
  alone?: string | undefined;
  /** Whether to bring the schema up to date first. */
  migrated?: boolean;
}

/** Applies the API's limits. */
export function checkName(name: string): void {
  const { length } = name.trim();
  if (length === 0 || length > 200) throw new Error('--name must have 1 to 200 characters.');
}

/** Prints the result: one JSON object, or lines for a person. Names in the lines were chosen by others. */
export function print(asJson: boolean | undefined, result: object, lines: string[]): void {
  const text = asJson ? visible(JSON.stringify(result)) : lines.map(visibleLines).join('\n');
  process.stdout.write(`${text}\n`);
}

export async function migrateCommand({ json }: { json?: boolean }): Promise<void> {
  const applied = await withDatabase((db) => migrate(db), { migrated: false });
  print(
    json,
    { applied },
    applied.length > 0 ? applied.map((name) => `Applied ${name}`) : ['The database is up to date.'],
  );
}
