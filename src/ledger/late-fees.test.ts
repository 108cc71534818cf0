import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { chargesOf, itIs, octoberLease } from '../../test/support/ledger.ts';
import { eventsDuring, expectInvalid, refusesValues } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { turnNextDay } from '../days/turn-day.ts';
import { sql } from '../db/sql.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());
beforeEach(async () => {
  itIs(service, '2026-09-20');
  client = await service.client();
  await client.patch('/account', { late_fees: policy });
});

/** Five days of grace, then 50.00 and 5.00 a day, at most 80.00. */
const policy = {
  grace_days: 5,
  first: { fixed_cents: 5_000 },
  daily: { fixed_cents: 500 },
  cap_cents: 8_000,
  min_open_cents: 1_000,
};

/** Time passes, and the clock turns every day up to this one. */
async function until(day: string): Promise<void> {
  itIs(service, day);
  while ((await turnNextDay(service.app.db, client.accountId, service.app.now())) !== null);
}

const leaseOf = async (fields: object = {}) => {
  await service.database.db.query(sql`
    update account_clocks set through_day = '2026-09-19', next_turn_at = '2026-09-20'
    where account_id = ${client.accountId}`);
  return octoberLease(client, { start_date: '2026-10-01', ...fields });
};
const feesOf = async (leaseId: string) =>
  (await chargesOf(client, leaseId))
    .filter((line) => line.includes('late_fee'))
    .map((line) => line.replace(/^2026-| late_fee/g, ''));
const pay = (lease: { tenant_ids: string[] }, amount_cents: number, paid_on: string) =>
  client.post('/payments', { tenant_id: lease.tenant_ids[0], amount_cents, paid_on });

test('the first fee falls on the day after the grace days, the others on the days after, up to the cap', async () => {
  const lease = await leaseOf();
  await until('2026-10-06');
  expect(await feesOf(lease.id)).toEqual([]);
  await until('2026-10-20');
  expect(await feesOf(lease.id)).toEqual([
    '10-07 50.00 open 50.00',
    '10-08 5.00 open 5.00',
    '10-09 5.00 open 5.00',
    '10-10 5.00 open 5.00',
    '10-11 5.00 open 5.00',
    '10-12 5.00 open 5.00',
    '10-13 5.00 open 5.00',
  ]);
  const [fee] = (await client.get('/charges?kind=late_fee')).body.data;
  const [rent] = (await client.get('/charges?kind=rent')).body.data.slice(-1);
  expect(fee).toMatchObject({ source: 'late_fee', late_fee_for: rent.id, lease_id: lease.id });
});

test.each([
  ['2026-10-06', []],
  ['2026-10-07', ['10-07 50.00 open 50.00']],
  ['2026-10-08', ['10-07 50.00 open 50.00', '10-08 5.00 open 5.00']],
])('rent that is paid on %s is fined %j', async (day, fees) => {
  const lease = await leaseOf();
  await until(day);
  await pay(lease, 100_000, day);
  await until('2026-10-12');
  expect(await feesOf(lease.id)).toEqual(fees);
});

test('a payment that is entered late, but dated in time, voids the fees', async () => {
  const lease = await leaseOf();
  await until('2026-10-09');
  expect(await feesOf(lease.id)).toHaveLength(3);
  await pay(lease, 100_000, '2026-10-06');
  const told = await eventsDuring(service, client, () => client.get('/charges'));
  expect(told.map(({ event }) => event)).toEqual(['charge.updated', 'charge.updated', 'charge.updated']);
  expect(await feesOf(lease.id)).toEqual([
    '10-07 50.00 voided 0.00 paid_in_time',
    '10-08 5.00 voided 0.00 paid_in_time',
    '10-09 5.00 voided 0.00 paid_in_time',
  ]);
  // The payment is returned on the 8th. From then on the rent is open again.
  const [payment] = (await client.get('/payments')).body.data;
  await client.patch(`/payments/${payment.id}`, { status: 'returned', reversed_on: '2026-10-08' });
  expect((await feesOf(lease.id)).filter((line) => !line.includes('voided'))).toEqual([
    '10-09 5.00 open 5.00',
  ]);
});

test('a fee of a day that has begun is taken back, even if it is yesterday again further west', async () => {
  await client.patch('/account', { time_zone: 'Asia/Tokyo', late_fees: { ...policy, grace_days: 0 } });
  const lease = await leaseOf({ start_date: '2026-10-01' });
  await until('2026-10-01');
  service.app.now = () => new Date('2026-10-01T15:30:00.000Z');
  while ((await turnNextDay(service.app.db, client.accountId, service.app.now())) !== null);
  expect(await feesOf(lease.id)).toEqual(['10-02 50.00 open 50.00']);
  await client.patch('/account', { time_zone: 'America/New_York' });
  expect(await feesOf(lease.id)).toEqual(['10-02 50.00 upcoming 50.00']);
  expect((await pay(lease, 100_000, '2026-10-01')).status).toBe(201);
  await client.get('/balances');
  await until('2026-10-25');
  expect(await feesOf(lease.id)).toEqual(['10-02 50.00 voided 0.00 paid_in_time']);
});

