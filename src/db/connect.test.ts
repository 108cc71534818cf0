import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addressOf } from '../../test/faults/support/proxy.ts';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { connect, type Database, type Db, retryDeadlock } from './connect.ts';
import { isLocked, isUnavailable } from './database-errors.ts';
import { sql } from './sql.ts';

const timeoutMs = 800;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase('empty');
  // There is one connection, so that each test finds what the one before left behind.
  db = connect({ connection: database.connection, poolSize: 1, timeoutMs, onError: () => undefined });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

// A database that has stopped answering does not enforce its own time limit either.
beforeEach(() => connected(() => db.query(sql`set statement_timeout = 0`)));

/** On a busy machine, a new connection may take longer than the time limit of these tests. */
async function connected<Result>(ask: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Error && error.message === 'timeout exceeded when trying to connect'))
        throw error;
    }
  }
}

const take = (ms: number, on: Db = db) => on.query(sql`select pg_sleep(${ms / 1000}::float8)`);
const backend = async (on: Db = db) =>
  (await connected(() => on.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)))[0]?.pid;

test('Postgres gives up first: a failed statement is not done later, and the connection is kept', async () => {
  const patient = { poolSize: 1, timeoutMs: 3_000, onError: () => undefined };
  const own = connect({ connection: database.connection, ...patient });
  const before = await backend(own);
  await db.query(sql`create table late (n integer)`);
  await db.query(sql`insert into late values (1)`);
  const error = await own
    .query(sql`update late set n = 2 where pg_sleep(10) is not null`)
    .catch((reason) => reason);
  expect([error.code, isUnavailable(error)]).toEqual(['57014', true]);
  expect(await db.query(sql`select n from late`)).toEqual([{ n: 1 }]);
  expect(await backend(own)).toBe(before);
  await own.close();
});

test('a database that is closing still answers earlier callers, and what they ask next', async () => {
  const own = connect({
    connection: database.connection,
    poolSize: 1,
    timeoutMs: 30_000,
    onError: () => undefined,
  });
  const asks = async (n: number) => {
    for (let again = 0; again < 3; again++) await own.query(sql`select ${n}::integer`, `account ${n}`);
    return n;
  };
  const asking = Promise.all([1, 2, 3].map(asks));
  await own.close();
  expect(await asking).toEqual([1, 2, 3]);
  await expect(own.query(sql`select 1`)).rejects.toThrow(/after calling end/);
});

test("waiting for a locked row ends well before the statement's limit", async () => {
  const own = connect({ connection: database.connection, poolSize: 1, timeoutMs, onError: () => undefined });
  const before = await backend(own);
  await db.query(sql`create table locked (n integer)`);
  await db.query(sql`insert into locked values (1)`);
  await db.transaction(async (tx) => {
    await tx.query(sql`select from locked for update`);
    const error = await own.query(sql`update locked set n = 2`).catch((reason) => reason);
    expect([error.code, isUnavailable(error), isLocked(error)]).toEqual(['55P03', true, true]);
  });
  expect(await backend(own)).toBe(before);
  await own.close();
});

test('an idle transaction is ended, and releases its locks', async () => {
  const quick = { poolSize: 1, timeoutMs: 2_000, onError: () => undefined };
  const silent = connect({ connection: database.connection, ...quick });
  await db.query(sql`create table held (n integer)`);
  await db.query(sql`insert into held values (1)`);
  let took = () => {};
  const taken = new Promise<void>((resolve) => {
    took = resolve;
  });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const work = silent.transaction(async (tx) => {
    await tx.query(sql`update held set n = 2`);
    took();
    await released;
    await tx.query(sql`update held set n = 3`);
  });
  const outcome = work.then(
    () => null,
    (error) => error,
  );
  await Promise.race([taken, work]);
  await vi.waitUntil(() => db.query(sql`update held set n = 4`).catch(() => null), { timeout: 60_000 });
  release();
  expect(isUnavailable(await outcome)).toBe(true);
  expect(await db.query(sql`select n from held`)).toEqual([{ n: 4 }]);
  expect(await silent.query(sql`select n from held`)).toEqual([{ n: 4 }]);
  await silent.close();
});

test('of two transactions that wait for each other, one is ended and repeated', async () => {
  const own = connect({ connection: database.connection, poolSize: 2, onError: () => undefined });
  await db.query(sql`create table pairs (id integer, n integer)`);
  await db.query(sql`insert into pairs values (1, 0), (2, 0)`);
  let begun = 0;
  const add = (first: number, second: number) =>
    retryDeadlock(() =>
      own.transaction(async (tx) => {
        await tx.query(sql`update pairs set n = n + 1 where id = ${first}`);
        begun++;
        await vi.waitUntil(() => begun >= 2, { timeout: 10_000 });
        await tx.query(sql`update pairs set n = n + 1 where id = ${second}`);
      }),
    );
  await Promise.all([add(1, 2), add(2, 1)]);
  // The machine may be so busy that the two meet once more.
  expect(begun).toBeGreaterThan(2);
  expect(await db.query(sql`select n from pairs`)).toEqual([{ n: 2 }, { n: 2 }]);
  await own.close();
});

test('a caller waiting for a new connection takes one that is returned in the meantime', async () => {
  // The first connection is let through. The next one is accepted but gets no answer, as on a machine that is too busy.
  const sockets: Socket[] = [];
  const door = createServer((near) => {
    if (sockets.push(near) > 1) return;
    const far = dial(addressOf(database.connection));
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  const { port } = door.address() as AddressInfo;
  const connection = { ...database.connection, host: '127.0.0.1', port };
  const own = connect({ connection, poolSize: 2, timeoutMs: 30_000, onError: () => undefined });
  const first = await backend(own);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = own.transaction(() => released);
  const waiting = Promise.all([backend(own), backend(own)]);
  await vi.waitUntil(() => sockets.length > 1, { timeout: 60_000 });
  release();
  expect(await waiting).toEqual([first, first]);
  await holding;
  for (const socket of sockets) socket.destroy();
  await own.close();
  door.close();
});

test('a statement that is not answered in time fails, and its connection is thrown away', async () => {
  const before = await backend();
  const startedAt = performance.now();
  const error = await take(60_000).catch((reason) => reason);
  expect(error.message).toBe('Query read timeout');
  expect(isUnavailable(error)).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(await backend()).not.toBe(before);
});

test('the same in a transaction, and nothing of it stays', async () => {
  await db.query(sql`create table kept (n integer)`);
  const work = db.transaction(async (tx) => {
    await tx.query(sql`insert into kept values (1)`);
    await take(60_000, tx);
  });
  await expect(work).rejects.toThrow('Query read timeout');
  expect(await db.query(sql`select n from kept`)).toEqual([]);
});

test('all statements waiting on that connection fail with the late one', async () => {
  const startedAt = performance.now();
  const results = await db
    .transaction((tx) => Promise.allSettled([take(60_000, tx), backend(tx)]))
    .catch(() => []);
  expect(results.map(({ status }) => status)).not.toContain('fulfilled');
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(await backend()).toBeGreaterThan(0);
});

test('each statement of a transaction has the whole time', async () => {
  const limitMs = 3_000;
  const own = connect({
    connection: database.connection,
    poolSize: 1,
    timeoutMs: limitMs,
    onError: () => undefined,
  });
  await own.transaction(async (tx) => {
    for (let i = 0; i < 4; i++) await take(limitMs / 3, tx);
  });
  await own.close();
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
