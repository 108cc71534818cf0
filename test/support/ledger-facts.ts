import fc from 'fast-check';
import { type Charge, type Credit, type Lease, type Payment, type Policy, plus } from './ledger-model.ts';

/* Random facts for the tests of the ledger. There are few different days and amounts, so that they often coincide. */

/** Days are counted from this one. A leap year lies ahead. */
export const dayOne = '2027-11-20';
export const dayAt = (from: number, to: number): fc.Arbitrary<string> =>
  fc.integer({ min: from, max: to }).map((days) => plus(dayOne, days));

export const someCents: fc.Arbitrary<number> = fc.oneof(
  fc.constantFrom(100_000, 50_000, 25_000),
  fc.constantFrom(100_000, 999_999_999_999),
  fc.integer({ min: 1, max: 400 }),
  fc.integer({ min: 10_000, max: 150_000 }),
);
/** Null this many times for each time that it is not. */
export const maybe = <Value>(value: fc.Arbitrary<Value>, nulls = 3): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: nulls, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

const fee = fc.oneof(
  fc.record({ fixed_cents: fc.integer({ min: 1, max: 9_000 }) }),
  fc.record({ percent_of_rent: fc.constantFrom(0.01, 1.5, 5, 12.25) }),
  fc.record({ percent_of_open: fc.constantFrom(0.01, 1.5, 5, 12.25) }),
);
export const policy: fc.Arbitrary<Policy> = fc.record({
  grace_days: fc.constantFrom(0, 1, 3, 5),
  first: fee,
  daily: maybe(fee, 1),
  cap_cents: maybe(fc.integer({ min: 1, max: 20_000 }), 1),
  min_open_cents: fc.constantFrom(0, 0, 1, 30_000),
});

interface Terms {
  start_date: string;
  end_date: string | null;
  ended_on: string | null;
  rent_cents: number;
  rent_changes: Lease['rent_changes'];
  proration: Lease['proration'];
  due_day: number;
  deposit_cents: number | null;
  ledger_from: string;
  opening_balance_cents: number;
}

/** The terms of a lease that begins around the first day. */
export const terms: fc.Arbitrary<Terms> = fc
  .record({
    start_date: dayAt(-90, 40),
    days: maybe(fc.integer({ min: 0, max: 150 }), 1),
    ended: maybe(fc.integer({ min: 0, max: 150 })),
    rent_cents: someCents,
    changes: fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 150 }), someCents), {
      maxLength: 2,
      selector: ([days]) => days,
    }),
    proration: fc.constantFrom('actual_days' as const, 'thirty_days' as const, 'none' as const),
    due_day: fc.oneof(fc.constantFrom(1, 28), fc.integer({ min: 1, max: 28 })),
    deposit_cents: maybe(someCents, 1),
    ledger_from: fc.oneof(fc.constant(0), fc.integer({ min: -30, max: 60 })),
    opening_balance_cents: fc.oneof(
      { weight: 3, arbitrary: fc.constant(0) },
      someCents,
      someCents.map((cents) => -cents),
    ),
  })
  .map(({ start_date, days, ended, changes, ledger_from, ...rest }) => ({
    ...rest,
    start_date,
    end_date: days === null ? null : plus(start_date, days),
    ended_on: ended === null ? null : plus(start_date, ended),
    rent_changes: changes
      .map(([after, rent_cents]) => ({ from: plus(start_date, after), rent_cents }))
      .sort((a, b) => (a.from < b.from ? -1 : 1)),
    ledger_from: plus(start_date, ledger_from),
  }));

/** Facts about one lease as they might be recorded. Some name a charge or a month by its index. */
export const facts = fc.record({
  charges: fc.array(
    fc.record({
      kind: fc.constantFrom('utility', 'fee', 'deposit', 'late_fee', 'rent'),
      amount_cents: someCents,
      due_on: dayAt(-60, 110),
    }),
    { maxLength: 4 },
  ),
  payments: fc.array(
    fc.record({
      amount_cents: someCents,
      currency: fc.constantFrom('USD', 'USD', 'USD', 'USD', 'EUR'),
      paid_on: dayAt(-60, 110),
      status: fc.constantFrom<Payment['status'][]>(
        'paid',
        'paid',
        'paid',
        'returned',
        'refunded',
        'pending',
        'voided',
      ),
      reversedAfter: fc.integer({ min: 0, max: 40 }),
      ofCharge: maybe(fc.nat(9)),
      ofMonth: maybe(fc.nat(4), 2),
    }),
    { maxLength: 8 },
  ),
  credits: fc.array(
    fc.record({
      amount_cents: someCents,
      credited_on: dayAt(-60, 110),
      reason: fc.constantFrom('concession', 'write_off', 'deposit'),
      ofCharge: maybe(fc.nat(9), 1),
    }),
    { maxLength: 3 },
  ),
});

type Facts = typeof facts extends fc.Arbitrary<infer Value> ? Value : never;

/** The facts as records, in a random order of ids. */
export function recordsOf(
  { charges, payments, credits }: Facts,
  scheduled: Charge[],
  idOf: (at: number) => string,
) {
  let at = 0;
  const made: Charge[] = charges.map((charge) => ({ ...charge, id: `chg_${idOf(at++)}`, period: null }));
  const known = [...scheduled.map((charge) => ({ ...charge, id: `chg_${idOf(at++)}` })), ...made];
  const chargeAt = (index: number | null): string | null =>
    index === null ? null : (known[index % Math.max(1, known.length)]?.id ?? null);
  const months = ['2027-10', '2027-11', '2027-12', '2028-01', '2028-02'];
  return {
    charges: known,
    payments: payments.map(
      ({ reversedAfter, ofCharge, ofMonth, ...payment }): Payment => ({
        ...payment,
        id: `pay_${idOf(at++)}`,
        reversed_on: ['returned', 'refunded'].includes(payment.status)
          ? plus(payment.paid_on, reversedAfter)
          : null,
        charge_id: chargeAt(ofCharge),
        period: ofMonth === null ? null : (months[ofMonth] ?? null),
      }),
    ),
    credits: credits.map(
      ({ ofCharge, ...credit }): Credit => ({
        ...credit,
        id: `crd_${idOf(at++)}`,
        charge_id: chargeAt(ofCharge),
      }),
    ),
  };
}