test('a fee of the wrong amount is replaced', async () => {
  await client.patch('/account', { late_fees: { grace_days: 0, first: { percent_of_open: 10 } } });
  const lease = await leaseOf();
  await until('2026-10-05');
  expect(await feesOf(lease.id)).toEqual(['10-02 100.00 open 100.00']);
  await pay(lease, 39_995, '2026-10-01');
  expect(await feesOf(lease.id)).toEqual([
    '10-02 100.00 voided 0.00 amount_changed',
    '10-02 60.01 open 60.01',
  ]);
});

test('a fee that a person voids is not charged again', async () => {
  const lease = await leaseOf();
  await until('2026-10-07');
  const [fee] = (await client.get('/charges?kind=late_fee')).body.data;
  await client.post(`/charges/${fee.id}/void`, { reason: 'Goodwill' });
  await until('2026-10-08');
  await client.patch(`/leases/${lease.id}`, { opening_balance_cents: 5 });
  expect(await feesOf(lease.id)).toEqual(['10-07 50.00 voided 0.00 Goodwill', '10-08 5.00 open 5.00']);
});

test('no other fee takes the place of one that a person voids', async () => {
  const lease = await leaseOf();
  await until('2026-10-20');
  const open = (await feesOf(lease.id)).slice(1);
  const [fee] = (await client.get('/charges?kind=late_fee&from=2026-10-07&to=2026-10-07')).body.data;
  await client.post(`/charges/${fee.id}/void`, { reason: 'Goodwill' });
  await until('2026-10-25');
  expect(await feesOf(lease.id)).toEqual(['10-07 50.00 voided 0.00 Goodwill', ...open]);
});

test('a fee that a person voided stays voided when the rent is replaced, on the same day or another', async () => {
  const lease = await leaseOf({ late_fees: { grace_days: 5, first: { fixed_cents: 5_000 } } });
  await until('2026-10-20');
  const [fee] = (await client.get(`/charges?lease_id=${lease.id}&kind=late_fee`)).body.data;
  await client.post(`/charges/${fee.id}/void`, { reason: 'A kindness' });
  const waived = ['10-07 50.00 voided 0.00 A kindness'];
  for (const change of [{ rent_cents: 110_000 }, { due_day: 4 }, { rent_cents: 100_000, due_day: 1 }]) {
    await client.patch(`/leases/${lease.id}`, change);
    expect(await feesOf(lease.id)).toEqual(waived);
  }
  await until('2026-11-08');
  expect(await feesOf(lease.id)).toEqual([...waived, '11-07 50.00 open 50.00']);
});

test('fees go with the rent they are for', async () => {
  const lease = await leaseOf();
  await until('2026-10-07');
  await client.patch(`/leases/${lease.id}`, { rent_cents: 90_000 });
  expect(await feesOf(lease.id)).toEqual(['10-07 50.00 open 50.00', '10-07 50.00 voided 0.00 charge_voided']);
});

test('fees go with the currency that their rent was in', async () => {
  const lease = await leaseOf();
  await until('2026-10-07');
  const [open, voided] = ['10-07 50.00 open 50.00', '10-07 50.00 voided 0.00 charge_voided'];
  await client.patch(`/leases/${lease.id}`, { currency: 'EUR' });
  expect(await feesOf(lease.id)).toEqual([open, voided]);
  await client.patch(`/leases/${lease.id}`, { currency: 'USD' });
  expect(await feesOf(lease.id)).toEqual([open, voided, voided]);
});

