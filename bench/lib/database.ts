import pg from 'pg';
import { createKey } from '../../src/api-keys/api-keys.ts';
import { connect, type Database } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { makeManyRecords, type Sizes } from '../../test/support/many-records.ts';
import type { BenchDatabase } from './postgres.ts';

/** A database with Tenure's tables. */
export interface TenureDatabase extends BenchDatabase {
  /** As the product connects. */
  db: Database;
  /** To fill tables quickly. */
  client: pg.Client;
  close(): Promise<void>;
}

export async function openDatabase(made: BenchDatabase, poolSize = 4): Promise<TenureDatabase> {
  const { connection } = made;
  // To fill tables may take longer than any statement of the service.
  const db = connect({ connection, poolSize, timeoutMs: 300_000, onError: console.error });
  await migrate(db);
  const client = new pg.Client(connection);
  await client.connect();
  const close = async () => {
    await client.end();
    await db.close();
  };
  return { ...made, db, client, close };
}

const few = { charges: 100, maintenance: 100, events: 100, deliveries: 100, queued: 0, endpoints: 1 };

/** The account of many-records.ts, with few of what is not named. */
export const fillAccount = (
  client: pg.Client,
  sizes: Pick<Sizes, 'payments'> & Partial<Sizes>,
): Promise<void> => makeManyRecords(client, { ...few, accounts: 1, ...sizes });

export async function keyOf(db: Database, accountId: string): Promise<string> {
  const { key } = await createKey(db, { accountId, name: 'bench', permission: 'write', expiresAt: null });
  return key;
}

/** How long a request takes, in milliseconds. Anything but a success is an error. */
export async function timed(url: string, key: string, body?: object): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const started = performance.now();
  const answer = await fetch(url, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}: ${text.slice(0, 500)}`);
  return performance.now() - started;
}
