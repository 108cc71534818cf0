import { describe, expect, test } from 'vitest';
import {
  allocate,
  balanceOn,
  type Charge,
  type Credit,
  type Lease,
  type Ledger,
  lateFees,
  leaseOn,
  type Payment,
  type Policy,
  policyFor,
  recurringCharges,
  scheduledCharges,
} from './support/ledger-model.ts';

/* Compares the calculator that the API is compared with to amounts that were calculated by hand. */

const lease = (fields: Partial<Lease> = {}): Lease => ({
  id: 'lease_1',
  unit_id: 'unit_1',
  start_date: '2026-10-10',
  end_date: null,
  ended_on: null,
  rent_cents: 100_000,
  rent_changes: [],
  proration: 'actual_days',
  due_day: 1,
  deposit_cents: null,
  currency: 'USD',
  ledger_from: '2026-10-10',
  opening_balance_cents: 0,
  ...fields,
});

const payment = (paid_on: string, amount_cents: number, fields: Partial<Payment> = {}): Payment => ({
  id: `pay_${paid_on}`,
  amount_cents,
  currency: 'USD',
  paid_on,
  status: 'paid',
  reversed_on: null,
  period: null,
  charge_id: null,
  ...fields,
});

const credit = (credited_on: string, amount_cents: number, fields: Partial<Credit> = {}): Credit => ({
  id: `crd_${credited_on}`,
  amount_cents,
  credited_on,
  reason: 'adjustment',
  charge_id: null,
  ...fields,
});

const charge = (due_on: string, amount_cents: number, fields: Partial<Charge> = {}): Charge => ({
  id: `chg_${due_on}`,
  kind: 'fee',
  amount_cents,
  due_on,
  period: null,
  ...fields,
});

const ledger = (fields: Partial<Ledger> = {}): Ledger => ({
  lease: lease(),
  charges: [],
  payments: [],
  credits: [],
  refunds: [],
  ...fields,
});

const brief = (charges: Charge[]) =>
  charges.map(({ kind, due_on, amount_cents }) => `${kind} ${due_on} ${amount_cents}`);

describe('what is charged', () => {
  const scheduled = (fields: Partial<Lease>, through = '2026-12-31') =>
    brief(scheduledCharges(lease(fields), through));

  test('a lease from 10 October costs 22/31 of the rent on that day and whole months from then on', () => {
    expect(scheduled({}, '2026-11-17')).toEqual(['rent 2026-10-10 70968', 'rent 2026-11-01 100000']);
  });

  test('a month of thirty days has 22 of them left on the 10th, and without proration the rent is whole', () => {
    expect(scheduled({ proration: 'thirty_days' }, '2026-10-31')).toEqual(['rent 2026-10-10 73333']);
    expect(scheduled({ proration: 'none' }, '2026-10-31')).toEqual(['rent 2026-10-10 100000']);
  });

  test('the last month costs its days, and is due no later than its last day', () => {
    expect(scheduled({ due_day: 15, end_date: '2026-12-03' })).toEqual([
      'rent 2026-10-15 70968',
      'rent 2026-11-15 100000',
      'rent 2026-12-03 9677',
    ]);
    // The day on which it ended is the first free one, and overrides the agreed end.
    expect(scheduled({ ended_on: '2026-12-01', end_date: '2027-09-30' }).at(-1)).toBe(
      'rent 2026-11-01 100000',
    );
    expect(scheduled({ ended_on: '2026-10-10' })).toEqual([]);
  });

  test('both ends of a lease inside one month count', () => {
    expect(scheduled({ end_date: '2026-10-12', due_day: 20 })).toEqual(['rent 2026-10-12 9677']);
    expect(scheduled({ end_date: '2026-10-10' })).toEqual(['rent 2026-10-10 3226']);
  });

  test('a whole February is a whole month, of thirty days too', () => {
    const february = {
      start_date: '2027-02-01',
      ledger_from: '2027-02-01',
      proration: 'thirty_days',
    } as const;
    expect(scheduled(february, '2027-02-01')).toEqual(['rent 2027-02-01 100000']);
    expect(scheduled({ ...february, end_date: '2027-02-27' }, '2027-02-01')).toEqual([
      'rent 2027-02-01 90000',
    ]);
  });

  test('a rise within a month applies from the next', () => {
    const rent_changes = [{ from: '2026-11-02', rent_cents: 110_000 }];
    expect(scheduled({ rent_changes })).toEqual([
      'rent 2026-10-10 70968',
      'rent 2026-11-01 100000',
      'rent 2026-12-01 110000',
    ]);
    expect(scheduled({ rent_changes: [{ from: '2026-11-01', rent_cents: 110_000 }] })[1]).toBe(
      'rent 2026-11-01 110000',
    );
  });

  test('what is due before the ledger begins is not charged, including the deposit', () => {
    const deposit_cents = 50_000;
    expect(scheduled({ deposit_cents }, '2026-10-31')).toEqual([
      'deposit 2026-10-10 50000',
      'rent 2026-10-10 70968',
    ]);
    expect(scheduled({ deposit_cents, ledger_from: '2026-10-11' }, '2026-11-30')).toEqual([
      'rent 2026-11-01 100000',
    ]);
  });

  test('a recurring charge of the 31st falls on the last day of shorter months, and ends with the lease', () => {
    const parking = {
      id: 'rec_1',
      kind: 'parking',
      amount_cents: 5_000,
      every: 'month',
      starts_on: '2026-08-31',
      ends_on: null,
      amount_changes: [{ from: '2026-12-31', amount_cents: 6_000 }],
    } as const;
    const days = (fields: Partial<Lease>, through: string, other = {}) =>
      brief(
        recurringCharges(
          lease(fields),
          { ...parking, amount_changes: [...parking.amount_changes], ...other },
          through,
        ),
      );
    expect(days({ end_date: '2027-01-30' }, '2027-05-01')).toEqual([
      'parking 2026-10-31 5000',
      'parking 2026-11-30 5000',
      'parking 2026-12-31 6000',
    ]);
    expect(days({}, '2027-05-01', { every: 'quarter' })).toEqual([
      'parking 2026-11-30 5000',
      'parking 2027-02-28 6000',
    ]);
    expect(days({}, '2026-10-25', { every: 'two_weeks' })).toEqual(['parking 2026-10-12 5000']);
  });
});