test('what the end of a lease is said to void and charge, late fees included, is what it does', async () => {
  const lease = await leaseOf();
  await until('2026-11-09');
  const amounts = (some: { kind: string; due_on: string; amount: string }[]) =>
    some.map(({ kind, due_on, amount }) => `${due_on} ${kind} ${amount}`).sort();
  const said = (await client.get(`/leases/${lease.id}/end?ended_on=2026-10-17`)).body.data;
  const before = (await client.get(`/charges?lease_id=${lease.id}`)).body.data;
  await client.patch(`/leases/${lease.id}`, { ended_on: '2026-10-17' });
  const after = (await client.get(`/charges?lease_id=${lease.id}`)).body.data;
  const known = new Set(before.map(({ id }: { id: string }) => id));
  const isVoided = ({ status }: { status: string }) => status === 'voided';
  const isNew = ({ id }: { id: string }) => !known.has(id);
  expect(amounts(said.voids)).toEqual(amounts(after.filter(isVoided)));
  expect(amounts(said.charges)).toEqual(amounts(after.filter(isNew)));
  expect(said.voids.map(({ id }: { id: string }) => id)).toContain(
    after.find(({ due_on }: { due_on: string }) => due_on === '2026-11-07')?.id,
  );
  // 16 days of October, and the late fees up to their cap.
  const [row] = (await client.get(`/balances?tenant_id=${lease.tenant_ids[0]}`)).body.data;
  expect([said.balance, said.final_balance, row.balance]).toEqual(['2140.00', '596.13', '596.13']);
});

test('only rent is fined, and not if little is open', async () => {
  const lease = await leaseOf();
  await client.post('/charges', {
    lease_id: lease.id,
    kind: 'repair',
    amount_cents: 9_000,
    due_on: '2026-10-02',
  });
  await until('2026-10-02');
  await pay(lease, 100_000 - 999, '2026-10-02');
  await until('2026-10-20');
  expect(await feesOf(lease.id)).toEqual([]);
});

test('the lease beats the property, which beats the account; a policy holds for charges due after it was set', async () => {
  const ten = { grace_days: 0, first: { percent_of_rent: 1 } };
  const own = await leaseOf({ late_fees: ten });
  const none = await leaseOf({ late_fees: 'none' });
  const propertys = await leaseOf();
  const inherits = await leaseOf();
  await client.patch(`/properties/${propertys.property_id}`, { late_fees: ten });
  await until('2026-10-08');
  const fees = async () => Promise.all([own, none, propertys, inherits].map(({ id }) => feesOf(id)));
  expect(await fees()).toEqual([
    ['10-02 10.00 open 10.00'],
    [],
    ['10-02 10.00 open 10.00'],
    ['10-07 50.00 open 50.00', '10-08 5.00 open 5.00'],
  ]);
  // From now on nobody gets a late fee. The policy of its time still applies to what was due before.
  await client.patch('/account', { late_fees: null });
  await until('2026-11-20');
  expect((await feesOf(inherits.id)).every((line) => line.startsWith('10-'))).toBe(true);
  expect((await feesOf(inherits.id)).at(-1)).toBe('10-13 5.00 open 5.00');
  expect((await feesOf(own.id)).at(-1)).toBe('11-02 10.00 open 10.00');
});

test('the preview shows what the next run would charge, and writes nothing', async () => {
  const lease = await leaseOf();
  const preview = async (query = '') => (await client.get(`/late-fees/preview${query}`)).body;
  // Nothing is late yet, but the rent is already posted.
  await until('2026-09-28');
  expect((await preview('?as_of=2026-10-06')).data).toEqual([]);
  expect((await preview('?as_of=2026-10-07')).data).toMatchObject([
    { lease_id: lease.id, due_on: '2026-10-07' },
  ]);
  await until('2026-10-06');
  const events = await eventsDuring(service, client, async () => {
    expect(await preview()).toEqual({
      data: [
        {
          lease_id: lease.id,
          late_fee_for: expect.stringMatching(/^chg_/),
          due_on: '2026-10-07',
          amount_cents: 5_000,
          amount: '50.00',
          currency: 'USD',
        },
      ],
      count: 1,
    });
    expect((await preview('?as_of=2026-10-09')).count).toBe(3);
    expect((await preview('?as_of=2026-10-06')).count).toBe(0);
  });
  expect(events).toEqual([]);
  await until('2026-10-07');
  expect((await preview()).data).toMatchObject([{ due_on: '2026-10-08', amount: '5.00' }]);
  expectInvalid(await client.get('/late-fees/preview?as_of=2028-01-01'), 'as_of');
});

test('wrong policies are refused', async () => {
  const good = { grace_days: 0, first: { fixed_cents: 1 } };
  const { first: _, ...withoutFirst } = good;
  await refusesValues((fields) => client.patch('/account', fields), {
    late_fees: [
      'inherit',
      7,
      {},
      withoutFirst,
      { ...good, grace_days: 61 },
      { ...good, grace_days: -1 },
      { ...good, first: {} },
      { ...good, first: { fixed_cents: 0 } },
      { ...good, first: { percent_of_rent: 101 } },
      { ...good, first: { percent_of_rent: 1.234 } },
      { ...good, first: { fixed_cents: 5, percent_of_open: 1 } },
      { ...good, daily: { each: 5 } },
      { ...good, cap_cents: 0 },
      { ...good, min_open_cents: -1 },
    ],
  });
});
