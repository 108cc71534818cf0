import type pg from 'pg';
import type { Log } from '../log.ts';
import { type Database, liftLimits, withoutLimit } from './connect.ts';
import { era } from './records/written-in.ts';

/**
 * Rows copied from another cluster, for instance by pg_dump, carry transaction numbers that this cluster has not
 * reached yet. They would not be settled for years, and new writes would be sorted before them. So they are moved back
 * (records/written-in.ts). `tenure restore` does so by itself. Called once, before anything is written.
 *
 * Each account is moved in one transaction. Doing it twice does no harm, because the order stays the same.
 */
export async function moveBackOtherClusters(db: Database, log: Log): Promise<void> {
  const client = await db.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select attrelid::regclass::text as name from pg_attribute
       where attname = 'written_in' and attrelid in (
         select oid from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r')`,
    );
    const { rows: accounts } = await client.query<{ id: string }>(
      '/* across accounts */ select id from accounts',
    );
    const ids = accounts.map(({ id }) => id);
    // A statement of its own, because each node of a distributed database counts for itself.
    const next = await ask(client, 'select pg_snapshot_xmax(pg_current_snapshot())::text as number');
    let isMoved = false;
    for (const { name } of tables) {
      // The indexes have the number account by account.
      const found = await ask(
        client,
        `/* across accounts */ select max(written_in)::text as number from ${name}
         where account_id = any($1::uuid[]) and written_in >= $2::bigint`,
        [ids, next],
      );
      // It may have been written just now.
      isMoved ||= found !== null && BigInt(found) >= BigInt((await ask(client, newNumber)) ?? 0);
    }
    if (!isMoved) return;
    log.warn('the data comes from another PostgreSQL: the order of events and changes is carried over');
    for (const id of ids) {
      await client.query(`begin; ${liftLimits}`);
      for (const { name } of tables)
        await client.query({
          ...withoutLimit(`update ${name} set written_in = written_in - ${era} where account_id = $1`),
          values: [id],
        });
      await client.query('commit');
    }
  } finally {
    client.release(true);
  }
}

const newNumber = 'select pg_current_xact_id()::text as number';

async function ask(client: pg.PoolClient, text: string, values: unknown[] = []): Promise<string | null> {
  const { rows } = await client.query<{ number: string | null }>(text, values);
  return rows[0]?.number ?? null;
}
