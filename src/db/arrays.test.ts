import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { floatArray, integerArray, textArray, uuidArray } from './arrays.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const read = async (array: Buffer, type: string): Promise<unknown> => {
  const { rows } = await database.db.pool.query(`select to_json($1::${type}[]) as read`, [array]);
  return rows[0].read;
};

const uuids = ['00000000-0000-0000-0000-000000000000', '0123abcd-ef45-7890-8bcd-ffffffffffff'];
const texts = [
  '',
  'plain',
  'NULL',
  '{"a":[1,"b"]}',
  'c:\\ "x", {y}',
  'für 20 €',
  '🏠'.repeat(100),
  'line\nline',
];

test.each([
  ['uuid', uuidArray, [...uuids, null, uuids[0]]],
  ['integer', integerArray, [0, 1, null, -1, 2 ** 31 - 1, -(2 ** 31)]],
  ['float8', floatArray, [0, 1763270000123, null, 0.5, -1e300]],
  ['text', textArray, [...texts, null, 'last']],
] as [string, (elements: never) => Buffer, unknown[]][])(
  'an array of %s arrives as it was given, with nulls or without, of one or of none',
  async (type, write, elements) => {
    const given = (some: unknown[]) => write(some as never);
    expect(await read(given(elements), type)).toEqual(elements);
    const values = elements.filter((each) => each !== null);
    expect(await read(given(values), type)).toEqual(values);
    expect(await read(given(values.slice(0, 1)), type)).toEqual(values.slice(0, 1));
    expect(await read(given([null, null]), type)).toEqual([null, null]);
    expect(await read(given([]), type)).toEqual([]);
  },
);

test('half of a pair of UTF-16 units becomes the character for what is not one', async () => {
  expect(await read(textArray(['a\ud83c', 'b']), 'text')).toEqual(['a\ufffd', 'b']);
});
