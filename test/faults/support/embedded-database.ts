import { join } from 'node:path';
import type { PoolConfig } from 'pg';
import { connect, type Database } from '../../../src/db/connect.ts';
import { newKeyIn } from '../../support/service.ts';

/** The database of a server that runs on this data folder. */
export const withEmbedded = <Result>(
  dataDir: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> =>
  withDatabase({ host: join(dataDir, 'postgres/socket'), user: 'tenure', database: 'tenure' }, work);

/** Connects to this database for a moment. */
export async function withDatabase<Result>(
  connection: PoolConfig,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = connect({ connection, poolSize: 1, onError: () => undefined });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Makes an account with a key that may write, without the processes that the command line would need. */
export const keyOn = (dataDir: string): Promise<string> => withEmbedded(dataDir, newKeyIn);
