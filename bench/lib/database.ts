import pg from 'pg';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createKey } from '../../src/api-keys/api-keys.ts';
import { connect, type Database } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { newId } from '../../src/ids.ts';
import { makeManyRecords, type Sizes } from '../../test/support/many-records.ts';
import type { BenchDatabase } from './postgres.ts';

/** A database with Tenure's tables. */
export interface TenureDatabase extends BenchDatabase, AsyncDisposable {
  /** As the product connects. */
  db: Database;
  /** To fill tables quickly. */
  client: pg.Client;
}

export async function openDatabase(made: BenchDatabase, poolSize = 4): Promise<TenureDatabase> {
  const { connection } = made;
  // Filling tables may take longer than any statement of the service.
  const db = connect({ connection, poolSize, timeoutMs: 300_000, onError: console.error });
  await migrate(db);
  const client = new pg.Client(connection);
  await client.connect();
  return {
    ...made,
    db,
    client,
    async [Symbol.asyncDispose]() {
      await client.end();
      await db.close();
    },
  };
}

const few = { charges: 100, maintenance: 100, events: 100, deliveries: 100, queued: 0, endpoints: 1 };

/** The account of many-records.ts, with only a few of whatever is not named. */
export const fillAccount = (
  client: pg.Client,
  sizes: Pick<Sizes, 'payments'> & Partial<Sizes>,
): Promise<void> => makeManyRecords(client, { ...few, accounts: 1, ...sizes });

export async function newAccount(db: Database): Promise<string> {
  const owner = { name: 'Bench', email: `${newId()}@example.com`, hash: null };
  return (await createAccount(db, owner)).accountId;
}

export async function keyOf(db: Database, accountId: string): Promise<string> {
  const { key } = await createKey(db, { accountId, name: 'bench', permission: 'write', expiresAt: null });
  return key;
}
