import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateOf, days } from '../clock.ts';
import { monthNumber, splitRange } from './date-range.ts';

const anyDay = fc
  .integer({ min: 0, max: 4_000 })
  .map((n) => dateOf(new Date(Date.UTC(2019, 0, 1) + days(n))));

test('a range is its whole months and the days left over, and each day is in it once', () => {
  fc.assert(
    fc.property(anyDay, anyDay, anyDay, (one, other, day) => {
      const [from = '', to = ''] = [one, other].sort();
      const { firstMonth, lastMonth, days: left } = splitRange(from, to);
      const inMonths = monthNumber(day) >= (firstMonth ?? 0) && monthNumber(day) <= (lastMonth ?? 0);
      const found = Number(inMonths) + left.filter((each) => each === day).length;
      expect(found).toBe(day >= from && day <= to ? 1 : 0);
      expect(left.length).toBeLessThan(62);
    }),
  );
});

test('an open end has no last month, or no first', () => {
  expect(splitRange('2026-02-27', undefined)).toEqual({
    firstMonth: monthNumber('2026-03-01'),
    lastMonth: null,
    days: ['2026-02-27', '2026-02-28'],
  });
  expect(splitRange(undefined, '2026-02-28')).toEqual({
    firstMonth: null,
    lastMonth: monthNumber('2026-02-28'),
    days: [],
  });
});
