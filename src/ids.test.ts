import { afterEach, expect, test, vi } from 'vitest';
import { days, hours } from './clock.ts';
import { continueAfter, idTime, lowestIdAt, newId } from './ids.ts';

afterEach(() => vi.useRealTimers());

test('ids stay in order when the clock is set back by an hour', () => {
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const before = newId();
  vi.setSystemTime(start - hours(1));
  const after = Array.from({ length: 1000 }, newId);
  expect([before, ...after].toSorted()).toEqual([before, ...after]);
  expect(idTime(after[0] ?? '').getTime()).toBeGreaterThanOrEqual(idTime(before).getTime());
});

test('they have the right time again once the clock has caught up', () => {
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  newId();
  vi.setSystemTime(start - hours(1));
  newId();
  vi.setSystemTime(start + 5_000);
  expect(idTime(newId()).getTime()).toBe(start + 5_000);
});

test('and at once after a clock that was wrong by more than a day', () => {
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start + days(400) });
  newId();
  vi.setSystemTime(start);
  expect(idTime(newId()).getTime()).toBe(start);
});

test('they come after one that was made before the clock was set back and we were started again', () => {
  const start = Date.now();
  const ahead = lowestIdAt(new Date(start + hours(1)));
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  continueAfter(ahead);
  expect(newId() > ahead).toBe(true);
  vi.setSystemTime(start + hours(2));
  expect(idTime(newId()).getTime()).toBe(start + hours(2));
  // This does not move the clock of this thread's ids.
  vi.setSystemTime(start + days(400));
  newId();
  vi.setSystemTime(start);
  expect(idTime(newId()).getTime()).toBe(start);
});
