import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../../../test/support/csv.ts';
import { expectError, expectInvalid, make, unknownId } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';
import { describeCharge } from './descriptions.ts';
import type { ChargeFact } from './ledger.store.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Found = any;

async function ledgerOf(client: Client, lease: Found, query = ''): Promise<Found> {
  const answer = await client.get(`/leases/${lease.id}/ledger?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

async function post(client: Client, path: string, body: object): Promise<Found> {
  const answer = await client.post(path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body.data;
}

/** A lease with a rent of 1,000.00 since 10 October 2026, due on the first. */
async function rented(fields: object = {}) {
  const client = await service.client();
  const lease = await make.lease(client, {
    start_date: '2026-10-10',
    ledger_from: '2026-10-10',
    rent_cents: 100_000,
    ...fields,
  });
  const pay = (paid_on: string, amount_cents: number, more: object = {}): Promise<Found> =>
    make.payment(client, { tenant_id: lease.tenant_ids[0], paid_on, amount_cents, ...more });
  return { client, lease, pay };
}

/** Each entry in short: its date, what it is, what it did, and the balance after it. */
const lines = ({ entries }: Found) =>
  entries.map((entry: Found) => [
    entry.date,
    entry.description,
    entry.increase_cents - entry.decrease_cents,
    entry.balance_cents,
  ]);

test('the ledger says what was charged and paid, and who paid what', async () => {
  const { client, lease, pay } = await rented();
  const payment = await pay('2026-10-12', 100_000, { method: 'bank_transfer', reference: '123' });
  const ledger = await ledgerOf(client, lease, 'to=2026-11-17');
  expect(lines(ledger)).toEqual([
    ['2026-10-10', 'Rent for October 2026 (10 to 31 October)', 70_968, 70_968],
    ['2026-10-12', 'Payment by Ada Okafor, bank transfer, ref 123', -100_000, -29_032],
    ['2026-11-01', 'Rent for November 2026', 100_000, 70_968],
  ]);
  const [october, paid, november] = ledger.entries;
  const share = (entry: Found, amount_cents: number, amount: string) => {
    const { date, type, id, description } = entry;
    return { date, type, id, description, amount_cents, amount };
  };
  expect(paid).toEqual({
    date: '2026-10-12',
    type: 'payment',
    id: payment.id,
    description: 'Payment by Ada Okafor, bank transfer, ref 123',
    amount_cents: 100_000,
    amount: '1000.00',
    increase_cents: 0,
    increase: '0.00',
    decrease_cents: 100_000,
    decrease: '1000.00',
    balance_cents: -29_032,
    balance: '-290.32',
    status: 'applied',
    open_cents: 0,
    open: '0.00',
    pays: [share(october, 70_968, '709.68'), share(november, 29_032, '290.32')],
    paid_by: [],
    voided_on: null,
    void_reason: null,
  });
  expect(october).toMatchObject({ status: 'paid', paid_by: [share(paid, 70_968, '709.68')], pays: [] });
  expect(november).toMatchObject({ status: 'partial', open_cents: 70_968, open: '709.68' });
  expect(ledger).toMatchObject({
    lease: { id: lease.id, start_date: '2026-10-10', end_date: null },
    tenants: [{ id: lease.tenant_ids[0], name: 'Ada Okafor' }],
    property: { id: lease.property_id, name: 'Maple Court' },
    unit: { id: lease.unit_id },
    currency: 'USD',
    from: '2026-10-10',
    to: '2026-11-17',
    ledger_from: '2026-10-10',
    opening_balance_cents: 0,
    closing_balance_cents: 70_968,
    closing_balance: '709.68',
    open_cents: 70_968,
    overdue_cents: 70_968,
    credit_cents: 0,
    not_counted: [],
    pending: [],
  });
});

test('on an earlier day the same payment is a credit, and a range begins with the balance before it', async () => {
  const { client, lease, pay } = await rented();
  await pay('2026-10-12', 100_000);
  const before = await ledgerOf(client, lease, 'from=2026-10-12&to=2026-10-31');
  expect(before).toMatchObject({
    opening_balance_cents: 70_968,
    closing_balance_cents: -29_032,
    open_cents: 0,
  });
  expect(before).toMatchObject({ credit_cents: 29_032, credit: '290.32' });
  expect(before.entries).toMatchObject([{ type: 'payment', status: 'partial', open_cents: 29_032 }]);
  const later = await ledgerOf(client, lease, 'from=2026-11-01&to=2026-11-01');
  expect(later).toMatchObject({ opening_balance_cents: -29_032, opening_balance: '-290.32' });
  expect(lines(later)).toEqual([['2026-11-01', 'Rent for November 2026', 100_000, 70_968]]);
  expect(later).toMatchObject({ open_cents: 70_968, overdue_cents: 0 });
});

test('one end of a range never lies beyond the other', async () => {
  const { client, lease } = await rented();
  const ahead = await ledgerOf(client, lease, 'from=2099-01-01');
  expect([ahead.from, ahead.to]).toEqual(['2099-01-01', '2099-01-01']);
  expect(ahead.closing_balance_cents).toBe(ahead.open_cents - ahead.credit_cents);
  const before = await ledgerOf(client, lease, 'to=2026-10-01');
  expect([before.from, before.to, before.closing_balance_cents]).toEqual(['2026-10-01', '2026-10-01', 0]);
});

test('a returned payment appears twice, and pays nothing from the day it came back', async () => {
  const { client, lease, pay } = await rented();
  const payment = await pay('2026-10-12', 70_968);
  const change = await client.patch(`/payments/${payment.id}`, {
    status: 'returned',
    reversed_on: '2026-10-15',
  });
  expect(change.status, change.text).toBe(200);
  const ledger = await ledgerOf(client, lease, 'to=2026-10-31');
  expect(lines(ledger)).toEqual([
    ['2026-10-10', 'Rent for October 2026 (10 to 31 October)', 70_968, 70_968],
    ['2026-10-12', 'Payment by Ada Okafor', -70_968, 0],
    ['2026-10-15', 'Payment of 12 October 2026 returned', 70_968, 70_968],
  ]);
  expect(ledger.entries).toMatchObject([
    { status: 'open', paid_by: [] },
    { status: 'returned', pays: [] },
    { type: 'return', id: payment.id, status: 'returned' },
  ]);
  const then = await ledgerOf(client, lease, 'to=2026-10-14');
  expect(then.entries).toMatchObject([
    { status: 'paid' },
    { status: 'applied', pays: [{ amount_cents: 70_968 }] },
  ]);
});

test('charges, credits, deposits and their refunds have plain names', async () => {
  const { client, lease, pay } = await rented({
    deposit_cents: 50_000,
    ended_on: '2026-11-06',
    opening_balance_cents: 1_000,
  });
  await post(client, '/charges', {
    lease_id: lease.id,
    kind: 'repair',
    amount_cents: 7_000,
    due_on: '2026-10-20',
    memo: 'Broken window',
  });
  await post(client, '/charges', {
    lease_id: lease.id,
    kind: 'utility',
    amount_cents: 10,
    due_on: '2026-10-20',
  });
  const [deposit] = (await client.get(`/charges?lease_id=${lease.id}&kind=deposit`)).body.data;
  await pay('2026-10-20', 50_000, { charge_id: deposit.id, method: 'card' });
  await pay('2026-10-20', 78_978);
  await post(client, '/credits', {
    lease_id: lease.id,
    amount_cents: 500,
    reason: 'concession',
    credited_on: '2026-10-21',
    memo: 'No heating',
  });
  await post(client, `/leases/${lease.id}/deposit-refunds`, {
    amount_cents: 20_000,
    refunded_on: '2026-10-22',
  });
  const ledger = await ledgerOf(client, lease, 'to=2026-10-31');
  expect(lines(ledger)).toEqual([
    ['2026-10-10', 'Opening balance', 1_000, 1_000],
    ['2026-10-10', 'Deposit', 50_000, 51_000],
    ['2026-10-10', 'Rent for October 2026 (10 to 31 October)', 70_968, 121_968],
    ['2026-10-20', 'Repair: Broken window', 7_000, 128_968],
    ['2026-10-20', 'Utilities', 10, 128_978],
    ['2026-10-20', 'Payment by Ada Okafor, card', -50_000, 78_978],
    ['2026-10-20', 'Payment by Ada Okafor', -78_978, 0],
    ['2026-10-21', 'Concession: No heating', -500, -500],
    ['2026-10-22', 'Deposit refunded', 0, -500],
  ]);
  expect(ledger).toMatchObject({ deposit_held_cents: 30_000, deposit_held: '300.00', credit_cents: 500 });
  expect(ledger.entries[0]).toMatchObject({ type: 'opening_balance', id: lease.id, status: 'paid' });
  expect(ledger.entries.at(-1)).toMatchObject({ type: 'deposit_refund', amount_cents: 20_000, status: null });
  const { entries } = await ledgerOf(client, lease, 'from=2026-11-01&to=2026-11-30');
  expect(entries).toMatchObject([{ description: 'Rent for November 2026 (1 to 5 November)' }]);
});

test('a late fee says which rent was late, and a part of a month which days', () => {
  const fact = { id: '', amount_cents: 1, currency: 'USD', memo: null, voided_on: null, void_reason: null };
  const rent: ChargeFact = {
    ...fact,
    kind: 'rent',
    source: 'schedule',
    due_on: '2026-10-10',
    period: '2026-10',
    recurring_charge_id: null,
    late_fee_for: null,
    voided_by_hand: false,
  };
  const lease = { start_date: '2026-10-10', until: '2026-10-11', proration: 'actual_days' } as const;
  const fee: ChargeFact = { ...rent, kind: 'late_fee', period: null };
  expect(describeCharge(fee, lease, rent)).toBe('Late fee for rent of October 2026');
  expect(describeCharge(fee, lease, { ...rent, period: null })).toBe(
    'Late fee for rent due on 10 October 2026',
  );
  expect(describeCharge(fee, lease, undefined)).toBe('Late fee');
  expect(describeCharge(rent, lease, undefined)).toBe('Rent for October 2026 (10 October)');
  expect(describeCharge(rent, { ...lease, proration: 'none' }, undefined)).toBe('Rent for October 2026');
  expect(describeCharge(rent, { ...lease, start_date: '2026-10-01', until: null }, undefined)).toBe(
    'Rent for October 2026',
  );
  expect(describeCharge({ ...rent, source: 'api', memo: 'Half' }, lease, undefined)).toBe(
    'Rent for October 2026: Half',
  );
});

test('voided entries are shown on request, and do not affect the balance', async () => {
  const { client, lease, pay } = await rented();
  const charge = await post(client, '/charges', {
    lease_id: lease.id,
    kind: 'fee',
    amount_cents: 5_000,
    due_on: '2026-10-11',
  });
  await post(client, `/charges/${charge.id}/void`, { reason: 'A mistake.' });
  await pay('2026-10-12', 300, { status: 'failed' });
  expect(lines(await ledgerOf(client, lease, 'to=2026-10-31'))).toHaveLength(1);
  const { entries, closing_balance_cents } = await ledgerOf(client, lease, 'to=2026-10-31&voided=true');
  expect(entries.slice(1)).toMatchObject([
    {
      status: 'voided',
      void_reason: 'A mistake.',
      amount_cents: 5_000,
      increase_cents: 0,
      balance_cents: 70_968,
    },
    { status: 'failed', amount_cents: 300, decrease_cents: 0, balance_cents: 70_968 },
  ]);
  expect(closing_balance_cents).toBe(70_968);
});

test('pending payments, other currencies and entries from before the ledger are distinguished', async () => {
  const { client, lease, pay } = await rented({ start_date: '2026-01-01', ledger_from: '2026-10-01' });
  await pay('2026-10-05', 1, { status: 'pending' });
  await pay('2026-10-05', 2, { currency: 'EUR' });
  await pay('2026-09-30', 3);
  const ledger = await ledgerOf(client, lease, 'to=2026-10-31');
  expect(ledger.entries).toHaveLength(1);
  expect(ledger.pending).toMatchObject([{ type: 'payment', date: '2026-10-05', amount: '0.01' }]);
  expect(ledger.not_counted).toMatchObject([
    { date: '2026-09-30', amount_cents: 3, currency: 'USD', reason: 'before_ledger' },
    { date: '2026-10-05', amount_cents: 2, currency: 'EUR', reason: 'other_currency' },
  ]);
});

test('a payment that is pending is not shown for a past day before it', async () => {
  const { client, lease, pay } = await rented();
  const day = (await ledgerOf(client, lease)).to;
  await pay(day, 500, { status: 'pending' });
  const pending = async (to: string) =>
    (await ledgerOf(client, lease, `to=${to}`)).pending.map((item: Found) => item.date);
  expect(await pending('2026-10-20')).toEqual([]);
  expect(await pending(day)).toEqual([day]);
  expect(await pending('2999-12-31')).toEqual([day]);
});

test('charges that are not due yet are listed separately', async () => {
  const { client, lease } = await rented();
  const charge = { lease_id: lease.id, kind: 'fee', amount_cents: 5_000, due_on: '2099-01-01' };
  const { id } = await post(client, '/charges', charge);
  const ledger = await ledgerOf(client, lease);
  expect(ledger.upcoming.at(-1)).toMatchObject({ id, date: '2099-01-01', amount: '50.00' });
  expect(ledger.entries.map((entry: Found) => entry.id)).not.toContain(id);
});

test('payments, credits and refunds of later days are listed separately, until they count', async () => {
  const { client, lease, pay } = await rented({ deposit_cents: 10_000, opening_balance_cents: -500 });
  await pay('2026-10-10', 500_000);
  const { id } = await pay('2098-12-03', 40_000, { method: 'check' });
  await pay('2098-12-04', 1, { status: 'pending' });
  const credit = { lease_id: lease.id, amount_cents: 2_500, reason: 'concession', credited_on: '2098-12-02' };
  await post(client, '/credits', credit);
  const refund = { amount_cents: 10_000, refunded_on: '2098-12-05' };
  await post(client, `/leases/${lease.id}/deposit-refunds`, refund);
  const laterOnes = async (to = '') =>
    (await ledgerOf(client, lease, to)).upcoming
      .filter(({ type }: Found) => type !== 'charge')
      .map(({ date, type, description }: Found) => [date, type, description]);
  expect(await laterOnes()).toEqual([
    ['2098-12-02', 'credit', 'Concession'],
    ['2098-12-03', 'payment', 'Payment by Ada Okafor, check'],
    ['2098-12-05', 'deposit_refund', 'Deposit refunded'],
  ]);
  expect((await laterOnes('to=2026-10-31')).length).toBe(3);
  expect(await laterOnes('to=2098-12-03')).toEqual([['2098-12-05', 'deposit_refund', 'Deposit refunded']]);
  await client.patch(`/payments/${id}`, { status: 'returned', reversed_on: '2098-12-20' });
  expect(await laterOnes('to=2098-12-10')).toEqual([
    ['2098-12-20', 'return', 'Payment of 3 December 2098 returned'],
  ]);
});

test('the ledger comes as CSV', async () => {
  const { client, lease, pay } = await rented();
  await pay('2026-10-12', 100_000);
  const answer = await client.get(`/leases/${lease.id}/ledger?to=2026-10-31`, { accept: 'text/csv' });
  expect(answer.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(answer.headers.get('content-disposition')).toMatch(/filename="ledger-[\d-]+\.csv"/);
  const rows = readCsv(answer.text);
  expect(rows).toHaveLength(2);
  expect(rows[0]).toMatchObject({
    date: '2026-10-10',
    type: 'charge',
    increase: '709.68',
    balance: '709.68',
  });
  expect(rows[1]).toMatchObject({
    pays_description: 'Rent for October 2026 (10 to 31 October)',
    pays_amount: '709.68',
  });
});

test('another account has no such ledger, and wrong days are refused', async () => {
  const { client, lease } = await rented();
  const other = await service.client();
  expectError(await other.get(`/leases/${lease.id}/ledger`), 404, 'Not found');
  expectError(await client.get(`/leases/${unknownId('lease')}/ledger`), 404, 'Not found');
  expectInvalid(
    await client.get(`/leases/${lease.id}/ledger?from=2026-10-02&to=2026-10-01`),
    'from',
    /after/,
  );
  expectInvalid(await client.get(`/leases/${lease.id}/ledger?to=today`), 'to');
});
