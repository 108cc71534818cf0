import { expect, test } from 'vitest';
import { Pace, shortest } from './pace.ts';

/** A line that gets so many done in a second, asked for more than that all the time. What it lets in, and how long each waited. */
function flooded({ perSecond, seconds, setting }: { perSecond: number; seconds: number; setting: number }) {
  const pace = new Pace(0);
  const line: number[] = [];
  const waits: { at: number; ms: number }[] = [];
  let capacity = 0;
  for (let now = 0; now < seconds * 1_000; now += 10) {
    while (line.length < Math.min(setting, pace.most)) {
      line.push(now);
      pace.entered(line.length);
    }
    for (capacity += perSecond / 100; capacity >= 1 && line.length > 0; capacity--) {
      const ms = now - (line.shift() as number);
      pace.done(ms);
      waits.push({ at: now, ms });
    }
    if (now % 500 === 0) pace.look(now, line.length);
  }
  return { pace, waits, underWay: line.length };
}

test.each([600, 1_500])(
  'a line of thousands is cut to about what gets done in a second, at any speed, and stays so: %i a second',
  (perSecond) => {
    const { waits, underWay } = flooded({ perSecond, seconds: 60, setting: 2_000 });
    const later = waits.filter(({ at }) => at > 30_000).map(({ ms }) => ms);
    expect(Math.max(...later)).toBeLessThan(2_000);
    expect(later.length).toBeGreaterThan(0.95 * perSecond * 29);
    expect(underWay).toBeLessThan(2 * perSecond);
  },
);

test('a line that is quick enough has no limit of its own', () => {
  const { pace, waits } = flooded({ perSecond: 4_000, seconds: 10, setting: 2_000 });
  expect(pace.most).toBe(Number.POSITIVE_INFINITY);
  expect(waits.length).toBeGreaterThan(38_000);
});

test('never fewer than on a busy day, however slow it is', () => {
  const { pace } = flooded({ perSecond: 2, seconds: 120, setting: 1_000 });
  expect(pace.most).toBe(shortest);
});

test('one slow piece of work beside quick ones is no line', () => {
  const pace = new Pace(0);
  pace.entered(2);
  pace.done(10_000);
  pace.done(3);
  pace.look(500, 0);
  expect(pace.most).toBe(Number.POSITIVE_INFINITY);
});

test('nor is one alone', () => {
  const pace = new Pace(0);
  pace.entered(1);
  pace.done(10_000);
  pace.look(500, 0);
  pace.entered(1);
  pace.look(1_000, 1);
  pace.done(10_000);
  pace.look(1_500, 1);
  expect(pace.most).toBe(Number.POSITIVE_INFINITY);
});

test('the limit is over when there is no line any more; while nothing gets done it stays', () => {
  const { pace } = flooded({ perSecond: 600, seconds: 20, setting: 2_000 });
  pace.look(20_000, 100);
  const { most } = pace;
  expect(most).toBeLessThan(800);
  pace.look(30_000, 100);
  expect(pace.most).toBe(most);
  pace.look(30_500, 0);
  expect(pace.most).toBe(Number.POSITIVE_INFINITY);
});
