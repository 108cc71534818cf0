import { expect, test } from 'vitest';
import { isCluster, type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { make } from '../../../test/support/records.ts';
import { testService } from '../../../test/support/service.ts';
import { connect } from '../connect.ts';
import { migrate } from '../migrate.ts';
import { CannotDistribute, distribute } from './distribute.ts';
import { globalTables } from './tables.ts';

/*
 * With TEST_DATABASE_URL pointing at the coordinator of a Citus cluster, all tests of the service run on a distributed
 * database, and so do these. Without one, these are skipped.
 */
const onCluster = test.runIf(isCluster());

const ask = async <Row extends object>({ db }: Pick<TestDatabase, 'db'>, text: string): Promise<Row[]> =>
  (await db.pool.query<Row>(text)).rows;

const refusal = (work: Promise<unknown>): Promise<unknown> => work.then(() => null).catch((error) => error);

test('a single PostgreSQL is not distributed, and the error says what it lacks', async () => {
  const database = await testDatabase('empty');
  await migrate(database.db);
  const error = await refusal(distribute(database.db));
  expect(error).toBeInstanceOf(CannotDistribute);
  expect(String(error)).toMatch(/does not have the extension citus.*create extension citus/);
  await database.drop();
});

const foreignKeys = `
  select conname as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
    and conrelid in (select oid from pg_class) order by 2, 1`;

const placed = `
  select c.relname as name, p.partmethod::text || p.repmodel::text as kind, p.colocationid as beside
  from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`;

/** Counts the rows of every table, on whatever node they are. */
async function countRows(database: TestDatabase): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of await ask<{ name: string }>(database, placed)) {
    const [row] = await ask<{ count: number }>(database, `select count(*)::integer as count from ${name}`);
    counts[name] = row?.count ?? 0;
  }
  return counts;
}

onCluster('a database with data is distributed though it is stopped after every step', async () => {
  const database = await testDatabase('joined');
  await migrate(database.db);
  const before = await ask(database, foreignKeys);
  const service = await testService({}, database);
  const client = await service.client();
  const lease = await make.lease(client);
  const other = await service.client();
  await make.lease(other);
  const rows = await countRows(database);

  let stops = 0;
  const stop = () => {
    throw new Error('stopped');
  };
  while ((await refusal(distribute(database.db, stop))) !== null) stops++;
  expect(stops).toBeGreaterThan(globalTables.length);
  expect(await distribute(database.db)).toBe(0);

  expect(await countRows(database)).toEqual(rows);
  expect(await ask(database, foreignKeys)).toEqual(before);
  const tables = await ask<{ name: string; kind: string | null; beside: number }>(database, placed);
  const ofAccounts = tables.filter(({ name }) => !globalTables.includes(name));
  expect(new Set(ofAccounts.map(({ kind }) => kind))).toEqual(new Set(['hs']));
  expect(new Set(ofAccounts.map(({ beside }) => beside)).size).toBe(1);
  expect(tables.find(({ name }) => name === 'accounts')?.kind).toBe('nt');
  expect((await client.get(`/leases/${lease.id}`)).body.data).toEqual(lease);

  // The tables that a later migration makes.
  await database.db.pool.query(`create table later (account_id uuid not null, id uuid, property_id uuid not null,
    primary key (account_id, id),
    constraint later_property_id_fk foreign key (account_id, property_id) references properties)`);
  await migrate(database.db);
  const later = (await ask<{ name: string; kind: string; beside: number }>(database, placed)).find(
    ({ name }) => name === 'later',
  );
  expect(later).toEqual({ name: 'later', kind: 'hs', beside: ofAccounts[0]?.beside });
  expect(await ask(database, foreignKeys)).toHaveLength(before.length + 1);
  await service.close();
});

onCluster('what cannot work is refused before anything is changed', async () => {
  const database = await testDatabase('joined');
  await migrate(database.db);
  const before = await ask(database, placed);

  const other = connect({
    connection: database.connection,
    poolSize: 1,
    onError: () => undefined,
  });
  await other.pool.query('select 1');
  expect(String(await refusal(distribute(database.db)))).toContain('stop all of its processes first');
  await other.close();

  await database.db.pool.query(
    'select citus_remove_node(nodename, nodeport) from pg_dist_node where groupid > 0',
  );
  expect(String(await refusal(distribute(database.db)))).toContain('There is no node to put data on');
  await database.db.pool.query('select citus_remove_node(nodename, nodeport) from pg_dist_node');
  expect(String(await refusal(distribute(database.db)))).toContain('citus_set_coordinator_host');
  expect(await ask(database, placed)).toEqual(before);
  await database.drop();
});
