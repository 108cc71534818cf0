import { expect, test } from 'vitest';
import {
  inRows,
  isLookedAtAgain,
  paidByThis,
  unnamedDeposits,
  whatIsOwed,
  whenItCounts,
  withDepositsApart,
} from '../dashboard/src/features/payments/paid-by-this.ts';

/* What the dashboard says about a payment before it is recorded. */

test('a payment counts from its day, and never if the ledger of the lease begins later', () => {
  const counts = (paidOn: string) => whenItCounts(paidOn, '2026-11-19', '2026-10-01');
  expect(counts('2026-11-19')).toBe('now');
  expect(counts('2026-10-01')).toBe('now');
  expect(counts('2026-12-25')).toBe('later');
  expect(counts('2026-09-30')).toBe('never');
  expect(whenItCounts('2026-09-30', '2026-11-19', undefined)).toBe('now');
});

const rent = (number: number) => ({
  id: `chg_${number}`,
  kind: 'rent' as const,
  due_on: `2026-1${number - 1}-01`,
  open_cents: 1_000,
  late_fee_for: null,
});
const fee = (id: string, due_on: string, late_fee_for = 'chg_1') => ({
  id,
  kind: 'late_fee' as const,
  due_on,
  open_cents: 50,
  late_fee_for,
});
const today = '2026-12-31';

test('a payment pays the chosen charge, then the others in order, and what is left stays in credit', () => {
  const owed = [rent(1), rent(2), rent(3)];
  const shares = (amount: number, chosen: string | null) =>
    paidByThis(owed, amount, chosen, today).shares.map(({ paid_cents }) => paid_cents);
  expect(shares(1_500, null)).toEqual([1_000, 500, 0]);
  expect(shares(1_500, 'chg_3')).toEqual([500, 0, 1_000]);
  expect(paidByThis(owed, 3_200, null, today)).toMatchObject({ left_cents: 0, credit_cents: 200 });
});

test('what is owed begins with what was owed when the ledger began, and without what is not due yet', () => {
  const charges = [
    { ...rent(1), status: 'open' as const },
    { ...rent(2), status: 'upcoming' as const },
  ];
  const owed = (owed_cents: number) => whatIsOwed({ owed_cents }, charges);
  expect(owed(1_000).map(({ id }) => id)).toEqual(['chg_1']);
  expect(owed(1_300)).toMatchObject([{ kind: 'opening', due_on: null, open_cents: 300 }, { id: 'chg_1' }]);
});

test('late fees that fell after the day of a payment are not shown as paid by it, unless it names them', () => {
  const owed = [rent(1), fee('fee_1', '2026-10-06'), fee('fee_2', '2026-10-07')];
  const paid = (paidOn: string, chosen: string | null = null) => {
    const { shares, again, left_cents, credit_cents } = paidByThis(owed, 1_100, chosen, paidOn);
    const ids = shares.filter(({ paid_cents }) => paid_cents > 0).map(({ open }) => open.id);
    return { ids, again: again.map(({ id }) => id), left_cents, credit_cents };
  };
  expect(paid('2026-10-07')).toMatchObject({ ids: ['chg_1', 'fee_1', 'fee_2'], again: [] });
  expect(paid('2026-10-06')).toMatchObject({ ids: ['chg_1', 'fee_1'], again: ['fee_2'] });
  const inTime = { ids: ['chg_1'], again: ['fee_1', 'fee_2'], left_cents: 0, credit_cents: 100 };
  expect(paid('2026-10-03')).toEqual(inTime);
  expect(paid('2026-10-03', 'fee_1')).toMatchObject({ ids: ['chg_1', 'fee_1'], again: ['fee_2'] });
  // A fee that somebody charged by hand stays, whenever the rent was paid.
  expect(isLookedAtAgain({ ...fee('fee_3', '2026-10-06'), late_fee_for: null }, '2026-10-03')).toBe(false);
});

test('the fees for a rent have one row, except the chosen one', () => {
  const owed = [
    rent(1),
    fee('fee_1', '2026-10-06'),
    fee('fee_2', '2026-10-07', 'chg_2'),
    fee('fee_3', '2026-10-08'),
  ];
  const shares = owed.map((open) => ({ open, paid_cents: 0 }));
  const rows = (chosen: string | null) =>
    inRows(shares, chosen).map((row) => row.map(({ open }) => open.id).join());
  expect(rows(null)).toEqual(['chg_1', 'fee_1,fee_3', 'fee_2']);
  expect(rows('fee_1')).toEqual(['chg_1', 'fee_1', 'fee_2', 'fee_3']);
});

test('what a payment pays of a deposit that it does not name is a payment of its own', () => {
  const deposit = { ...rent(1), id: 'chg_deposit', kind: 'deposit' as const, open_cents: 1_500 };
  const owed = [rent(1), deposit];
  const parts = (amount_cents: number, chosen: string | null = null) => {
    const { shares } = paidByThis(owed, amount_cents, chosen, today);
    const payment = { amount_cents, ...(chosen ? { charge_id: chosen } : {}) };
    return withDepositsApart(payment, unnamedDeposits(shares, chosen));
  };
  const apart = (amount_cents: number) => ({ amount_cents, charge_id: 'chg_deposit' });
  expect(parts(1_000)).toEqual([{ amount_cents: 1_000 }]);
  expect(parts(2_500)).toEqual([{ amount_cents: 1_000 }, apart(1_500)]);
  expect(parts(1_200)).toEqual([{ amount_cents: 1_000 }, apart(200)]);
  // What is too much stays with the part that names nothing.
  expect(parts(2_600)).toEqual([{ amount_cents: 1_100 }, apart(1_500)]);
  expect(parts(2_500, 'chg_1')).toEqual([{ amount_cents: 1_000, charge_id: 'chg_1' }, apart(1_500)]);
  expect(parts(2_500, 'chg_deposit')).toEqual([{ amount_cents: 2_500, charge_id: 'chg_deposit' }]);
  const { shares } = paidByThis([deposit], 800, null, today);
  expect(withDepositsApart({ amount_cents: 800 }, unnamedDeposits(shares, null))).toEqual([apart(800)]);
});
