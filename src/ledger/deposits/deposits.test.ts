import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { importCsv } from '../../../test/support/csv.ts';
import { chargesOf, itIs, octoberLease } from '../../../test/support/ledger.ts';
import { expectError, expectInvalid, make } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
});
afterAll(() => service.close());
beforeEach(() => itIs(service, '2026-11-17'));

/**
 * A lease whose deposit of 500.00 is paid. 200.00 of it is applied on 5 November, and 100.00 given back on the tenth.
 */
async function withDepositTaken(fields: object = {}) {
  const lease = await octoberLease(client, { deposit_cents: 50_000, ...fields });
  const [charge] = await depositsOf(lease);
  const payment = await pay(lease, charge);
  const credit = { lease_id: lease.id, reason: 'deposit', amount_cents: 20_000, credited_on: '2026-11-05' };
  const applied = await client.post('/credits', credit);
  expect(applied.status, applied.text).toBe(201);
  const refund = { amount_cents: 10_000, refunded_on: '2026-11-10' };
  const refunded = await client.post(`/leases/${lease.id}/deposit-refunds`, refund);
  expect(refunded.status, refunded.text).toBe(201);
  return { lease, charge, payment, credit: applied.body.data, refund: refunded.body.data };
}

type Record = Awaited<ReturnType<typeof make.lease>>;

const depositsOf = async (lease: Record): Promise<Record[]> =>
  (await client.get(`/charges?lease_id=${lease.id}&kind=deposit&status=open,partial,paid`)).body.data;

const pay = (lease: Record, { id: charge_id, amount_cents }: Record) =>
  make.payment(client, {
    tenant_id: lease.tenant_ids[0],
    lease_id: lease.id,
    charge_id,
    amount_cents,
    paid_on: '2026-10-12',
  });

const voidCharge = ({ id }: Record) => client.post(`/charges/${id}/void`, { reason: 'A mistake' });
const change = (lease: Record, fields: object) => client.patch(`/leases/${lease.id}`, fields);

async function balanceOf(lease: Record, day = '2026-11-17') {
  const { body } = await client.get(`/balances?as_of=${day}&tenant_id=${lease.tenant_ids[0]}`);
  const { owed_cents, credit_cents, deposit_held_cents } = body.data[0];
  return { owed_cents, credit_cents, deposit_held_cents };
}

test('a deposit that was applied or given back cannot be voided', async () => {
  const { lease, charge, credit } = await withDepositTaken();
  const before = await chargesOf(client, lease.id);
  const refused = await voidCharge(charge);
  expectError(
    refused,
    409,
    /300.00 USD of the deposit was applied or refunded by 2026-11-10.* only 0.00 USD/,
  );
  expect(refused.body.error.type).toBe('deposit_exceeded');
  expect(await chargesOf(client, lease.id)).toEqual(before);

  // It is also refused when nothing but a refund is left.
  expect((await client.post(`/credits/${credit.id}/void`, { reason: 'A mistake' })).status).toBe(200);
  expectError(await voidCharge(charge), 409, /100.00 USD of the deposit/);
  // Charges of another kind can still be voided.
  const [rent] = (await client.get(`/charges?lease_id=${lease.id}&kind=rent`)).body.data;
  expect((await voidCharge(rent)).status).toBe(200);
});

test('what was applied in error is voided before its deposit', async () => {
  const lease = await octoberLease(client, { deposit_cents: 50_000 });
  const [charge] = await depositsOf(lease);
  await pay(lease, charge as Record);
  const credit = { lease_id: lease.id, reason: 'deposit', amount_cents: 50_000 };
  const { body } = await client.post('/credits', credit);
  expectError(await voidCharge(charge as Record), 409, /500.00 USD/);
  expect((await client.post(`/credits/${body.data.id}/void`, { reason: 'A mistake' })).status).toBe(200);
  expect((await voidCharge(charge as Record)).status).toBe(200);
});

