import { loadConfig } from '../src/config.ts';
import type { Db } from '../src/db/connect.ts';
import { openDatabase } from '../src/db/open.ts';
import { createLog } from '../src/log.ts';

/** The service's own database, for what no request can do. */
export async function withDatabase<Result>(
  dataDir: string,
  work: (db: Db) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig({ DATA_DIR: dataDir }, '/nonexistent');
  const { db, close } = await openDatabase(config, createLog('silent'), 'command');
  try {
    return await work(db);
  } finally {
    await close();
  }
}
