import { type Config, loadConfig } from '../config.ts';
import type { Database } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { createLog } from '../log.ts';

/**
 * Runs a short command on the database, whether or not the server is running. (Without a server, the embedded
 * Postgres is started for the duration of the command.) Log lines would only be in the way.
 */
export async function withDatabase<Result>(
  work: (db: Database, config: Config) => Promise<Result>,
  { config = loadConfig(), alone, migrated = true }: WithDatabase = {},
): Promise<Result> {
  const role = alone === undefined ? 'command' : 'server';
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
  /** The command's name, if no server may use the embedded database meanwhile. */
  alone?: string | undefined;
  /** Whether to bring the schema up to date first. */
  migrated?: boolean;
}

/** The API's limits. */
export function checkName(name: string): void {
  const { length } = name.trim();
  if (length === 0 || length > 200) throw new Error('--name must have 1 to 200 characters.');
}

/** Prints the result: one JSON object, or lines for a person. */
export function print(asJson: boolean | undefined, result: object, lines: string[]): void {
  process.stdout.write(asJson ? `${JSON.stringify(result)}\n` : `${lines.join('\n')}\n`);
}
