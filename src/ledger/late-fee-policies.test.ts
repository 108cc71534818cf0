import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { importAll } from '../../test/support/csv.ts';
import { make } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { sql } from '../db/sql.ts';
import { parseId } from '../ids.ts';
import { policiesFor } from './late-fee-policies.ts';

let service: Service;
let client: Client;
const on = (day: string) => {
  service.app.now = () => new Date(`${day}T12:00:00Z`);
};
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());
beforeEach(async () => {
  on('2026-06-10');
  client = await service.client();
});

const policy = (grace_days: number) => ({
  grace_days,
  first: { fixed_cents: 5_000 },
  daily: null,
  cap_cents: null,
  min_open_cents: 0,
});

const count = async (): Promise<number> => {
  const [row] = await service.database.db.query<{ count: number }>(
    sql`select count(*)::integer as count from late_fee_policies where account_id = ${client.accountId}`,
  );
  return row?.count ?? 0;
};

/** How many days of grace the rents of a lease have, by due day. Null for a rent that gets no late fee. */
async function graceOn(leaseId: string, ...dueDays: string[]): Promise<(number | null)[]> {
  const id = parseId('lease', leaseId) ?? '';
  const property = parseId('prop', (await client.get(`/leases/${leaseId}`)).body.data.property_id) ?? '';
  const policies = await policiesFor(service.database.db, client.accountId, [id]);
  return dueDays.map((day) => policies(id, property)?.(day)?.grace_days ?? null);
}

const days = ['2026-06-01', '2026-06-10', '2026-06-11', '2026-07-01', '2026-08-01'] as const;

test('records that inherit leave no trace, however they are made or changed', async () => {
  const lease = await make.lease(client);
  await client.patch(`/leases/${lease.id}`, { due_day: 5, late_fees: 'inherit' });
  await client.patch(`/properties/${lease.property_id}`, { name: 'Oak', late_fees: 'inherit' });
  await client.patch('/account', { name: 'Casa Verde', late_fees: null });
  await importAll(service, client, { properties: 'name\nElm Street\n' });
  expect(await count()).toBe(0);
  expect(await graceOn(lease.id, ...days)).toEqual([null, null, null, null, null]);
});

test("the account's policy holds from the day after it was set, and what was due before keeps its own", async () => {
  const lease = await make.lease(client);
  await client.patch('/account', { late_fees: policy(3) });
  expect(await graceOn(lease.id, ...days)).toEqual([null, null, 3, 3, 3]);
  on('2026-07-01');
  await client.patch('/account', { late_fees: policy(9) });
  expect(await graceOn(lease.id, ...days)).toEqual([null, null, 3, 3, 9]);
  on('2026-07-02');
  await client.patch('/account', { late_fees: null });
  expect(await graceOn(lease.id, ...days)).toEqual([null, null, 3, 3, null]);
  expect(await count()).toBe(4);
});

test('the property beats the account, and the lease beats both, each from its own day on', async () => {
  await client.patch('/account', { late_fees: policy(1) });
  const lease = await make.lease(client);
  const other = await make.lease(client);
  on('2026-06-20');
  const changed = await client.patch(`/properties/${lease.property_id}`, { late_fees: policy(2) });
  expect(changed.body.data.late_fees).toEqual(policy(2));
  expect(await graceOn(lease.id, '2026-06-11', '2026-06-20', '2026-06-21')).toEqual([1, 1, 2]);
  on('2026-07-01');
  await client.patch(`/leases/${lease.id}`, { late_fees: 'none' });
  expect(await graceOn(lease.id, ...days)).toEqual([null, null, 1, 2, null]);
  await client.patch(`/leases/${lease.id}`, { late_fees: 'inherit' });
  await client.patch(`/properties/${lease.property_id}`, { late_fees: 'inherit' });
  expect(await graceOn(lease.id, ...days)).toEqual([null, null, 1, 2, 1]);
  expect(await graceOn(other.id, ...days)).toEqual([null, null, 1, 1, 1]);
});

test('a record that is made with a policy has it from the day after', async () => {
  await client.patch('/account', { late_fees: policy(1) });
  on('2026-06-30');
  const alone = await make.property(client, { late_fees: policy(2) });
  expect(alone.late_fees).toEqual(policy(2));
  const withUnits = await make.property(client, { late_fees: 'none', units: [{ name: '1' }] });
  const [unit] = (await client.get(`/units?property_id=${withUnits.id}`)).body.data;
  const leases = [
    await make.lease(client, { unit_id: (await make.unit(client, { property_id: alone.id })).id }),
    await make.lease(client, { unit_id: unit.id }),
    await make.lease(client, { late_fees: policy(4) }),
  ];
  const found = await Promise.all(
    leases.map(({ id }) => graceOn(id, '2026-06-15', '2026-06-30', '2026-07-01')),
  );
  expect(found).toEqual([
    [null, null, 2],
    [null, null, null],
    [null, null, 4],
  ]);
});

test('histories of several leases are read at once, each with its own property', async () => {
  const leases = [await make.lease(client), await make.lease(client)];
  await client.patch(`/properties/${leases[0].property_id}`, { late_fees: policy(1) });
  await client.patch(`/properties/${leases[1].property_id}`, { late_fees: policy(2) });
  const ids = leases.map(({ id }) => parseId('lease', id) ?? '');
  const policies = await policiesFor(service.database.db, client.accountId, ids);
  const found = leases.map(({ id, property_id }) =>
    policies(parseId('lease', id) ?? '', parseId('prop', property_id) ?? '')?.('2026-07-01'),
  );
  expect(found).toEqual([policy(1), policy(2)]);
});

test('nobody sees or changes the policies of another account', async () => {
  const lease = await make.lease(client, { late_fees: policy(3) });
  const stranger = await service.client();
  await stranger.patch('/account', { late_fees: policy(7) });
  expect(await graceOn(lease.id, '2026-07-01')).toEqual([3]);
  const id = parseId('lease', lease.id) ?? '';
  const policies = await policiesFor(service.database.db, stranger.accountId, [id]);
  expect(policies(id, parseId('prop', lease.property_id) ?? '')?.('2026-07-01')).toEqual(policy(7));
});

test('what is refused leaves no policy behind', async () => {
  const lease = await make.lease(client);
  const refused = await client.patch(`/leases/${lease.id}`, { late_fees: policy(3), end_date: '2020-01-01' });
  expect(refused.status).toBe(400);
  expect((await client.post('/properties', { name: '', late_fees: policy(3) })).status).toBe(400);
  expect(await count()).toBe(0);
});
