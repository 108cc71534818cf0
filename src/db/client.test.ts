import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { connect, type Database, type Db, isUnavailable } from './connect.ts';
import { sql } from './sql.ts';

const timeoutMs = 800;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('empty');
  // One connection, so that each test finds what the one before left behind.
  db = connect({ connection: database.connection, poolSize: 1, timeoutMs, onError: () => undefined });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

// A database that has stopped answering does not keep its own limit either.
beforeEach(() => db.query(sql`set statement_timeout = 0`));

const take = (ms: number, on: Db = db) => on.query(sql`select pg_sleep(${ms / 1000}::float8)`);
const backend = async (on: Db = db) =>
  (await on.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]?.pid;

test('Postgres gives up first: what failed is not done later, and the connection is kept', async () => {
  const patient = { poolSize: 1, timeoutMs: 3_000, onError: () => undefined };
  const own = connect({ connection: database.connection, ...patient });
  const before = await backend(own);
  await db.query(sql`create table locked (n integer)`);
  await db.query(sql`insert into locked values (1)`);
  await db.transaction(async (tx) => {
    await tx.query(sql`select from locked for update`);
    const error = await own.query(sql`update locked set n = 2`).catch((reason) => reason);
    expect([error.code, isUnavailable(error)]).toEqual(['57014', true]);
  });
  expect(await db.query(sql`select n from locked`)).toEqual([{ n: 1 }]);
  expect(await backend(own)).toBe(before);
  await own.close();
});

test('a statement that is not answered in time fails, and its connection is thrown away', async () => {
  const before = await backend();
  const startedAt = performance.now();
  const error = await take(10_000).catch((reason) => reason);
  expect(error.message).toBe('Query read timeout');
  expect(isUnavailable(error)).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(await backend()).not.toBe(before);
});

test('in a transaction as well, and nothing of it stays', async () => {
  await db.query(sql`create table kept (n integer)`);
  const work = db.transaction(async (tx) => {
    await tx.query(sql`insert into kept values (1)`);
    await take(10_000, tx);
  });
  await expect(work).rejects.toThrow('Query read timeout');
  expect(await db.query(sql`select n from kept`)).toEqual([]);
});

test('all that wait on that connection fail with the one that is late', async () => {
  const startedAt = performance.now();
  const results = await db
    .transaction((tx) => Promise.allSettled([take(10_000, tx), backend(tx)]))
    .catch(() => []);
  expect(results.map(({ status }) => status)).not.toContain('fulfilled');
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(await backend()).toBeGreaterThan(0);
});

test('each statement has the whole time, one after the other and in line behind others', async () => {
  await db.transaction(async (tx) => {
    for (let i = 0; i < 3; i++) await take(timeoutMs / 2, tx);
    await Promise.all([1, 2, 3].map(() => take(timeoutMs / 2, tx)));
  });
});

test('a connection without a statement stays as long as it likes', async () => {
  const before = await backend();
  await sleep(2 * timeoutMs);
  expect(await backend()).toBe(before);
});

test("what others send over the pool's connections is limited too, unless they ask for more", async () => {
  await expect(db.pool.query('select pg_sleep(10)')).rejects.toThrow('Query read timeout');
  await db.query(sql`set statement_timeout = 0`);
  await expect(db.pool.query('select pg_sleep($1)', [10])).rejects.toThrow('Query read timeout');
  await db.query(sql`set statement_timeout = 0`);
  const patient = {
    text: 'select 1 as one from pg_sleep($1)',
    values: [(2 * timeoutMs) / 1000],
    query_timeout: 60_000,
  };
  expect((await db.pool.query(patient)).rows).toEqual([{ one: 1 }]);
});
