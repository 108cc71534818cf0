import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Owed, Paid } from '../src/ledger/rules/allocation.ts';
import { type LateFee, lateFees, mayFall } from '../src/ledger/rules/late-fees.ts';
import { scheduledCharges } from '../src/ledger/rules/schedule.ts';
import { spansOf } from '../src/ledger/rules/spans.ts';
import { runs, seed } from './abuse/fuzz/settings.ts';
import { dayAt, facts, policy, recordsOf, terms } from './support/ledger-facts.ts';
import * as model from './support/ledger-model.ts';

/*
 * Compares the rules of the ledger alone with the calculator of the tests. They are cheap to ask, so they are asked far
 * more often than the API, which ledger-model.test.ts compares with the same calculator.
 */

const lease = terms.map(
  (each): model.Lease => ({ ...each, id: 'lease_1', unit_id: 'unit_1', currency: 'USD' }),
);
const orders = fc.shuffledSubarray(
  Array.from({ length: 40 }, (_, at) => at),
  { minLength: 40 },
);

test(`charges of a lease (FUZZ_SEED=${seed})`, () => {
  fc.assert(
    fc.property(lease, dayAt(-60, 200), (of, through) => {
      const { charges, next } = scheduledCharges({ ...of, until: model.untilOf(of) }, through);
      const brief = (some: Omit<model.Charge, 'id'>[]) =>
        some
          .map(({ kind, period, due_on, amount_cents }) => `${due_on} ${kind} ${period} ${amount_cents}`)
          .sort();
      expect(brief(charges)).toEqual(brief(model.scheduledCharges(of, through)));
      const after = model
        .scheduledCharges(of, model.plus(through, 400))
        .map(({ due_on }) => due_on)
        .sort()
        .find((day) => day > through);
      expect(next).toBe(after ?? null);
    }),
    { numRuns: runs(4_000), seed },
  );
});

test(`open amounts and late fees on every day (FUZZ_SEED=${seed})`, () => {
  fc.assert(
    fc.property(lease, facts, policy, orders, dayAt(40, 130), (of, given, fining, order, today) => {
      const idOf = (at: number) =>
        String(order[at % order.length]).padStart(2, '0') + String(at).padStart(2, '0');
      const records = recordsOf(given, model.scheduledCharges(of, today), idOf);
      const ledger: model.Ledger = { lease: of, refunds: [], ...records };
      const isWaived = (day: string) => day.endsWith('7');
      const feeId = (rent: string, day: string) => `chg_${day.slice(8)}${rent.slice(4)}${day.slice(2, 7)}`;
      const fees = model.lateFees(
        ledger,
        [[{ on: '2027-10-15', value: fining }]],
        today,
        (_, day) => isWaived(day),
        (rent, day) => feeId(rent.id, day),
      );

      const bare = (id: string) => id.slice(4);
      const counts = (day: string) => day >= of.ledger_from;
      const owed: Owed[] = records.charges
        .filter(({ due_on }) => counts(due_on))
        .map((charge) => ({ ...charge, id: bare(charge.id) }));
      const paid: Paid[] = [
        ...records.payments
          .filter(({ status, currency }) => /paid|returned|refunded/.test(status) && currency === 'USD')
          .map((payment) => ({ ...payment, date: payment.paid_on })),
        ...records.credits.map((credit) => ({
          ...credit,
          date: credit.credited_on,
          reversed_on: null,
          period: null,
        })),
      ]
        .filter(({ date }) => counts(date))
        .map((each) => ({
          ...each,
          id: bare(each.id),
          charge_id: each.charge_id === null ? null : bare(each.charge_id),
        }));
      if (of.opening_balance_cents !== 0) {
        const opening = { id: '', amount_cents: Math.abs(of.opening_balance_cents), period: null };
        const [due_on, charge_id, reversed_on] = [of.ledger_from, null, null];
        if (of.opening_balance_cents > 0) owed.push({ ...opening, kind: 'opening', due_on });
        else paid.push({ ...opening, date: due_on, charge_id, reversed_on });
      }
      const fined = lateFees({
        entries: { owed, paid },
        policyFor: (dueOn) => (dueOn > '2027-10-15' ? fining : null),
        through: today,
        isWaived: (_, day) => isWaived(day),
        idOf: ({ late_fee_for, due_on }) => bare(feeId(`chg_${late_fee_for}`, due_on)),
      });
      // The clock looks at a lease only on days on which a late fee may be charged.
      const dueOf = new Map(owed.map(({ id, due_on }) => [id, due_on]));
      const expectedBy = ({ late_fee_for, due_on }: LateFee) =>
        mayFall(fining, dueOf.get(late_fee_for) ?? '', { from: due_on, to: due_on });
      expect(fined.filter((fee) => !expectedBy(fee))).toEqual([]);
      const brief = (due_on: string, rent: string, cents: number) => `${due_on} ${rent} ${cents}`;
      expect(fined.map((one) => brief(one.due_on, one.late_fee_for, one.amount_cents)).sort()).toEqual(
        fees.map((one) => brief(one.due_on, bare(one.late_fee_for ?? ''), one.amount_cents)).sort(),
      );

      const all = { ...ledger, charges: [...ledger.charges, ...fees] };
      const spans = spansOf('lease_1', {
        owed: [...owed, ...fees.map((each) => ({ ...each, id: bare(each.id) }))],
        paid,
      });
      for (let day = '2027-09-10'; day <= '2028-04-10'; day = model.plus(day, 1)) {
        const { open, unapplied } = model.allocate(all, day);
        const expected = [...open]
          .filter(([, cents]) => cents > 0)
          .map(([id, cents]) => (id === of.id ? `opening ${cents}` : `charge ${bare(id)} ${cents}`));
        const credit = [...unapplied.values()].reduce((sum, one) => sum + one, 0);
        if (credit > 0) expected.push(`credit ${credit}`);
        const found = spans
          .filter(({ from_day, to_day }) => from_day <= day && (to_day === null || day < to_day))
          .map(({ kind, item_id, amount_cents }) =>
            kind === 'charge' ? `charge ${item_id} ${amount_cents}` : `${kind} ${amount_cents}`,
          );
        if (found.sort().join() !== expected.sort().join())
          expect({ day, found }).toEqual({ day, found: expected });
      }
    }),
    { numRuns: runs(400), seed },
  );
});

