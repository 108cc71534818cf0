import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { countLockWaits, type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { until } from '../../../test/support/process.ts';
import { invalidField } from '../../errors.ts';
import { textArray } from '../arrays.ts';
import type { Db } from '../connect.ts';
import { sql } from '../sql.ts';
import { BatchWriter } from './batch-writes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('empty');
  await database.db.query(sql`create table words (account text, word text check (word <> 'bad'))`);
});
afterAll(() => database.drop());

/** Until so many items were sent, and each of their statements waits for a lock. */
const untilWaiting = (statements: string[][], items: number) =>
  until(
    async () =>
      statements.flat().length === items && (await countLockWaits(database.db)) === statements.length,
  );

/** Keeps words, and records separately which of them went together. */
function keeper() {
  const statements: string[][] = [];
  const words = new BatchWriter(async (db: Db, account: string, items: string[]) => {
    statements.push(items);
    const rows = await db.query<{ word: string }>(sql`
      with kept as (insert into words select ${account}::text, word from unnest(${textArray(items)}::text[]) word returning word)
      select upper(word) as word from kept`);
    return rows.map(({ word }) => word);
  });
  return { words, statements };
}

const kept = async (account: string): Promise<string[]> => {
  const rows = await database.db.query<{ word: string }>(
    sql`select word from words where account = ${account} order by word`,
  );
  return rows.map(({ word }) => word);
};

const numbers = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(3, '0')}`);

test('a lone item is written alone, and simultaneous ones together; each has its own result', async () => {
  const { words, statements } = keeper();
  expect(await words.add(database.db, 'a', 'lone')).toBe('LONE');
  const many = numbers(250, 'w');
  const results = await Promise.all(many.map((word) => words.add(database.db, 'a', word)));
  expect(results).toEqual(many.map((word) => word.toUpperCase()));
  expect(statements.map(({ length }) => length)).toEqual([1, 100, 100, 50]);
  expect(await kept('a')).toEqual(['lone', ...many]);
});

test('items that come while two statements are under way wait for the first to end', async () => {
  const { words, statements } = keeper();
  const locked = await database.db.connect();
  await locked.query('begin; lock table words in share mode');
  const first = words.add(database.db, 'b', 'first');
  await new Promise(setImmediate);
  const second = words.add(database.db, 'b', 'second');
  await new Promise(setImmediate);
  const others = numbers(5, 'other').map((word) => words.add(database.db, 'b', word));
  await untilWaiting(statements, 2);
  expect(statements).toEqual([['first'], ['second']]);
  await locked.query('commit');
  locked.release();
  await Promise.all([first, second, ...others]);
  expect(statements.map(({ length }) => length)).toEqual([1, 1, 5]);
});

test('a wrong one fails alone', async () => {
  const { words } = keeper();
  const many = numbers(40, 'w').map((word, n) => (n % 15 === 7 ? 'bad' : word));
  const results = await Promise.allSettled(many.map((word) => words.add(database.db, 'c', word)));
  expect(results.map(({ status }) => status)).toEqual(
    many.map((word) => (word === 'bad' ? 'rejected' : 'fulfilled')),
  );
  expect(await kept('c')).toEqual(many.filter((word) => word !== 'bad'));
});

test('an error about one item is for that item, and nothing is tried again', async () => {
  const sent: string[][] = [];
  const words = new BatchWriter(async (_db: Db, _account: string, items: string[]) => {
    sent.push(items);
    return items.map((word) => (word === 'bad' ? invalidField('word', 'It is bad.') : word));
  });
  const many = ['one', 'bad', 'two'];
  const results = await Promise.allSettled(many.map((word) => words.add(database.db, 'c', word)));
  expect(results).toMatchObject([{ value: 'one' }, { reason: { status: 400 } }, { value: 'two' }]);
  expect(sent).toEqual([many]);
});

test('if there are more items than fit into one statement, the rest do not wait for it', async () => {
  const sent: number[] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const words = new BatchWriter(async (_db: Db, _account: string, items: string[]) => {
    sent.push(items.length);
    await gates[sent.length - 1]?.promise;
    return items;
  });
  const results = numbers(150, 'w').map((word) => words.add(database.db, 'c', word));
  await vi.waitFor(() => expect(sent).toEqual([100, 50]), { timeout: 10_000 });
  for (const { resolve } of gates) resolve();
  expect(await Promise.all(results)).toHaveLength(150);
});

test('accounts are not written together', async () => {
  const { words, statements } = keeper();
  await Promise.all(['d', 'e', 'd', 'e'].map((account) => words.add(database.db, account, 'word')));
  expect(statements).toEqual([
    ['word', 'word'],
    ['word', 'word'],
  ]);
  expect(await kept('d')).toEqual(['word', 'word']);
});

test('in a transaction an item is written there, and rolled back with it', async () => {
  const { words, statements } = keeper();
  const undone = database.db.transaction(async (tx) => {
    expect(await words.add(tx, 'f', 'undone')).toBe('UNDONE');
    throw new Error('undo');
  });
  const [, outside] = await Promise.allSettled([undone, words.add(database.db, 'f', 'outside')]);
  expect(outside).toMatchObject({ status: 'fulfilled' });
  expect(statements).toHaveLength(2);
  expect(await kept('f')).toEqual(['outside']);
});

test('in a transaction an item is sent before the next statement there', async () => {
  const { words } = keeper();
  const adding: Promise<string>[] = [];
  const undone = database.db.transaction(async (tx) => {
    adding.push(words.add(tx, 'f2', 'undone'));
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  await Promise.allSettled(adding);
  expect(await kept('f2')).toEqual([]);
});

test('a lost connection fails the items sent over it; the next ones succeed', async () => {
  const { words, statements } = keeper();
  const locked = await database.db.connect();
  await locked.query('begin; lock table words in share mode');
  const lost = Promise.allSettled(numbers(3, 'lost').map((word) => words.add(database.db, 'g', word)));
  await untilWaiting(statements, 3);
  await locked.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await locked.query('commit');
  locked.release();
  expect(await words.add(database.db, 'g', 'next')).toBe('NEXT');
  expect(await kept('g')).toEqual(['next']);
});

test.each([
  ['is away', new Error('Connection terminated')],
  ['is slow', null],
])(
  'a caller who has waited long when the database %s gets an error, and is not sent there as well',
  async (_what, error) => {
    const sent: string[][] = [];
    const away = Promise.withResolvers<string[]>();
    const words = new BatchWriter((_db: Db, _account: string, items: string[]) => {
      sent.push(items);
      return away.promise;
    });
    const results: Promise<string>[] = [];
    for (const word of ['first', 'second', 'waits long']) {
      results.push(words.add(database.db, 'h', word));
      await new Promise(setImmediate);
    }
    const later = performance.now() + 6_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
    onTestFinished(() => clock.mockRestore());
    results.push(words.add(database.db, 'h', 'just came'));
    const answered = Promise.allSettled(results);
    if (error) away.reject(error);
    else away.resolve(['written']);
    const [first, second, waitedLong, justCame] = await answered;
    const sentOnes = error
      ? { status: 'rejected', reason: error }
      : { status: 'fulfilled', value: 'written' };
    expect([first, second, justCame]).toEqual([sentOnes, sentOnes, sentOnes]);
    expect(waitedLong).toMatchObject({ status: 'rejected', reason: { status: 503 } });
    expect(sent).toEqual([['first'], ['second'], ['just came']]);
  },
);
