import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { textArray } from './arrays.ts';
import type { Db } from './connect.ts';
import { Gatherer } from './gather.ts';
import { sql } from './sql.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase('empty');
  await database.db.query(sql`create table words (account text, word text check (word <> 'bad'))`);
});
afterAll(() => database.drop());

/** Keeps words, and on the side which of them went together. */
function keeper() {
  const statements: string[][] = [];
  const words = new Gatherer(async (db: Db, account: string, items: string[]) => {
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

test('one goes alone, and what comes at once goes together; each has its own result', async () => {
  const { words, statements } = keeper();
  expect(await words.add(database.db, 'a', 'lone')).toBe('LONE');
  const many = numbers(250, 'w');
  const results = await Promise.all(many.map((word) => words.add(database.db, 'a', word)));
  expect(results).toEqual(many.map((word) => word.toUpperCase()));
  expect(statements.map(({ length }) => length)).toEqual([1, 100, 100, 50]);
  expect(await kept('a')).toEqual(['lone', ...many]);
});

test('what comes while two statements are under way waits for the first that ends', async () => {
  const { words, statements } = keeper();
  const locked = await database.db.connect();
  await locked.query('begin; lock table words in share mode');
  const first = words.add(database.db, 'b', 'first');
  await new Promise(setImmediate);
  const second = words.add(database.db, 'b', 'second');
  await new Promise(setImmediate);
  const others = numbers(5, 'other').map((word) => words.add(database.db, 'b', word));
  await new Promise((resolve) => setTimeout(resolve, 50));
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

test('accounts do not go together', async () => {
  const { words, statements } = keeper();
  await Promise.all(['d', 'e', 'd', 'e'].map((account) => words.add(database.db, account, 'word')));
  expect(statements).toEqual([
    ['word', 'word'],
    ['word', 'word'],
  ]);
  expect(await kept('d')).toEqual(['word', 'word']);
});

test('in a transaction one is written there, and undone with it', async () => {
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

test('a lost connection fails those that were sent with it; the next go on', async () => {
  const { words } = keeper();
  const locked = await database.db.connect();
  await locked.query('begin; lock table words in share mode');
  const lost = Promise.allSettled(numbers(3, 'lost').map((word) => words.add(database.db, 'g', word)));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await locked.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  await locked.query('commit');
  locked.release();
  expect(await words.add(database.db, 'g', 'next')).toBe('NEXT');
  expect(await kept('g')).toEqual(['next']);
});

test('who has waited long when the database turns out to be away is told so, and not sent there as well', async () => {
  const sent: string[][] = [];
  const away = Promise.withResolvers<string[]>();
  const words = new Gatherer((_db: Db, _account: string, items: string[]) => {
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
  away.reject(new Error('Connection terminated'));
  expect((await answered).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  expect(sent).toEqual([['first'], ['second'], ['just came']]);
});