test('money that goes to a fee, which it names, may leave a rent open that is fined from then on', () => {
  const rent = (id: string, due_on: string): Owed => ({
    id,
    kind: 'rent',
    due_on,
    amount_cents: 100,
    period: null,
  });
  const paid = {
    id: 'p',
    date: '2028-05-01',
    reversed_on: null,
    amount_cents: 100,
    charge_id: 'fee',
    period: null,
  };
  const fixed = { fixed_cents: 10 };
  const fees = lateFees({
    entries: { owed: [rent('early', '2028-05-01'), rent('late', '2028-05-19')], paid: [paid] },
    policyFor: () => ({ grace_days: 0, first: fixed, daily: fixed, cap_cents: null, min_open_cents: 0 }),
    through: '2028-05-21',
    isWaived: () => false,
    idOf: ({ late_fee_for, due_on }) => (due_on === '2028-05-20' ? 'fee' : `${late_fee_for} ${due_on}`),
  });
  expect(fees.map(({ late_fee_for, due_on }) => `${late_fee_for} ${due_on}`).sort()).toEqual([
    'early 2028-05-21',
    'late 2028-05-20',
    'late 2028-05-21',
  ]);
});

test('of rents that are never paid, the first 5,000 daily fees are charged', () => {
  const owed = Array.from({ length: 20 }, (_, at): Owed => {
    const period = model.plus('2020-01-01', at * 31).slice(0, 7);
    return { id: `${at}`, kind: 'rent', due_on: `${period}-01`, amount_cents: 100, period };
  });
  const fixed = { fixed_cents: 1 };
  const finedThrough = (through: string) =>
    lateFees({
      entries: { owed, paid: [] },
      policyFor: () => ({ grace_days: 0, first: fixed, daily: fixed, cap_cents: null, min_open_cents: 0 }),
      through,
      isWaived: () => false,
      idOf: ({ late_fee_for, due_on }) => `${late_fee_for} ${due_on}`,
    });
  const fees = finedThrough('2024-01-01');
  expect(fees).toHaveLength(5_000);
  expect(finedThrough('2026-01-01')).toEqual(fees);
});
