import { beforeEach, expect, test } from 'vitest';
import { chargesOf, itIs, octoberLease } from '../../../test/support/ledger.ts';
import { nounTests } from '../../../test/support/noun.ts';
import {
  expectError,
  expectInvalid,
  refusesValues,
  unknownId,
  wrongCents,
  wrongDates,
} from '../../../test/support/records.ts';

const { client, eventNames, ids, service } = await nounTests('/recurring-charges', 'charge', 'rec');
beforeEach(() => itIs(service, '2026-11-17'));

const parking = async (leaseId: string, fields: object = {}) => {
  const body = {
    lease_id: leaseId,
    kind: 'parking',
    amount_cents: 5_000,
    starts_on: '2026-10-31',
    ...fields,
  };
  const answer = await client.post('/recurring-charges', body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
};
const change = (id: string, fields: object) => client.patch(`/recurring-charges/${id}`, fields);
const parkingOf = async (leaseId: string) =>
  (await chargesOf(client, leaseId)).filter((line) => line.includes('parking') && !line.includes('voided'));

test('a recurring charge is charged while the lease runs, and shows when it is due next', async () => {
  const lease = await octoberLease(client, { end_date: '2027-01-30' });
  const names = await eventNames(async () => {
    expect(await parking(lease.id)).toEqual({
      id: expect.stringMatching(/^rec_[0-9a-f]{32}$/),
      lease_id: lease.id,
      property_id: lease.property_id,
      unit_id: lease.unit_id,
      kind: 'parking',
      amount_cents: 5_000,
      amount: '50.00',
      currency: 'USD',
      every: 'month',
      starts_on: '2026-10-31',
      ends_on: null,
      amount_changes: [],
      memo: null,
      external_id: null,
      source: 'api',
      next_due_on: '2026-11-30',
      created_at: expect.anything(),
      updated_at: expect.anything(),
    });
  });
  expect(names).toEqual(['charge.created']);
  expect(await parkingOf(lease.id)).toEqual(['2026-10-31 parking 50.00 open 50.00']);
  const [last] = (await client.get(`/charges?lease_id=${lease.id}&kind=parking`)).body.data;
  expect(last).toMatchObject({ source: 'schedule', recurring_charge_id: expect.stringMatching(/^rec_/) });
  await client.patch(`/leases/${lease.id}`, { end_date: '2026-10-30' });
  expect(await parkingOf(lease.id)).toEqual([]);
});

test.each([
  ['week', ['2026-10-31', '2026-11-07', '2026-11-14', '2026-11-21']],
  ['two_weeks', ['2026-10-31', '2026-11-14']],
  ['quarter', ['2026-10-31']],
  ['year', ['2026-10-31']],
])('every %s: %s', async (every, days) => {
  const lease = await octoberLease(client);
  await parking(lease.id, { every });
  expect((await parkingOf(lease.id)).map((line) => line.slice(0, 10))).toEqual(days);
});

test('it charges nothing before the lease begins, also when the lease begins later than it did', async () => {
  const begun = { start_date: '2026-10-01', ledger_from: '2026-10-01' };
  const lease = await octoberLease(client, begun);
  const early = await parking(lease.id, { starts_on: '2026-09-10' });
  expect(await parkingOf(lease.id)).toEqual([
    '2026-10-10 parking 50.00 open 50.00',
    '2026-11-10 parking 50.00 open 50.00',
  ]);
  await client.patch(`/leases/${lease.id}`, { start_date: '2026-10-15' });
  expect(await parkingOf(lease.id)).toEqual(['2026-11-10 parking 50.00 open 50.00']);
  await client.patch(`/leases/${lease.id}`, begun);
  expect(await parkingOf(lease.id)).toHaveLength(2);
  // A lease that is called off charges nothing at all.
  await client.patch(`/leases/${lease.id}`, { ended_on: '2026-10-01' });
  expect(await parkingOf(lease.id)).toEqual([]);
  expect((await client.get(`/recurring-charges/${early.id}`)).body.data.next_due_on).toBeNull();
});

test('it changes from a day on, and posted charges that no longer fit are replaced', async () => {
  const lease = await octoberLease(client);
  const { id } = await parking(lease.id, { starts_on: '2026-10-15' });
  expect(await parkingOf(lease.id)).toHaveLength(2);
  expect((await change(id, { amount_cents: 6_000 })).body.data).toMatchObject({
    amount_cents: 5_000,
    amount_changes: [{ from: '2026-12-15', amount_cents: 6_000 }],
  });
  await change(id, { amount_cents: 7_000, from: '2026-11-01' });
  expect(await parkingOf(lease.id)).toEqual([
    '2026-10-15 parking 50.00 open 50.00',
    '2026-11-15 parking 70.00 open 70.00',
  ]);
  const ended = await change(id, { ends_on: '2026-11-10', memo: 'Car sold' });
  expect(ended.body.data).toMatchObject({ ends_on: '2026-11-10', next_due_on: null, memo: 'Car sold' });
  expect(await parkingOf(lease.id)).toEqual(['2026-10-15 parking 50.00 open 50.00']);
  expect((await change(id, { ends_on: null })).body.data.next_due_on).toBe('2026-12-15');
  expect(await parkingOf(lease.id)).toHaveLength(2);
  expect(await eventNames(() => change(id, { memo: 'Car sold' }))).toEqual([]);
});

test('one that has ended can continue with another amount', async () => {
  const lease = await octoberLease(client);
  const { id } = await parking(lease.id, { ends_on: '2026-11-10' });
  expectError(await change(id, { amount_cents: 6_000 }), 409, /has ended/);
  const { body } = await change(id, { amount_cents: 6_000, ends_on: '2026-12-31' });
  expect(body.data).toMatchObject({
    next_due_on: '2026-11-30',
    amount_changes: [{ from: '2026-11-11', amount_cents: 6_000 }],
  });
  expect(await parkingOf(lease.id)).toEqual(['2026-10-31 parking 50.00 open 50.00']);
});

test('wrong values are refused by the name of their field', async () => {
  const lease = await octoberLease(client);
  const right = { lease_id: lease.id, kind: 'pet', amount_cents: 1, starts_on: '2026-11-01' };
  await refusesValues((fields) => client.post('/recurring-charges', { ...right, ...fields }), {
    lease_id: [undefined, unknownId('lease')],
    kind: [undefined, 'rent', 'gift'],
    amount_cents: [undefined, ...wrongCents],
    every: ['day', null],
    starts_on: [undefined, ...wrongDates],
    ends_on: ['2026-10-31', ...wrongDates],
  });
  const { id } = await parking(lease.id);
  await refusesValues((fields) => change(id, fields), { amount_cents: wrongCents, ends_on: ['2026-10-30'] });
  expectInvalid(await change(id, { from: '2026-11-01' }), 'amount_cents', /with `from`/);
  expect((await change(unknownId('rec'), { memo: 'x' })).status).toBe(404);
});

test('recurring charges are filtered by lease, tenant, property and kind', async () => {
  const [one, two] = [await octoberLease(client), await octoberLease(client)];
  const [a, b] = [await parking(one.id), await parking(two.id, { kind: 'pet' })];
  expect(await ids(`lease_id=${one.id}`)).toEqual([a.id]);
  expect(await ids(`tenant_id=${two.tenant_ids[0]}`)).toEqual([b.id]);
  expect(await ids(`property_id=${one.property_id}&kind=parking,pet`)).toEqual([a.id]);
  expect(await ids(`property_id=${one.property_id}&kind=pet`)).toEqual([]);
});

test('a weekly charge for more than a century is refused, and nothing is charged', async () => {
  const lease = await octoberLease(client, {
    start_date: '1900-01-01',
    ledger_from: '1900-01-01',
    rent_cents: 1,
  });
  const before = await chargesOf(client, lease.id);
  const weekly = {
    lease_id: lease.id,
    kind: 'parking',
    amount_cents: 100,
    every: 'week',
    starts_on: '1900-01-01',
  };
  expectError(await client.post('/recurring-charges', weekly), 409, /at most 5,000 charges/);
  expect(await chargesOf(client, lease.id)).toEqual(before);
  // Ending the lease makes fewer charges, and is never refused.
  expect((await client.patch(`/leases/${lease.id}`, { ended_on: '2026-11-17' })).status).toBe(200);
});

test('a rent that somebody dated far ahead does not count as scheduled until then', async () => {
  const lease = await octoberLease(client);
  const weekly = { lease_id: lease.id, kind: 'parking', amount_cents: 100, every: 'week' };
  await client.post('/recurring-charges', { ...weekly, starts_on: '2026-11-05' });
  const rent = { lease_id: lease.id, kind: 'rent', amount_cents: 100_000, period: '2026-12' };
  expect((await client.post('/charges', { ...rent, due_on: '2206-12-01' })).status).toBe(201);
  const changed = await client.patch(`/leases/${lease.id}`, { rent_cents: 90_000 });
  expect(changed.status, changed.text).toBe(200);
  expect((await client.get(`/leases/${lease.id}/renew`)).status).toBe(200);
  expect((await chargesOf(client, lease.id)).at(-1)).toMatch(/^2206-12-01 rent 1000.00/);
});

test('a recurring charge has the currency of its lease, also after that changes', async () => {
  const lease = await octoberLease(client);
  const { id } = await parking(lease.id);
  await client.patch(`/leases/${lease.id}`, { currency: 'JPY' });
  const { data } = (await client.get(`/recurring-charges/${id}`)).body;
  expect(data).toMatchObject({ amount: '5000', currency: 'JPY' });
  expect(await parkingOf(lease.id)).toEqual(['2026-10-31 parking 5000 open 5000']);
});
