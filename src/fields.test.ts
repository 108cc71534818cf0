import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { calendarDate, country, currency, moment } from './fields.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

test('the countries that are taken are those that the dashboard offers', () => {
  const source = readFileSync('dashboard/src/features/properties/countries.ts', 'utf8');
  const offered = /'([A-Z ]{500,})'/.exec(source)?.[1]?.split(' ');
  expect(offered).toHaveLength(249);
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  expect(codes.filter((code) => country.safeParse(code).success)).toEqual(offered);
});

test.each([
  ['de', 'DE'],
  [' DE ', 'DE'],
  ['ß', null],
  ['uk', null],
  ['', null],
  ['Germany', null],
])('a country written %j becomes %j', (written, code) => {
  expect(country.safeParse(written).data ?? null).toBe(code);
});

test.each([
  [' eur ', 'EUR'],
  // In upper case it is USS, which was once a currency.
  ['uß', null],
  ['US', null],
  ['', null],
])('a currency written %j becomes %j', (written, code) => {
  expect(currency.safeParse(written).data ?? null).toBe(code);
});

const complaints = (schema: typeof calendarDate | typeof moment, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message);

test.each([
  ['', 'Must be a date written YYYY-MM-DD.'],
  ['15.11.2026', 'Must be a date written YYYY-MM-DD.'],
  [20261115, 'Must be a date written YYYY-MM-DD.'],
  ['2026-02-30', 'There is no such day.'],
  ['1899-12-31', 'Must be between 1900-01-01 and 2999-12-31.'],
])('a date %j gets one message, and it is true', (value, message) => {
  expect(complaints(calendarDate, value)).toEqual([message]);
});

test('so it is of a moment', () => {
  expect(complaints(moment, 'noon')).toEqual(['Must be a timestamp such as 2026-11-15T09:30:00.000Z.']);
  expect(complaints(moment, '0001-01-01T00:00:00Z')).toEqual(['Must be between the years 1900 and 2999.']);
});