describe('who paid what', () => {
  test('a lease from 10 October with one payment of 1,000.00 owes 709.68 on 17 November', () => {
    const books = ledger({
      charges: scheduledCharges(lease(), '2026-11-17'),
      payments: [payment('2026-10-10', 100_000)],
    });
    expect(balanceOn(books, '2026-10-31')).toMatchObject({ balance_cents: -29_032, credit_cents: 29_032 });
    expect(balanceOn(books, '2026-11-17')).toEqual({
      balance_cents: 70_968,
      owed_cents: 70_968,
      overdue_cents: 70_968,
      credit_cents: 0,
      deposit_held_cents: 0,
      oldest_due_on: '2026-11-01',
      days_late: 16,
      days_0_30_cents: 70_968,
      days_31_60_cents: 0,
      days_61_90_cents: 0,
      days_91_cents: 0,
    });
  });

  test('named charges come first, then named months, then the oldest, deposits last', () => {
    const books = ledger({
      charges: [
        charge('2026-10-10', 500, { id: 'chg_1', kind: 'deposit' }),
        charge('2026-10-11', 100, { id: 'chg_2' }),
        charge('2026-11-01', 300, { id: 'chg_3', kind: 'rent', period: '2026-11' }),
        charge('2026-11-02', 200, { id: 'chg_4' }),
      ],
      payments: [
        payment('2026-11-03', 250, { id: 'pay_1' }),
        payment('2026-11-04', 100, { id: 'pay_2', period: '2026-11' }),
      ],
      credits: [credit('2026-11-05', 220, { charge_id: 'chg_4' })],
    });
    expect(allocate(books, '2026-11-05').pays).toEqual([
      { by: 'crd_2026-11-05', charge: 'chg_4', cents: 200 },
      { by: 'pay_2', charge: 'chg_3', cents: 100 },
      { by: 'pay_1', charge: 'chg_2', cents: 100 },
      { by: 'pay_1', charge: 'chg_3', cents: 150 },
      { by: 'crd_2026-11-05', charge: 'chg_3', cents: 20 },
    ]);
    // A day earlier there was no credit.
    expect(allocate(books, '2026-11-04').open).toEqual(
      new Map([
        ['chg_2', 0],
        ['chg_3', 50],
        ['chg_4', 200],
        ['chg_1', 500],
      ]),
    );
  });

  test('rent paid on the 28th for the 1st is unapplied credit until the 1st', () => {
    const books = ledger({
      charges: [charge('2026-11-01', 1000, { kind: 'rent', period: '2026-11' })],
      payments: [payment('2026-10-28', 1000, { period: '2026-11' })],
    });
    expect(balanceOn(books, '2026-10-31')).toMatchObject({ balance_cents: -1000, credit_cents: 1000 });
    expect(balanceOn(books, '2026-11-01')).toMatchObject({ balance_cents: 0, credit_cents: 0 });
  });

  test('a returned payment counts up to the day before its return; pending, failed and foreign ones never', () => {
    const books = ledger({
      charges: [charge('2026-10-11', 1000)],
      payments: [
        payment('2026-10-12', 1000, { status: 'returned', reversed_on: '2026-10-20' }),
        payment('2026-10-12', 400, { status: 'pending' }),
        payment('2026-10-12', 400, { status: 'failed' }),
        payment('2026-10-12', 400, { status: 'voided' }),
        payment('2026-10-12', 400, { currency: 'EUR' }),
      ],
    });
    expect(balanceOn(books, '2026-10-19').balance_cents).toBe(0);
    expect(balanceOn(books, '2026-10-20').balance_cents).toBe(1000);
  });

  test('the ledger begins with what was owed, or with a credit', () => {
    const owing = ledger({
      lease: lease({ opening_balance_cents: 300 }),
      charges: [charge('2026-10-10', 100), charge('2026-10-09', 999)],
      payments: [payment('2026-10-10', 350), payment('2026-10-09', 999)],
    });
    expect(balanceOn(owing, '2026-10-09').balance_cents).toBe(0);
    expect(allocate(owing, '2026-10-10').pays.map(({ charge, cents }) => [charge, cents])).toEqual([
      ['lease_1', 300],
      ['chg_2026-10-10', 50],
    ]);
    const paid = ledger({
      lease: lease({ opening_balance_cents: -300 }),
      charges: [charge('2026-10-12', 100)],
    });
    expect(balanceOn(paid, '2026-10-10')).toMatchObject({ balance_cents: -300, credit_cents: 300 });
    expect(balanceOn(paid, '2026-10-12')).toMatchObject({ balance_cents: -200, oldest_due_on: null });
  });

  test('a deposit is held when it is paid, less what was kept of it and given back', () => {
    const books = ledger({
      charges: [charge('2026-10-10', 500, { kind: 'deposit' })],
      payments: [payment('2026-10-12', 450)],
      credits: [credit('2026-11-02', 100, { reason: 'deposit' })],
      refunds: [{ id: 'ref_1', amount_cents: 200, refunded_on: '2026-11-03' }],
    });
    const held = (day: string) => balanceOn(books, day).deposit_held_cents;
    expect(['2026-10-11', '2026-10-12', '2026-11-02', '2026-11-03'].map(held)).toEqual([0, 450, 400, 200]);
  });

  test('debts are distinguished by the age of their due date', () => {
    const days = '2026-11-17 2026-10-18 2026-10-17 2026-09-18 2026-09-17 2026-08-19 2026-08-18'.split(' ');
    const books = ledger({
      lease: lease({ start_date: '2026-01-01', ledger_from: '2026-01-01' }),
      charges: days.map((day, at) => charge(day, 10 ** at)),
    });
    expect(balanceOn(books, '2026-11-17')).toMatchObject({
      overdue_cents: 1_111_110,
      days_0_30_cents: 11,
      days_31_60_cents: 1_100,
      days_61_90_cents: 110_000,
      days_91_cents: 1_000_000,
      oldest_due_on: '2026-08-18',
      days_late: 91,
    });
  });
});

