import pg from 'pg';
import { connect, type Database } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type ManyLeases, makeManyLeases } from '../../test/support/many-leases.ts';
import type { BenchDatabase, BenchPostgres } from '../lib/postgres.ts';

export interface Books extends ManyLeases {
  database: BenchDatabase;
  db: Database;
  client: pg.Client;
  close(): Promise<void>;
}

/** A database with an account that has so many leases, each with the rent of so many months. */
export async function openBooks(
  postgres: BenchPostgres,
  name: string,
  { leases, months }: { leases: number; months: number },
): Promise<Books> {
  const database = await postgres.createDatabase(name);
  const { connection } = database;
  const db = connect({ connection, poolSize: 4, timeoutMs: 300_000, onError: console.error });
  await migrate(db);
  const client = new pg.Client(connection);
  await client.connect();
  const made = await makeManyLeases(client, { leases, months });
  await postgres.settle();
  return {
    ...made,
    database,
    db,
    client,
    async close() {
      await client.end();
      await db.close();
    },
  };
}

/** The median time of a request that is made again and again, in milliseconds. */
export async function timed(url: string, key: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${url}: ${text}`);
  return performance.now() - started;
}
