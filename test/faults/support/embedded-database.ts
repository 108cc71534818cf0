import { join } from 'node:path';
import { createKey } from '../../../src/api-keys/api-keys.ts';
import { operator } from '../../../src/caller.ts';
import { connect, type Database } from '../../../src/db/connect.ts';
import { newAccount } from '../../support/service.ts';

/** The database of a server that runs on this data folder. */
export async function withEmbedded<Result>(
  dataDir: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const connection = { host: join(dataDir, 'postgres/socket'), user: 'tenure', database: 'tenure' };
  const db = connect({ connection, poolSize: 1, onError: () => undefined });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** An account with a key that may write, without a process for each as the command line would need. */
export const keyOn = (dataDir: string): Promise<string> =>
  withEmbedded(dataDir, async (db) => {
    const accountId = await newAccount({ db });
    const { key } = await createKey(db, {
      accountId,
      by: { actor: operator },
      name: 'test',
      permission: 'write',
      expiresAt: null,
    });
    return key;
  });
