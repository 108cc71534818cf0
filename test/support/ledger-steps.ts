import fc from 'fast-check';
import { isLong } from '../abuse/fuzz/settings.ts';
import { maybe, policy, someCents, terms } from './ledger-facts.ts';

/*
 * What happens in an account of the tests of the ledger, step by step. Steps name leases, charges and payments by their
 * index among those that exist when it is their turn, and days by their distance from that day.
 */

const index = fc.nat(7);
const near = fc.oneof(fc.integer({ min: -12, max: 6 }), fc.integer({ min: -70, max: 40 }));
const lateFees = fc.oneof(
  { weight: 2, arbitrary: policy },
  fc.constant('inherit' as const),
  fc.constant('none' as const),
);
const oneChange = <Value>(key: string, value: fc.Arbitrary<Value>) =>
  value.map((each) => ({ [key]: each }) as Record<string, unknown>);

/** Changes of a lease. Numbers of days become dates. */
const leaseChange = fc.oneof(
  oneChange('end_date', maybe(near, 2)),
  oneChange('ended_on', maybe(near, 1)),
  oneChange('notice_given_on', maybe(near, 1)),
  oneChange('start_date', near),
  oneChange('ledger_from', near),
  oneChange(
    'rent_changes',
    fc.uniqueArray(fc.tuple(near, someCents), { maxLength: 2, selector: ([day]) => day }),
  ),
  oneChange('rent_cents', someCents),
  oneChange('due_day', fc.integer({ min: 1, max: 28 })),
  oneChange('proration', fc.constantFrom('actual_days', 'thirty_days', 'none')),
  oneChange('opening_balance_cents', fc.integer({ min: -60_000, max: 60_000 })),
  oneChange('deposit_cents', maybe(someCents, 1)),
  oneChange('late_fees', lateFees),
);

const payment = fc.record({
  tenant: fc.nat(1),
  amount_cents: someCents,
  day: near,
  status: fc.constantFrom('paid', 'paid', 'paid', 'paid', 'pending'),
  isForeign: fc.integer({ max: 9, min: 0 }).map((one) => one === 0),
  ofMonth: maybe(fc.integer({ min: -1, max: 1 }), 2),
  ofCharge: maybe(index, 4),
  ofLease: maybe(index, 3),
});

const step = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      days: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 33 })),
    }),
  },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('pay' as const), payment }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      payment: index,
      to: fc.nat(2),
      after: fc.integer({ min: 0, max: 30 }),
      fee: maybe(fc.integer({ min: 1, max: 3_000 }), 1),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('change' as const), lease: index, change: leaseChange }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('renew' as const),
      lease: index,
      end: fc.integer({ min: 0, max: 200 }),
      from: near,
      rent_cents: someCents,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('charge' as const),
      lease: index,
      kind: fc.constantFrom('utility', 'fee', 'deposit', 'rent', 'late_fee'),
      amount_cents: someCents,
      day: near,
      hasPeriod: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('correct' as const),
      payment: index,
      amount_cents: someCents,
      day: near,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('void charge' as const), charge: fc.nat(30) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('credit' as const),
      lease: index,
      reason: fc.constantFrom('concession', 'write_off', 'adjustment', 'deposit', 'deposit'),
      amount_cents: someCents,
      day: near,
      ofCharge: maybe(index, 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('void credit' as const), credit: index }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('refund' as const),
      lease: index,
      amount_cents: fc.oneof(fc.integer({ min: 1, max: 300 }), someCents),
      day: fc.oneof(fc.nat(5), near),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('repeat' as const),
      lease: index,
      kind: fc.constantFrom('parking', 'utility', 'other'),
      amount_cents: someCents,
      every: fc.constantFrom('week', 'two_weeks', 'month', 'month', 'quarter', 'year'),
      day: near,
      days: maybe(fc.integer({ min: 0, max: 90 }), 1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change repeat' as const),
      recurring: index,
      from: fc.integer({ min: -40, max: 40 }),
      amount_cents: maybe(someCents, 1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('policy' as const),
      level: fc.constantFrom('account' as const, 'property' as const),
      value: lateFees,
    }),
  },
);
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const zones = [
  'UTC',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
];

/** A lease for the first or second unit, and who lives there: the first tenant, the second, or both. */
const newLease = fc.record({ terms, unit: fc.nat(1), tenants: fc.constantFrom([0], [1], [0, 1]), lateFees });

export const history = fc.record({
  timeZone: fc.constantFrom(...zones),
  /** The minute after noon in UTC on the first day. */
  minute: fc.integer({ min: 0, max: 1439 }),
  postDays: fc.constantFrom(0, 5, 5, 20),
  account: lateFees,
  leases: fc.array(newLease, { minLength: 1, maxLength: 2 }),
  hasPaidDeposits: fc.boolean(),
  steps: fc.array(step, { maxLength: isLong ? 14 : 6, size: 'max' }),
  /** Which of the days of interest to look at. */
  looks: fc.array(fc.nat(1_000), { minLength: 1, maxLength: isLong ? 3 : 1 }),
});
export type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;
