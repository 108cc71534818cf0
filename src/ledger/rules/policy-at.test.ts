import fc from 'fast-check';
import { expect, test } from 'vitest';
import { policyFor } from '../../../test/support/ledger-model.ts';
import type { LateFees } from './late-fee-policy.ts';
import { policyAt, type Version } from './policy-at.ts';

const policy = (grace_days: number) => ({
  grace_days,
  first: { fixed_cents: 5_000 },
  daily: null,
  cap_cents: null,
  min_open_cents: 0,
});
const set = (set_on: string, value: LateFees): Version => ({ set_on, policy: value });

test('without any setting nothing is fined', () => {
  expect(policyAt([[], [], []], '2026-11-01')).toBeNull();
});

test('a policy holds for rent that falls due after the day on which it was set', () => {
  const account = [set('-infinity', 'none'), set('2026-10-31', policy(3))];
  expect(policyAt([[], [], account], '2026-10-30')).toBeNull();
  expect(policyAt([[], [], account], '2026-10-31')).toBeNull();
  expect(policyAt([[], [], account], '2026-11-01')).toEqual(policy(3));
});

test('rent of before a change keeps the policy that it had', () => {
  const account = [set('2026-01-01', policy(3)), set('2026-06-15', policy(9)), set('2026-08-01', 'none')];
  expect(
    ['2026-06-15', '2026-06-16', '2026-08-01', '2026-08-02'].map((day) => policyAt([account], day)),
  ).toEqual([policy(3), policy(9), policy(9), null]);
});

test('of several policies on one day, the last one applies', () => {
  const account = [set('2026-06-15', policy(3)), set('2026-06-15', policy(9))];
  expect(policyAt([account], '2026-06-16')).toEqual(policy(9));
});

test('what was set last applies, even if its day is earlier after a move to the west', () => {
  const account = [set('2026-06-16', policy(3)), set('2026-06-15', 'none')];
  expect(policyAt([account], '2026-06-17')).toBeNull();
});

test('the lease beats the property, which beats the account', () => {
  const account = [set('-infinity', policy(1))];
  const property = [set('-infinity', policy(2))];
  const inherits = [set('-infinity', 'inherit')];
  expect(policyAt([inherits, property, account], '2026-06-01')).toEqual(policy(2));
  expect(policyAt([inherits, inherits, account], '2026-06-01')).toEqual(policy(1));
  expect(policyAt([[set('-infinity', 'none')], property, account], '2026-06-01')).toBeNull();
});

test('a lease that is made with a policy of its own is not fined by others for what was due before', () => {
  const account = [set('-infinity', policy(1))];
  expect(policyAt([[set('2026-06-01', policy(4))], [], account], '2026-05-01')).toBeNull();
});

test('the slow way finds the same', () => {
  const day = fc.integer({ min: 1, max: 28 }).map((n) => `2026-06-${String(n).padStart(2, '0')}`);
  const value = fc.oneof(
    fc.constantFrom('inherit', 'none'),
    fc.nat(60).map(policy),
  ) as fc.Arbitrary<LateFees>;
  const settings = fc
    .array(fc.tuple(day, value), { maxLength: 5 })
    .map((all) => all.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([on, each]) => set(on, each)));
  fc.assert(
    fc.property(fc.array(settings, { minLength: 3, maxLength: 3 }), day, (history, dueOn) => {
      const levels = history.map((each) => each.map(({ set_on, policy: value }) => ({ on: set_on, value })));
      expect(policyAt(history, dueOn)).toEqual(policyFor(levels, dueOn));
    }),
  );
});
