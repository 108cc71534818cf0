import { beforeEach, expect, test } from 'vitest';
import { chargesOf, itIs, octoberLease } from '../../../test/support/ledger.ts';
import { nounTests } from '../../../test/support/noun.ts';
import {
  expectError,
  refusesValues,
  unknownId,
  wrongCents,
  wrongDates,
} from '../../../test/support/records.ts';
import { startClock, turnDays } from '../../../test/support/turn-days.ts';

const { client, eventNames, eventsDuring, expectCreated, ids, service } = await nounTests(
  '/charges',
  'charge',
  'chg',
);
beforeEach(() => itIs(service, '2026-11-17'));

const charge = async (fields: object) => {
  const answer = await client.post('/charges', { kind: 'fee', amount_cents: 2_500, ...fields });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const pay = (lease: { tenant_ids: string[] }, amount_cents: number, fields: object = {}) =>
  client.post('/payments', { tenant_id: lease.tenant_ids[0], amount_cents, ...fields });

test('a charge needs a lease, a kind, an amount and a due day', async () => {
  const lease = await octoberLease(client);
  await expectCreated(
    { lease_id: lease.id, kind: 'repair', amount_cents: 2_500, due_on: '2026-11-10', memo: 'Window' },
    {
      lease_id: lease.id,
      property_id: lease.property_id,
      unit_id: lease.unit_id,
      kind: 'repair',
      amount_cents: 2_500,
      amount: '25.00',
      currency: 'USD',
      due_on: '2026-11-10',
      period: null,
      memo: 'Window',
      external_id: null,
      source: 'api',
      recurring_charge_id: null,
      late_fee_for: null,
      voided_on: null,
      void_reason: null,
      status: 'open',
      open_cents: 2_500,
      open: '25.00',
    },
  );
});

test('wrong values are refused by the name of their field', async () => {
  const lease = await octoberLease(client);
  const right = { lease_id: lease.id, kind: 'fee', amount_cents: 1, due_on: '2026-11-01' };
  await refusesValues((fields) => client.post('/charges', { ...right, ...fields }), {
    lease_id: [undefined, null, 'lease_1', unknownId('lease')],
    kind: [undefined, null, 'gift', 7],
    amount_cents: [undefined, null, ...wrongCents],
    due_on: [undefined, null, '', ...wrongDates],
    period: ['2026-13', '11/2026', 7],
  });
});

test('a lease from 10 October is charged for the part of the month, and for November', async () => {
  const lease = await octoberLease(client, { deposit_cents: 50_000 });
  expect(await chargesOf(client, lease.id)).toEqual([
    '2026-10-10 deposit 500.00 open 500.00',
    '2026-10-10 rent 709.68 open 709.68',
    '2026-11-01 rent 1000.00 open 1000.00',
  ]);
  // Rent is posted five days ahead.
  itIs(service, '2026-11-26');
  const next = await octoberLease(client);
  expect((await chargesOf(client, next.id)).at(-1)).toBe('2026-12-01 rent 1000.00 upcoming 1000.00');
});

test('an old lease owes nothing from before the month in which it is recorded, unless that is wanted', async () => {
  const old = { start_date: '2024-03-15', ledger_from: undefined };
  const lease = await octoberLease(client, old);
  expect(lease.ledger_from).toBe('2026-11-01');
  expect(await chargesOf(client, lease.id)).toEqual(['2026-11-01 rent 1000.00 open 1000.00']);
  const whole = await octoberLease(client, { ...old, ledger_from: '2024-03-15' });
  expect(await chargesOf(client, whole.id)).toHaveLength(33);
  const upcoming = await octoberLease(client, { start_date: '2027-01-15', ledger_from: undefined });
  expect(upcoming.ledger_from).toBe('2027-01-15');
});

test.each([
  ['actual_days', '709.68', '466.67'],
  ['thirty_days', '733.33', '466.67'],
  ['none', '1000.00', '1000.00'],
])('with %s the first month costs %s and the last %s', async (proration, first, last) => {
  const lease = await octoberLease(client, { proration, end_date: '2026-11-14' });
  expect(await chargesOf(client, lease.id)).toEqual([
    `2026-10-10 rent ${first} open ${first}`,
    `2026-11-01 rent ${last} open ${last}`,
  ]);
});

test('rent falls due within the lease, whatever its due day', async () => {
  const lease = await octoberLease(client, { due_day: 20, end_date: '2026-11-14' });
  expect((await chargesOf(client, lease.id)).map((line) => line.slice(0, 15))).toEqual([
    '2026-10-20 rent',
    '2026-11-14 rent',
  ]);
});

test('a rent change within a month applies from the next', async () => {
  const lease = await octoberLease(client, { rent_changes: [{ from: '2026-10-15', rent_cents: 120_000 }] });
  expect(lease).toMatchObject({ current_rent_cents: 120_000, current_rent: '1200.00', rent_cents: 100_000 });
  expect(await chargesOf(client, lease.id)).toEqual([
    '2026-10-10 rent 709.68 open 709.68',
    '2026-11-01 rent 1200.00 open 1200.00',
  ]);
});

test('charges follow the terms of the lease; those that are right stay untouched', async () => {
  const lease = await octoberLease(client);
  const before = await client.get(`/charges?lease_id=${lease.id}`);
  const events = await eventsDuring(() => client.patch(`/leases/${lease.id}`, { end_date: '2026-11-14' }));
  expect(events.map(({ event }) => event).filter((name) => /charge|lease/.test(name))).toEqual([
    'lease.updated',
    'charge.updated',
    'charge.created',
  ]);
  expect(await chargesOf(client, lease.id)).toEqual([
    '2026-10-10 rent 709.68 open 709.68',
    '2026-11-01 rent 1000.00 voided 0.00 schedule_changed',
    '2026-11-01 rent 466.67 open 466.67',
  ]);
  const october = before.body.data.find(({ period }: { period: string }) => period === '2026-10');
  expect((await client.get(`/charges/${october.id}`)).body.data).toEqual(october);
  await client.patch(`/leases/${lease.id}`, { end_date: null });
  expect((await chargesOf(client, lease.id)).at(-2)).toBe(
    '2026-11-01 rent 1000.00 voided 0.00 schedule_changed',
  );
  expect((await chargesOf(client, lease.id)).filter((line) => / open /.test(line))).toEqual([
    '2026-10-10 rent 709.68 open 709.68',
    '2026-11-01 rent 1000.00 open 1000.00',
  ]);
  // Neither a change of tenants nor a notice changes what is owed.
  expect(
    await eventNames(() => client.patch(`/leases/${lease.id}`, { notice_given_on: '2027-01-01' })),
  ).toEqual([]);
  await client.patch(`/leases/${lease.id}`, { ended_on: '2026-10-10' });
  expect((await chargesOf(client, lease.id)).filter((line) => !line.includes('voided'))).toEqual([]);
});

test('what a person voids is not charged again', async () => {
  const lease = await octoberLease(client);
  const [november] = (await client.get(`/charges?lease_id=${lease.id}&kind=rent&from=2026-11-01`)).body.data;
  const path = `/charges/${november.id}/void`;
  expectError(await client.post(`/charges/${unknownId('chg')}/void`, { reason: 'x' }), 404, 'Not found');
  await refusesValues((fields) => client.post(path, fields), { reason: [undefined, null, '', ' ', 7] });
  const events = await eventsDuring(async () => {
    const answer = await client.post(path, { reason: 'Free month' });
    expect(answer.body.data).toMatchObject({
      status: 'voided',
      open_cents: 0,
      voided_on: '2026-11-17',
      void_reason: 'Free month',
    });
  });
  expect(events.map(({ event }) => event)).toEqual(['charge.updated']);
  expectError(await client.post(path, { reason: 'Again' }), 409, /already been voided/);
  await client.patch(`/leases/${lease.id}`, { rent_cents: 120_000 });
  expect((await chargesOf(client, lease.id)).filter((line) => line.startsWith('2026-11'))).toEqual([
    '2026-11-01 rent 1000.00 voided 0.00 Free month',
  ]);
});

test('a rent that a person made in place of the scheduled one, and voided, leaves the scheduled one', async () => {
  const own = await service.client();
  await startClock(service, own.accountId);
  const lease = await octoberLease(own, { start_date: '2026-11-17', ledger_from: '2026-11-17' });
  const rent = {
    lease_id: lease.id,
    kind: 'rent',
    amount_cents: 70_000,
    due_on: '2026-12-03',
    period: '2026-12',
  };
  const { id } = (await own.post('/charges', rent)).body.data;
  itIs(service, '2026-12-05');
  await turnDays(service, own.accountId);
  const december = async () => (await chargesOf(own, lease.id)).filter((line) => line.startsWith('2026-12'));
  expect(await december()).toEqual(['2026-12-03 rent 700.00 open 700.00']);
  expect((await own.post(`/charges/${id}/void`, { reason: 'Wrong' })).status).toBe(200);
  expect(await december()).toEqual([
    '2026-12-01 rent 1000.00 open 1000.00',
    '2026-12-03 rent 700.00 voided 0.00 Wrong',
  ]);
});

test('what a person voids is not charged again when the lease is moved to a day that is yet to be posted', async () => {
  const own = await service.client();
  await startClock(service, own.accountId);
  const lease = await octoberLease(own, {
    start_date: '2026-11-20',
    ledger_from: '2026-11-17',
    deposit_cents: 500,
  });
  for (const { id } of (await own.get(`/charges?lease_id=${lease.id}`)).body.data)
    expect((await own.post(`/charges/${id}/void`, { reason: 'Not agreed' })).status).toBe(200);
  expect((await own.patch(`/leases/${lease.id}`, { start_date: '2026-11-27' })).status).toBe(200);
  itIs(service, '2026-11-27');
  await turnDays(service, own.accountId);
  expect(await chargesOf(own, lease.id)).toEqual([
    '2026-11-20 deposit 5.00 voided 0.00 Not agreed',
    '2026-11-20 rent 366.67 voided 0.00 Not agreed',
    '2026-12-01 rent 1000.00 upcoming 1000.00',
  ]);
});

test('a month has one rent: by hand, or by the schedule', async () => {
  const lease = await octoberLease(client);
  const rent = {
    lease_id: lease.id,
    kind: 'rent',
    amount_cents: 90_000,
    due_on: '2026-12-01',
    period: '2026-12',
  };
  expectError(
    await client.post('/charges', { ...rent, period: '2026-11' }),
    409,
    /already charged rent for that month/,
  );
  expect((await client.post('/charges', rent)).status).toBe(201);
  expectError(await client.post('/charges', rent), 409, /already charged/);
  itIs(service, '2026-11-30');
  await client.patch(`/leases/${lease.id}`, { deposit_cents: 1 });
  expect((await chargesOf(client, lease.id)).filter((line) => line.startsWith('2026-12'))).toEqual([
    '2026-12-01 rent 900.00 upcoming 900.00',
  ]);
});

test('after twenty simultaneous changes of a lease, each charge exists once', async () => {
  const lease = await octoberLease(client);
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => client.patch(`/leases/${lease.id}`, { rent_cents: 100_000 + n })),
  );
  const standing = (await chargesOf(client, lease.id)).filter((line) => !line.includes('voided'));
  expect(standing).toHaveLength(2);
});