describe('late fees', () => {
  const policy = (fields: Partial<Policy> = {}): Policy => ({
    grace_days: 3,
    first: { fixed_cents: 5_000 },
    daily: null,
    cap_cents: null,
    min_open_cents: 0,
    ...fields,
  });
  const rent = charge('2026-11-01', 100_000, { kind: 'rent', period: '2026-11' });
  const fees = (given: Policy, payments: Payment[], today: string, charges = [rent]) =>
    brief(lateFees(ledger({ charges, payments }), [[{ on: '2026-01-01', value: given }]], today));

  test('rent paid on the last day of grace is on time, a day later it is not', () => {
    expect(fees(policy(), [], '2026-11-04')).toEqual([]);
    expect(fees(policy(), [], '2026-11-30')).toEqual(['late_fee 2026-11-05 5000']);
    expect(fees(policy(), [payment('2026-11-04', 100_000)], '2026-11-30')).toEqual([]);
    expect(fees(policy(), [payment('2026-11-05', 100_000)], '2026-11-30')).toHaveLength(1);
  });

  test('daily fees follow until the rent is paid or the cap is reached', () => {
    const daily = { first: { percent_of_rent: 5 }, daily: { percent_of_open: 0.5 } };
    expect(fees(policy(daily), [payment('2026-11-06', 40_000)], '2026-11-08')).toEqual([
      'late_fee 2026-11-05 5000',
      'late_fee 2026-11-06 500',
      'late_fee 2026-11-07 300',
      'late_fee 2026-11-08 300',
    ]);
    expect(fees(policy({ ...daily, cap_cents: 5_700 }), [], '2026-11-30')).toEqual([
      'late_fee 2026-11-05 5000',
      'late_fee 2026-11-06 500',
      'late_fee 2026-11-07 200',
    ]);
  });

  test('small amounts are not fined, nor are fees', () => {
    const min_open_cents = 60_000;
    expect(fees(policy({ min_open_cents }), [payment('2026-11-02', 40_000)], '2026-11-30')).toHaveLength(1);
    expect(fees(policy({ min_open_cents }), [payment('2026-11-02', 40_001)], '2026-11-30')).toEqual([]);
    expect(fees(policy(), [], '2026-11-30', [charge('2026-11-01', 100)])).toEqual([]);
  });

  test('a fee takes what the next rent would have got', () => {
    const next = charge('2026-12-01', 100_000, { id: 'chg_2', kind: 'rent', period: '2026-12' });
    const paid = [payment('2026-11-10', 100_000), payment('2026-12-01', 100_000, { id: 'pay_2' })];
    expect(fees(policy(), paid, '2026-12-31', [rent, next])).toEqual([
      'late_fee 2026-11-05 5000',
      'late_fee 2026-12-05 5000',
    ]);
  });

  test('the lease beats the property beats the account, and no policy looks back', () => {
    const [one, other] = [policy(), policy({ grace_days: 10 })];
    const account = [
      { on: '2026-01-01', value: 'none' as const },
      { on: '2026-03-10', value: one },
    ];
    const property = [
      { on: '2026-02-01', value: 'inherit' as const },
      { on: '2026-05-01', value: other },
    ];
    const found = ['2026-03-10', '2026-03-11', '2026-05-01', '2026-05-02'].map((day) =>
      policyFor([[{ on: '2026-06-01', value: 'inherit' }], property, account], day),
    );
    expect(found).toEqual([null, one, one, other]);
    expect(policyFor([[{ on: '2026-06-01', value: other }], property, account], '2026-06-01')).toBeNull();
    expect(policyFor([[{ on: '2026-06-01', value: 'none' }], property, account], '2026-05-20')).toBeNull();
  });
});

test('a payment belongs to the lease that runs, else to the next, else to the last', () => {
  const first = lease({ id: 'first', start_date: '2026-01-01', ended_on: '2026-03-01' });
  const second = lease({ id: 'second', start_date: '2026-03-10', end_date: '2026-05-31' });
  const found = (day: string) => leaseOn([second, first], day)?.id;
  expect(found('2025-12-01')).toBe('first');
  expect(found('2026-03-01')).toBe('first');
  expect(found('2026-03-02')).toBe('second');
  expect(found('2026-05-31')).toBe('second');
  expect(found('2026-07-01')).toBe('second');
  const calledOff = lease({ id: 'called off', start_date: '2026-06-20', ended_on: '2026-06-20' });
  expect(leaseOn([calledOff, second], '2026-06-20')?.id).toBe('second');
  expect(leaseOn([calledOff], '2026-06-20')?.id).toBe('called off');
});