test('a refund that was recorded by mistake is voided: it stays visible, and the money is held again', async () => {
  const { lease, refund } = await withDepositTaken();
  const path = `/deposit-refunds/${refund.id}/void`;
  expectInvalid(await client.post(path, {}), 'reason');
  expectError(await (await service.client()).post(path, { reason: 'x' }), 404, 'Not found');
  expect((await balanceOf(lease)).deposit_held_cents).toBe(20_000);
  const { status, body } = await client.post(path, { reason: 'Typed twice' });
  expect([status, body.data]).toEqual([
    200,
    { ...refund, voided_on: '2026-11-17', void_reason: 'Typed twice', updated_at: expect.any(String) },
  ]);
  expectError(await client.post(path, { reason: 'Again' }), 409, 'This refund has already been voided.');
  for (const day of ['2026-11-10', '2026-11-17'])
    expect((await balanceOf(lease, day)).deposit_held_cents).toBe(30_000);
  const entriesOf = async (query: string) => {
    const { data } = (await client.get(`/leases/${lease.id}/ledger${query}`)).body;
    expect(data.deposit_held_cents).toBe(30_000);
    return data.entries
      .filter(({ type }: Record) => type === 'deposit_refund')
      .map(({ status: now, void_reason }: Record) => [now, void_reason]);
  };
  expect(await entriesOf('')).toEqual([]);
  expect(await entriesOf('?voided=true')).toEqual([['voided', 'Typed twice']]);
  const again = { amount_cents: 30_000, refunded_on: '2026-11-10' };
  expect((await client.post(`/leases/${lease.id}/deposit-refunds`, again)).status).toBe(201);
});

test('one of two deposits can be voided if the other is as much as was taken', async () => {
  const { lease, charge } = await withDepositTaken();
  const another = async (amount_cents: number) => {
    const fields = { lease_id: lease.id, kind: 'deposit', due_on: '2026-10-15', amount_cents };
    const { body } = await client.post('/charges', fields);
    await pay(lease, body.data);
    return body.data;
  };
  await another(29_999);
  expectError(await voidCharge(charge), 409, /only 299.99 USD/);
  const cent = await another(1);
  expect((await voidCharge(charge)).status).toBe(200);
  expectError(await voidCharge(cent), 409, /only 299.99 USD/);
});

test('no terms of a lease leave less deposit charged than was taken, on any day', async () => {
  const { lease } = await withDepositTaken();
  const before = await client.get(`/leases/${lease.id}`);
  for (const fields of [
    { deposit_cents: 29_999 },
    { deposit_cents: null },
    // On the day on which it was applied, it would not be due yet.
    { start_date: '2026-11-06' },
    { ledger_from: '2026-11-01' },
    // The lease would never have begun.
    { ended_on: '2026-10-10' },
  ]) {
    const refused = await change(lease, fields);
    expect([refused.status, refused.body.error?.type], JSON.stringify(fields)).toEqual([
      409,
      'deposit_exceeded',
    ]);
  }
  expectError(await change(lease, { start_date: '2026-11-06' }), 409, /200.00 USD .* by 2026-11-05/);
  expect((await client.get(`/leases/${lease.id}`)).body).toEqual(before.body);
  for (const fields of [
    { deposit_cents: 30_000 },
    { start_date: '2026-11-05' },
    { rent_cents: 90_000, ended_on: '2026-11-15' },
    // Nothing of it was taken since that day.
    { ledger_from: '2026-11-11' },
  ])
    expect((await change(lease, fields)).status, JSON.stringify(fields)).toBe(200);
});

test('a deposit in parts is not ended before what was taken of it', async () => {
  const lease = await octoberLease(client);
  const parts = { lease_id: lease.id, kind: 'deposit', amount_cents: 10_000, every: 'week' };
  const { body } = await client.post('/recurring-charges', { ...parts, starts_on: '2026-10-12' });
  const path = `/recurring-charges/${body.data.id}`;
  for (const charge of await depositsOf(lease)) await pay(lease, charge);
  const refund = { amount_cents: 25_000, refunded_on: '2026-11-10' };
  expect((await client.post(`/leases/${lease.id}/deposit-refunds`, refund)).status).toBe(201);
  expectError(await client.patch(path, { ends_on: '2026-10-20' }), 409, /only 200.00 USD/);
  expect((await client.patch(path, { ends_on: '2026-10-26' })).status).toBe(200);
});