test('payments pay the oldest first, deposits last, and what is left waits for the next', async () => {
  const lease = await octoberLease(client, { deposit_cents: 50_000 });
  await pay(lease, 100_000, { paid_on: '2026-10-12' });
  expect(await chargesOf(client, lease.id)).toEqual([
    '2026-10-10 deposit 500.00 open 500.00',
    '2026-10-10 rent 709.68 paid 0.00',
    '2026-11-01 rent 1000.00 partial 709.68',
  ]);
  await pay(lease, 200_000);
  expect((await chargesOf(client, lease.id)).every((line) => line.endsWith('paid 0.00'))).toBe(true);
  const late = await charge({ lease_id: lease.id, due_on: '2026-11-17' });
  expect(late).toMatchObject({ status: 'paid', open_cents: 0 });
});

test('money for a charge is for the one that is made in its place when the terms of the lease change', async () => {
  const lease = await octoberLease(client, { deposit_cents: 50_000 });
  const parking = { lease_id: lease.id, kind: 'parking', amount_cents: 8_000, starts_on: '2026-11-05' };
  const { id } = (await client.post('/recurring-charges', parking)).body.data;
  const { data } = (await client.get(`/charges?lease_id=${lease.id}`)).body;
  const chargeOf = (kind: string) => data.find((charge: { kind: string }) => charge.kind === kind).id;
  await pay(lease, 50_000, { charge_id: chargeOf('deposit') });
  await pay(lease, 60_000, { charge_id: chargeOf('rent') });
  const credit = { lease_id: lease.id, reason: 'concession', amount_cents: 3_000, credited_on: '2026-11-05' };
  await client.post('/credits', { ...credit, charge_id: chargeOf('parking') });

  await client.patch(`/leases/${lease.id}`, { start_date: '2026-10-11', rent_cents: 110_000 });
  await client.patch(`/recurring-charges/${id}`, { amount_cents: 9_000, from: '2026-11-01' });
  const standing = (await chargesOf(client, lease.id)).filter((line) => !line.includes('voided'));
  expect(standing).toEqual([
    '2026-10-11 deposit 500.00 paid 0.00',
    '2026-10-11 rent 745.16 open 745.16',
    '2026-11-01 rent 1100.00 partial 500.00',
    '2026-11-05 parking 90.00 partial 60.00',
  ]);
  const balance = async () => (await client.get(`/balances?tenant_id=${lease.tenant_ids[0]}`)).body.data[0];
  expect(await balance()).toMatchObject({ deposit_held: '500.00', balance: '1305.16' });
  const ledger = (await client.get(`/leases/${lease.id}/ledger`)).body.data;
  expect(ledger.deposit_held).toBe('500.00');
  expect(
    ledger.entries.map(({ open }: { open: string }) => open).filter((open: string) => open !== '0.00'),
  ).toEqual(['745.16', '500.00', '60.00']);

  // A person who voids the deposit means it, so no other deposit is charged in its place.
  const [deposit] = (await client.get(`/charges?lease_id=${lease.id}&kind=deposit&status=paid`)).body.data;
  await client.post(`/charges/${deposit.id}/void`, { reason: 'None was agreed' });
  await client.patch(`/leases/${lease.id}`, { start_date: '2026-10-10' });
  expect(await balance()).toMatchObject({ deposit_held: '0.00' });
});

