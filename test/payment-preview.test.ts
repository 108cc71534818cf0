import { expect, test } from 'vitest';
import { paidByThis, whenItCounts } from '../dashboard/src/features/payments/paid-by-this.ts';

/* What the dashboard says about a payment before it is recorded. */

test('a payment counts from its day, and never if the ledger of the lease begins later', () => {
  const counts = (paidOn: string) => whenItCounts(paidOn, '2026-11-19', '2026-10-01');
  expect(counts('2026-11-19')).toBe('now');
  expect(counts('2026-10-01')).toBe('now');
  expect(counts('2026-12-25')).toBe('later');
  expect(counts('2026-09-30')).toBe('never');
  expect(whenItCounts('2026-09-30', '2026-11-19', undefined)).toBe('now');
});

test('a payment pays the chosen charge, then the others in order, and what is left stays in credit', () => {
  const owed = [1, 2, 3].map((number) => ({
    id: `chg_${number}`,
    name: 'Rent',
    due_on: `2026-1${number - 1}-01`,
    open_cents: 1_000,
  }));
  const shares = (amount: number, chosen: string | null) =>
    paidByThis(owed, amount, chosen).shares.map(({ paid_cents }) => paid_cents);
  expect(shares(1_500, null)).toEqual([1_000, 500, 0]);
  expect(shares(1_500, 'chg_3')).toEqual([500, 0, 1_000]);
  expect(paidByThis(owed, 3_200, null)).toMatchObject({ left_cents: 0, credit_cents: 200 });
});
