import { expect, test } from 'vitest';
import { all, join, literal, raw, type Sql, sql, toStatement } from './sql.ts';

const search = (filters: Sql[], limit: number) =>
  toStatement(sql`select id from payments where ${all(filters)} order by id limit ${limit}`);

test('values become parameters, numbered through all fragments', () => {
  const paid = sql`status = ${'paid'}`;
  const from = sql`paid_on >= ${'2026-01-01'} and amount > ${5}`;
  expect(search([paid, from], 10)).toMatchObject({
    text: 'select id from payments where status = $1 and paid_on >= $2 and amount > $3 order by id limit $4',
    values: ['paid', '2026-01-01', 5, 10],
  });
});

test('queries that differ only in values are one statement; those that differ in pieces are not', () => {
  const status = (value: string) => sql`status = ${value}`;
  const tenant = (value: string) => sql`tenant_id = ${value}`;
  const one = search([status('paid'), tenant('a')], 10);
  expect(search([status('voided'), tenant('b')], 25)).toEqual({
    ...one,
    values: ['voided', 'b', 25],
  });
  const others = [
    search([tenant('a'), status('paid')], 10),
    search([status('paid'), status('paid')], 10),
    search([status('paid')], 10),
    search([], 10),
  ];
  expect(new Set([one, ...others].map(({ text }) => text)).size).toBe(5);
});

test('the place of a fragment counts, and whether there is a value in its place', () => {
  const pair = (a: unknown, b: unknown) => toStatement(sql`select ${a}, ${b}`);
  expect(pair(raw('now()'), 1)).toMatchObject({ text: 'select now(), $1', values: [1] });
  expect(pair(1, raw('now()'))).toMatchObject({ text: 'select $1, now()', values: [1] });
  expect(pair(literal(7), literal(8)).text).toBe('select 7, 8');
  expect(pair(literal(8), literal(7)).text).toBe('select 8, 7');
  expect(pair(1, 2)).toMatchObject({ text: 'select $1, $2', values: [1, 2] });
});

test('equal texts are one statement, however they were made', () => {
  const joined = toStatement(join([raw('select 1'), raw('select 2')], ' union all '));
  expect(joined.text).toBe('select 1 union all select 2');
  expect(toStatement(sql`select 1 union all select 2`)).toEqual(joined);
});

test('a time is written in full and in UTC', () => {
  const at = new Date('2026-03-29T01:30:00.123+02:00');
  expect(toStatement(sql`select ${at}, ${null}, ${[at]}`).values).toEqual([
    '2026-03-28T23:30:00.123Z',
    null,
    [at],
  ]);
});
