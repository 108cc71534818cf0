import { expect, test } from 'vitest';
import { testDatabase } from '../../test/support/database.ts';
import type { Database } from './connect.ts';
import { migrate, schemaVersion } from './migrate.ts';

test('a Postgres before 15 is refused by whoever would write to it, and stays as it is', async () => {
  const { db, drop } = await testDatabase('empty');
  const old: Database = { ...db, connect: () => asVersion14(db) };
  await expect(migrate(old)).rejects.toThrow('Postgres 14.9 is too old; use 15 or later.');
  expect((await schemaVersion(db)).found).toBe(0);
  await drop();
});

async function asVersion14(db: Database) {
  const client = await db.connect();
  const query = (asked: string | { text: string }) =>
    client.query(
      JSON.stringify(asked).includes('server_version_num')
        ? "select 140009 as number, '14.9' as version"
        : asked,
    );
  return Object.assign(Object.create(client), { query }) as typeof client;
}