test('charges are filtered by lease, tenant, property, kind, status, what is overdue, and due day', async () => {
  const own = await service.client();
  const lease = await octoberLease(own);
  const other = await octoberLease(own, { start_date: '2026-11-01' });
  await own.post('/payments', {
    tenant_id: lease.tenant_ids[0],
    amount_cents: 80_000,
    paid_on: '2026-11-02',
  });
  const all = await ids('', own);
  const [theirs, november, october] = all as [string, string, string];
  const fee = (
    await own.post('/charges', { lease_id: other.id, kind: 'fee', amount_cents: 5, due_on: '2026-11-17' })
  ).body.data.id;
  const found = (query: string) => ids(query, own);
  expect(await found(`lease_id=${lease.id}`)).toEqual([november, october]);
  expect(await found(`tenant_id=${other.tenant_ids[0]}`)).toEqual([fee, theirs]);
  expect(await found(`property_id=${other.property_id}`)).toEqual([fee, theirs]);
  expect(await found('kind=fee')).toEqual([fee]);
  expect(await found('kind=fee,rent&limit=2')).toEqual([fee, theirs]);
  expect(await found('status=paid')).toEqual([october]);
  expect(await found('status=partial')).toEqual([november]);
  expect(await found('status=open')).toEqual([fee, theirs]);
  expect(await found('status=open,partial')).toEqual([fee, theirs, november]);
  expect(await found('status=upcoming,voided')).toEqual([]);
  expect(await found('overdue=true')).toEqual([theirs, november]);
  expect(await found('overdue=false')).toEqual([fee, october]);
  expect(await found('from=2026-10-10&to=2026-10-31')).toEqual([october]);
  expect(await found('from=2026-11-02')).toEqual([fee]);
  for (const query of [
    'kind=gift',
    'status=late',
    'overdue=maybe',
    'from=x',
    'from=2026-02-02&to=2026-01-01',
  ])
    expect((await own.get(`/charges?${query}`)).status, query).toBe(400);
});