test('a payment of a deposit that bounced is a fact: what was taken is owed', async () => {
  for (const status of ['returned', 'refunded', 'voided']) {
    const { lease, charge, payment } = await withDepositTaken();
    const owed = (await balanceOf(lease)).owed_cents;
    const reversed = status === 'voided' ? {} : { reversed_on: '2026-11-12' };
    expect((await client.patch(`/payments/${payment.id}`, { status, ...reversed })).status).toBe(200);
    expect(await balanceOf(lease)).toEqual({
      owed_cents: owed + 50_000,
      credit_cents: 0,
      deposit_held_cents: 0,
    });
    // The deposit stays owed.
    expectError(await voidCharge(charge), 409, /300.00 USD/);
    expectError(await change(lease, { deposit_cents: 20_000 }), 409, /300.00 USD/);
    expect((await change(lease, { deposit_cents: 30_000 })).status).toBe(200);
    expect((await balanceOf(lease)).owed_cents).toBe(owed + 30_000);
  }
});

test('what was taken in another currency takes nothing from the deposit, as its charge counts no more', async () => {
  const { lease } = await withDepositTaken();
  expect((await change(lease, { currency: 'EUR' })).status).toBe(200);
  const [charge] = await depositsOf(lease);
  await make.payment(client, {
    tenant_id: lease.tenant_ids[0],
    lease_id: lease.id,
    charge_id: charge?.id,
    amount_cents: 50_000,
    currency: 'EUR',
    paid_on: '2026-10-12',
  });
  expect((await balanceOf(lease)).deposit_held_cents).toBe(50_000);
  const ledger = (await client.get(`/leases/${lease.id}/ledger`)).body.data;
  expect(ledger.deposit_held_cents).toBe(50_000);
  const refund = { amount_cents: 50_001, refunded_on: '2026-11-12' };
  const path = `/leases/${lease.id}/deposit-refunds`;
  expectError(await client.post(path, refund), 409, /^Only 500.00 EUR is held of the deposit /);
  expect((await client.post(path, { ...refund, amount_cents: 40_000 })).status).toBe(201);
  expectError(await change(lease, { deposit_cents: 39_999 }), 409, /^400.00 EUR of the deposit/);
  // Taken back, what was taken before counts again.
  expect((await change(lease, { currency: 'USD' })).status).toBe(200);
  expect((await balanceOf(lease)).deposit_held_cents).toBe(20_000);
});

test('of a simultaneous void and refund, one succeeds', async () => {
  const lease = await octoberLease(client, { deposit_cents: 50_000 });
  const [charge] = await depositsOf(lease);
  await pay(lease, charge as Record);
  const answers = await Promise.all([
    voidCharge(charge as Record),
    client.post(`/leases/${lease.id}/deposit-refunds`, { amount_cents: 1 }),
  ]);
  expect(answers.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(1);
});

test('writes by external ids or by a file are refused as well', async () => {
  const { lease } = await withDepositTaken({ external_id: 'L-1' });
  const { unit_id, tenant_ids, start_date, rent_cents } = lease;
  const terms = { unit_id, tenant_ids, start_date, rent_cents, deposit_cents: 10_000 };
  expectError(await client.put('/leases/by-external-id/L-1', terms), 409, /300.00 USD of the deposit/);
  const file = (deposit: string) => {
    const leases =
      'ID,Unit ID,Tenant IDs,Start,Rent,Deposit\n' +
      `${lease.id},${unit_id},${tenant_ids[0]},${start_date},1000.00,${deposit}\n`;
    return importCsv(service, client, { leases });
  };
  expect((await file('299.99')).files).toMatchObject([
    { status: 'failed', errors: [{ line: 2, reason: expect.stringContaining('300.00 USD of the deposit') }] },
  ]);
  expect((await file('300.00')).files).toMatchObject([{ status: 'applied', update: 1 }]);
});
