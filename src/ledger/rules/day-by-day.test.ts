import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs, seed } from '../../../test/abuse/fuzz/settings.ts';
import { allocate, daysOfChange, inOrder, type Owed, type Paid } from './allocation.ts';
import { dayByDay } from './day-by-day.ts';
import { depositHeld, leastHeld } from './deposit-held.ts';
import { spansOf } from './spans.ts';

/** There are few days, months and amounts, so that much falls on the same day. */
const day = fc.integer({ min: 10, max: 22 }).map((at) => `2026-05-${at}`);
const period = fc.constantFrom(null, '2026-05', '2026-06', '2026-07');
const amount_cents = fc.integer({ min: 1, max: 6 });
const owed = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 10, max: 60 }).map(String),
    kind: fc.constantFrom('rent', 'rent', 'fee', 'deposit', 'opening'),
    due_on: day,
    amount_cents,
    period,
  }),
  { maxLength: 14, selector: ({ id }) => id },
);
const paid = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 10, max: 60 }).map(String),
    date: day,
    reversed_on: fc.option(day),
    amount_cents: amount_cents.map((cents) => cents * 2),
    charge_id: fc.option(fc.integer({ min: 10, max: 60 }).map(String)),
    period,
  }),
  { maxLength: 14, selector: ({ id }) => id },
);
/** One rent a month, as the database demands. */
const oneRentEach = (all: Owed[]): Owed[] =>
  all.map((each, at) => {
    const isFirst = all.findIndex(({ kind, period }) => kind === 'rent' && period === each.period) === at;
    return each.kind === 'rent' && !isFirst ? { ...each, period: null } : each;
  });
/** Most money that names a charge names one that exists. */
const namesOne = (all: Paid[], owed: Owed[]): Paid[] =>
  all.map((each) => {
    const named = each.charge_id === null ? undefined : owed[Number(each.charge_id) % (owed.length + 1)];
    return { ...each, charge_id: named?.id ?? each.charge_id };
  });

test(`going on from day to day gives what each day by itself gives (FUZZ_SEED=${seed})`, () => {
  fc.assert(
    fc.property(owed, paid, fc.array(day), fc.integer({ max: 4 }), (someOwed, somePaid, skipped, added) => {
      const charges = oneRentEach(someOwed);
      const entries = { owed: charges, paid: namesOne(somePaid, charges) };
      const ordered = inOrder(entries);
      // Charges that are added only when their day comes, as late fees are.
      const fees = charges.filter(({ kind, id }) => kind === 'fee' && Number(id) % 5 < added);
      const lease = dayByDay({ ...entries, owed: charges.filter((each) => !fees.includes(each)) });
      const spans = spansOf('lease', entries);
      let known = new Map<Owed, number>();
      for (let at = 9; at <= 23; at++) {
        const today = `2026-05-${String(at).padStart(2, '0')}`;
        fees.filter(({ due_on }) => due_on === today).forEach(lease.add);
        if (skipped.includes(today)) continue;
        const changed = new Set(lease.goTo(today));
        const { open, left } = allocate(ordered, today);
        const credit = [...left.values()].reduce((sum, cents) => sum + cents, 0);
        const expected = charges.map((each) => open.get(each) ?? 0);
        const untold = charges.filter(
          (each, at) => (known.get(each) ?? 0) !== expected[at] && !changed.has(each),
        );
        const inSpans = new Map(
          spans
            .filter(({ from_day, to_day }) => from_day <= today && (to_day === null || today < to_day))
            .map(({ item_id, amount_cents }) => [item_id, amount_cents]),
        );
        const found = {
          open: charges.map(lease.openOf),
          credit: lease.credit(),
          spans: [...charges, { id: 'lease' }].map(({ id }) => inSpans.get(id) ?? 0),
          untold,
        };
        const wanted = { open: expected, credit, spans: [...expected, credit], untold: [] };
        // Comparing texts is much faster than expect().
        if (JSON.stringify(found) !== JSON.stringify(wanted)) expect(found, today).toEqual(wanted);
        known = open;
      }
      // A span ends because another amount is open from then on.
      const ends = new Set(daysOfChange(entries));
      expect(spans.filter(({ from_day, to_day }) => !ends.has(from_day) || to_day === from_day)).toEqual([]);
    }),
    { numRuns: runs(1_000), seed },
  );
});

test(`the least that is held of deposits from a day on (FUZZ_SEED=${seed})`, () => {
  const moves = fc.array(fc.record({ date: day, amount_cents }), { maxLength: 4 });
  fc.assert(
    fc.property(owed, paid, moves, day, (charges, somePaid, taken, from) => {
      const entries = { owed: oneRentEach(charges), paid: namesOne(somePaid, charges) };
      const days = Array.from({ length: 23 }, (_, at) => `2026-05-${at + 10}`).filter((each) => each >= from);
      const held = days.map((each) => depositHeld(inOrder(entries), taken, each));
      expect(leastHeld(entries, taken, from)).toBe(Math.min(...held));
    }),
    { numRuns: runs(500), seed },
  );
});

test('the work grows with what changes, not with the square of the charges', () => {
  const weekly = (at: number) => new Date(Date.UTC(1900, 0, 1 + at * 7)).toISOString().slice(0, 10);
  const owed = Array.from({ length: 6_600 }, (_, at) => ({
    id: String(at).padStart(5, '0'),
    kind: 'parking',
    due_on: weekly(at),
    amount_cents: 1_000,
    period: null,
  }));
  let told = 0;
  const lease = dayByDay({ owed, paid: [] });
  for (const { due_on } of owed) told += [...lease.goTo(due_on)].length;
  expect(told).toBeLessThan(3 * owed.length);
  expect(spansOf('lease', { owed, paid: [] })).toHaveLength(owed.length);
});
