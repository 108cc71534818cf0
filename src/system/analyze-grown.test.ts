import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import type { Db } from '../db/connect.ts';
import { raw, sql } from '../db/sql.ts';
import { analyzeGrown, analyzeGrownMeanwhile } from './analyze-grown.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('empty');
  await database.db.query(raw('create table "Rents" (n integer)'));
});
afterAll(() => database.drop());

const grow = (rows: number) =>
  database.db.query(raw(`insert into "Rents" select generate_series(1, ${rows})`));

async function known(db: Db = database.db): Promise<number> {
  const [row] = await db.query<{ rows: number }>(
    sql`select reltuples as rows from pg_class where relname = 'Rents'`,
  );
  return row?.rows ?? Number.NaN;
}

/** The statements that it runs. */
async function statements(on: Db = database.db): Promise<string[]> {
  const ran: string[] = [];
  const query: Db['query'] = (query) => {
    ran.push(query.strings.join(''));
    return on.query(query);
  };
  await analyzeGrown({ ...on, query });
  return ran.filter((text) => text.startsWith('analyze'));
}

test('a table that has grown is analysed, once, and again when it has doubled', async () => {
  expect(await statements()).toEqual([]);
  await grow(10_000);
  expect(await statements()).toEqual(['analyze (skip_locked) "Rents"']);
  expect(await known()).toBe(10_000);
  await grow(5_000);
  expect(await statements()).toEqual([]);
  await grow(10_000);
  expect(await statements()).toHaveLength(1);
  expect(await known()).toBe(25_000);
});

test('without permission, a free lock or a database, callers continue without it', async () => {
  await grow(50_000);
  expect(await statements({ ...database.db, inTransaction: true })).toEqual([]);
  await analyzeGrown({ ...database.db, query: () => Promise.reject(new Error('Connection terminated')) });
  await database.db.transaction(async (tx) => {
    await tx.query(raw('lock table "Rents" in share update exclusive mode'));
    expect(await statements()).toHaveLength(1);
    expect(await known()).toBe(25_000);
    await tx.query(raw('create role not_the_owner'));
    await tx.query(raw('set local role not_the_owner'));
    expect(await statements({ ...tx, inTransaction: false })).toEqual([]);
    await tx.query(raw('reset role'));
    await tx.query(raw('drop role not_the_owner'));
  });
  expect(await known()).toBe(25_000);
});

test('a transaction that fills a table has it analysed on the way, and continues if that fails', async () => {
  const before = await known();
  await database.db.transaction(async (tx) => {
    await tx.query(raw('insert into "Rents" select generate_series(1, 300000)'));
    const failing: Db = {
      ...tx,
      query: (query) =>
        tx.query(query.strings.join('').startsWith('analyze') ? raw('analyze nothing') : query),
    };
    await analyzeGrownMeanwhile(failing);
    expect(await known(tx)).toBe(before);
    await analyzeGrownMeanwhile(tx);
    expect(await known(tx)).toBeGreaterThan(300_000);
    await tx.query(raw('insert into "Rents" values (0)'));
  });
});
