import type pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { sql, toStatement } from '../sql.ts';
import { countOnCoordinator, settledBelow } from './written-in.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function begin(how = ''): Promise<pg.PoolClient> {
  const client = await database.db.connect();
  onTestFinished(async () => {
    await client.query('rollback');
    client.release();
  });
  await client.query(`begin ${how}`);
  return client;
}

async function numberFrom(client: pg.ClientBase, expression: string): Promise<string> {
  const { rows } = await client.query<{ number: string }>(`select ${expression}::text as number`);
  return rows[0]?.number ?? '';
}

test('what is settled is held back by transactions under way, and not by those that begin after the snapshot', async () => {
  const own = await numberFrom(await begin(), 'pg_current_xact_id()');
  // This one keeps its snapshot, as if no time passed until it reads the locks.
  const reader = await begin('isolation level repeatable read');
  const oldest = await numberFrom(reader, 'pg_snapshot_xmin(pg_current_snapshot())');
  for (const late of [await begin(), await begin()]) await numberFrom(late, 'pg_current_xact_id()');

  const { values } = await countOnCoordinator(reader, toStatement(sql`select ${settledBelow}`));
  expect(values).toEqual([oldest]);
  expect(Number(oldest)).toBeLessThanOrEqual(Number(own));
});
