import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateOf, startOfDay, todayIn } from './clock.ts';

const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Asia/Kolkata'];
const zone = fc.constantFrom(...zones);
const modern = {
  min: new Date('1990-01-01T00:00:00Z'),
  max: new Date('2090-01-01T00:00:00Z'),
  noInvalidDate: true,
};

test("today is the day in the account's time zone, from the first zone to the last", () => {
  const now = new Date('2026-11-17T10:30:00Z');
  expect(todayIn('UTC', now)).toBe('2026-11-17');
  expect(todayIn('Pacific/Kiritimati', now)).toBe('2026-11-18');
  expect(todayIn('Pacific/Niue', now)).toBe('2026-11-16');
  expect(todayIn('Asia/Kolkata', new Date('2026-11-17T18:29:59.999Z'))).toBe('2026-11-17');
  expect(todayIn('Asia/Kolkata', new Date('2026-11-17T18:30:00Z'))).toBe('2026-11-18');
});

test.each([
  ['UTC', '2026-11-17', '2026-11-17T00:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-17', '2026-11-16T10:00:00.000Z'],
  ['Pacific/Niue', '2026-11-17', '2026-11-17T11:00:00.000Z'],
  ['Asia/Kolkata', '2026-11-17', '2026-11-16T18:30:00.000Z'],
  ['Asia/Kathmandu', '2026-11-17', '2026-11-16T18:15:00.000Z'],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
  // The day begins at 1:00.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
  // Midnight comes twice.
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  // A minute after midnight, the clocks went back to the day before.
  ['America/St_Johns', '2010-11-07', '2010-11-07T02:30:00.000Z'],
  // Samoa skipped a day and began the next one.
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
])('in %s, %s begins at %s', (timeZone, day, at) => {
  expect(startOfDay(day, timeZone).toISOString()).toBe(at);
});

test('a day begins at the first moment that does not belong to an earlier day', () => {
  fc.assert(
    fc.property(zone, fc.date(modern), (timeZone, time) => {
      const day = dateOf(time);
      const start = startOfDay(day, timeZone).getTime();
      expect(todayIn(timeZone, new Date(start)) >= day).toBe(true);
      expect(todayIn(timeZone, new Date(start - 1)) < day).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('now is never before the start of today, and before the start of every later day', () => {
  fc.assert(
    fc.property(zone, fc.date(modern), (timeZone, now) => {
      const today = todayIn(timeZone, now);
      const tomorrow = dateOf(new Date(Date.parse(today) + 86_400_000));
      expect(startOfDay(today, timeZone).getTime()).toBeLessThanOrEqual(now.getTime());
      expect(startOfDay(tomorrow, timeZone).getTime()).toBeGreaterThan(now.getTime());
    }),
    { numRuns: 300 },
  );
});
