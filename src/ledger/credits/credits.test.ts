import { beforeEach, expect, test } from 'vitest';
import { chargesOf, itIs, octoberLease } from '../../../test/support/ledger.ts';
import { nounTests } from '../../../test/support/noun.ts';
import {
  expectError,
  expectInvalid,
  refusesValues,
  unknownId,
  wrongCents,
} from '../../../test/support/records.ts';

const { client, eventNames, expectCreated, ids, service } = await nounTests('/credits', 'credit', 'crd');
beforeEach(() => itIs(service, '2026-11-17'));

const credit = (fields: object) =>
  client.post('/credits', { reason: 'concession', amount_cents: 10_000, ...fields });
const chargeOf = async (leaseId: string, query: string) =>
  (await client.get(`/charges?lease_id=${leaseId}&${query}`)).body.data[0];

test('a credit needs a lease, an amount and a reason, and is dated today', async () => {
  const lease = await octoberLease(client);
  await expectCreated(
    { lease_id: lease.id, amount_cents: 10_000, reason: 'write_off' },
    {
      lease_id: lease.id,
      property_id: lease.property_id,
      unit_id: lease.unit_id,
      amount_cents: 10_000,
      amount: '100.00',
      currency: 'USD',
      credited_on: '2026-11-17',
      reason: 'write_off',
      charge_id: null,
      memo: null,
      external_id: null,
      source: 'api',
      voided_on: null,
      void_reason: null,
      status: 'active',
    },
  );
  await refusesValues((fields) => credit({ lease_id: lease.id, ...fields }), {
    lease_id: [undefined, null, 'lease_1', unknownId('lease')],
    amount_cents: [undefined, null, ...wrongCents],
    reason: [undefined, null, 'luck'],
    charge_id: ['chg_1', unknownId('chg')],
  });
});

test('a credit pays the charge that it names first, then the oldest', async () => {
  const lease = await octoberLease(client);
  const november = await chargeOf(lease.id, 'from=2026-11-01');
  await credit({ lease_id: lease.id, charge_id: november.id, amount_cents: 120_000 });
  expect(await chargesOf(client, lease.id)).toEqual([
    '2026-10-10 rent 709.68 partial 509.68',
    '2026-11-01 rent 1000.00 paid 0.00',
  ]);
  const other = await octoberLease(client);
  expectInvalid(await credit({ lease_id: other.id, charge_id: november.id }), 'charge_id', /of this lease/);
  await client.post(`/charges/${november.id}/void`, { reason: 'x' });
  expectError(await credit({ lease_id: lease.id, charge_id: november.id }), 409, /is voided/);
});

test('a voided credit no longer counts', async () => {
  const lease = await octoberLease(client);
  const { id } = (await credit({ lease_id: lease.id })).body.data;
  const path = `/credits/${id}/void`;
  expect(await eventNames(() => client.post(path, { reason: 'A mistake' }))).toEqual(['credit.updated']);
  expect((await client.get(`/credits/${id}`)).body.data).toMatchObject({
    status: 'voided',
    voided_on: '2026-11-17',
    void_reason: 'A mistake',
  });
  expect((await chargesOf(client, lease.id))[0]).toBe('2026-10-10 rent 709.68 open 709.68');
  expectError(await client.post(path, { reason: 'Again' }), 409, /already been voided/);
  expectError(await client.post(`/credits/${unknownId('crd')}/void`, { reason: 'x' }), 404, 'Not found');
});

test('a deposit pays debts, and is given back, as far as it is held', async () => {
  const lease = await octoberLease(client, { deposit_cents: 50_000 });
  const refund = (amount_cents: number, fields: object = {}) =>
    client.post(`/leases/${lease.id}/deposit-refunds`, { amount_cents, ...fields });
  expectError(await refund(1), 409, /Only 0.00 USD is held/);
  expectError(
    await client.post(`/leases/${unknownId('lease')}/deposit-refunds`, { amount_cents: 1 }),
    404,
    'Not found',
  );
  const deposit = await chargeOf(lease.id, 'kind=deposit');
  const paid = { tenant_id: lease.tenant_ids[0], amount_cents: 50_000, charge_id: deposit.id };
  expect((await client.post('/payments', { ...paid, paid_on: '2026-10-20' })).status).toBe(201);
  expectError(
    await credit({ lease_id: lease.id, reason: 'deposit', amount_cents: 50_001 }),
    409,
    /Only 500.00/,
  );
  // On that day no deposit was held yet.
  expectError(
    await credit({ lease_id: lease.id, reason: 'deposit', amount_cents: 1, credited_on: '2026-10-19' }),
    409,
    /Only 0.00/,
  );
  expect((await credit({ lease_id: lease.id, reason: 'deposit', amount_cents: 20_000 })).status).toBe(201);
  expect((await chargesOf(client, lease.id))[1]).toBe('2026-10-10 rent 709.68 partial 509.68');
  // What is taken out later is not available earlier, either.
  expectError(
    await refund(30_001, { refunded_on: '2026-10-25' }),
    409,
    'Only 300.00 USD is held of the deposit on 2026-10-25 and all later days.',
  );
  const { status, body } = await refund(30_000, { memo: 'By cheque' });
  expect([status, body.data]).toMatchObject([
    201,
    { amount: '300.00', refunded_on: '2026-11-17', memo: 'By cheque' },
  ]);
  expectError(await refund(1), 409, /Only 0.00/);
});

test('of two simultaneous withdrawals of a deposit, one succeeds', async () => {
  const lease = await octoberLease(client, { deposit_cents: 50_000 });
  const { id: charge_id } = await chargeOf(lease.id, 'kind=deposit');
  await client.post('/payments', { tenant_id: lease.tenant_ids[0], amount_cents: 50_000, charge_id });
  const answers = await Promise.all([
    client.post(`/leases/${lease.id}/deposit-refunds`, { amount_cents: 40_000 }),
    credit({ lease_id: lease.id, reason: 'deposit', amount_cents: 40_000 }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
});

test('credits are filtered by lease, tenant, property, reason, status and day', async () => {
  const own = await service.client();
  const [one, two] = [await octoberLease(own), await octoberLease(own)];
  const give = async (lease: { id: string }, fields: object): Promise<string> =>
    (await own.post('/credits', { lease_id: lease.id, amount_cents: 5, reason: 'concession', ...fields }))
      .body.data.id;
  const a = await give(one, { credited_on: '2026-11-01' });
  const b = await give(two, { reason: 'adjustment' });
  const c = await give(two, {});
  await own.post(`/credits/${c}/void`, { reason: 'x' });
  const found = (query: string) => ids(query, own);
  expect(await found('')).toEqual([c, b, a]);
  expect(await found(`lease_id=${two.id}`)).toEqual([c, b]);
  expect(await found(`tenant_id=${one.tenant_ids[0]}`)).toEqual([a]);
  expect(await found(`property_id=${two.property_id}&reason=adjustment`)).toEqual([b]);
  expect(await found('status=active')).toEqual([b, a]);
  expect(await found('status=voided&from=2026-11-02')).toEqual([c]);
  expect(await found('to=2026-11-01')).toEqual([a]);
});
