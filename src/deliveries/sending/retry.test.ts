import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { MAX_RETRY_AFTER_MS, nextAttemptAt, parseRetryAfter } from './retry.ts';

const delaysMs = [30_000, 240_000, 1_920_000, 15_360_000];
const now = new Date('2026-01-31T09:30:00.000Z');
const waitMs = (attempt: number, random: number, retryAfterMs?: number | null) => {
  const at = nextAttemptAt({ attempt, delaysMs, now, random: () => random, retryAfterMs });
  return at === null ? null : at.getTime() - now.getTime();
};

describe('the next attempt', () => {
  it('waits 30 s, 4 min, 32 min, 4 h 16 min, and then there is none', () => {
    expect([1, 2, 3, 4, 5, 6].map((attempt) => waitMs(attempt, 0))).toEqual([...delaysMs, null, null]);
  });

  it('adds up to a fifth', () => {
    expect(waitMs(1, 0.5)).toBe(33_000);
    expect(waitMs(1, 0.999_999)).toBe(36_000);
  });

  it('waits as long as the receiver asks, up to an hour, and never less than the backoff', () => {
    expect(waitMs(1, 0, 120_000)).toBe(120_000);
    expect(waitMs(1, 0, 10_000)).toBe(30_000);
    expect(waitMs(1, 0, 86_400_000)).toBe(MAX_RETRY_AFTER_MS);
    expect(waitMs(4, 0, 86_400_000)).toBe(15_360_000);
    expect(waitMs(1, 0, null)).toBe(30_000);
    expect(waitMs(5, 0, 120_000)).toBe(null);
  });

  it('is never early and never more than a fifth late, whatever the schedule', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const delays = fc.array(fc.integer({ min: 0, max: 100_000_000 }), { minLength: 1, maxLength: 8 });
    const asked = fc.option(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
    fc.assert(
      fc.property(delays, fc.nat({ max: 9 }), random, asked, (list, index, value, retryAfterMs) => {
        const at = nextAttemptAt({
          attempt: index + 1,
          delaysMs: list,
          now,
          random: () => value,
          retryAfterMs,
        });
        const delay = list[index];
        if (delay === undefined) {
          expect(at).toBe(null);
          return;
        }
        const floor = Math.max(delay, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
        const wait = (at?.getTime() ?? 0) - now.getTime();
        expect(wait).toBeGreaterThanOrEqual(floor);
        expect(wait).toBeLessThanOrEqual(Math.ceil(Math.max(delay * 1.2, floor)));
      }),
    );
  });
});

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['99999999999999999999999999', Number.MAX_SAFE_INTEGER],
    ['Sat, 31 Jan 2026 09:31:30 GMT', 90_000],
    ['Saturday, 31-Jan-26 09:31:30 GMT', 90_000],
    ['Sat Jan 31 09:31:30 2026', 90_000],
    ['Sun Feb  1 09:30:00 2026', 86_400_000],
    ['Sat, 31 Jan 2026 09:29:00 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ])('%j is %d ms', (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });

  test.each([
    ...['', ' ', '-5', '+5', '1.5', '1e3', '0x10', 'soon', '5 minutes', '2026-01-31T09:31:30Z'],
    ...[
      'Sat, 31 Jan 2026 09:31:30 CET',
      'Sat, 31 Jan 2026',
      'Sat, 99 Xxx 2026 09:31:30 GMT',
      '١٢',
      '1,2',
      'NaN',
    ],
  ])('%j is rubbish', (header) => {
    expect(parseRetryAfter(header, now)).toBe(null);
  });

  it('gives null or a wait that is not negative, for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.date({ noInvalidDate: true }).map((d) => d.toUTCString()),
        ),
        (text) => {
          const wait = parseRetryAfter(text, now);
          expect(wait === null || (wait >= 0 && Number.isFinite(wait))).toBe(true);
        },
      ),
    );
  });
});
