import { afterAll, beforeAll, expect, test } from 'vitest';
import { importAll } from '../../test/support/csv.ts';
import { countLockWaits } from '../../test/support/database.ts';
import { envelope } from '../../test/support/envelope.ts';
import { holdDeposit, itIs } from '../../test/support/ledger.ts';
import { until } from '../../test/support/process.ts';
import { dumpOf, eventsDuring, expectError, make } from '../../test/support/records.ts';
import { type Answer, type Client, type Service, testService } from '../../test/support/service.ts';
import { raw, sql } from '../db/sql.ts';
import { parseId } from '../ids.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
});
afterAll(() => service.close());

const maple = { late_fees: { grace_days: 5, first: { fixed_cents: 5000 } } };
const unused = [
  { path: '/properties', made: () => make.property(client, maple) },
  { path: '/units', made: () => make.unit(client) },
  { path: '/tenants', made: () => make.tenant(client) },
  { path: '/leases', made: () => make.lease(client, maple) },
];

test.each(unused)(
  '$path that nothing refers to can be deleted, and their history stays',
  async ({ path, made }) => {
    const { id, tenant_ids } = (await made()) as { id: string; tenant_ids?: string[] };
    await client.post(`${path}/${id}/notes`, { note: 'Made by mistake' });
    const other = await service.client();
    expectError(await other.delete(`${path}/${id}`), 404, 'Not found');
    const answer = await client.delete(`${path}/${id}`);
    expect([answer.status, answer.body]).toEqual([200, { data: { id, deleted: true } }]);
    expectError(await client.get(`${path}/${id}`), 404, 'Not found');
    expectError(await client.delete(`${path}/${id}`), 404, 'Not found');
    expectError(await client.post(`${path}/${id}/notes`, { note: 'Too late' }), 404, 'Not found');
    expect((await client.get(path)).text).not.toContain(id);
    const { body } = await client.get(`${path}/${id}/history`);
    expect(body.data[0]).toMatchObject({
      action: 'deleted',
      actor: { type: 'key', name: 'test' },
      changes: tenant_ids ? [{ field: 'tenant_ids', from: tenant_ids, to: [] }] : null,
    });
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['noted', 'created']),
    );
    const [entry] = await service.database.db.query(sql`
    select subject, actor_type from audit_log where account_id = ${client.accountId} and action = 'record.deleted'
    order by id desc limit 1`);
    expect(entry).toEqual({ subject: id, actor_type: 'key' });
  },
);

function expectInUse(answer: Answer, message: string, references: object[]): void {
  expect([answer.status, answer.body]).toEqual([
    409,
    envelope(409, message, { type: 'record_in_use', details: { references } }),
  ]);
}

test('a refusal names what refers to the record, in words and for programs, and nothing is deleted', async () => {
  const own = await service.client();
  const property = await make.property(own);
  const units = [];
  for (const _ of Array(6)) units.push((await make.unit(own, { property_id: property.id })).id);
  const [unit_id] = units;
  const tenant = await make.tenant(own);
  const lease = await make.lease(own, { unit_id, tenant_ids: [tenant.id] });
  const payment = await make.payment(own, { tenant_id: tenant.id, status: 'voided' });
  const request = await make.maintenance(own, { property_id: property.id, unit_id, tenant_id: tenant.id });
  const before = await dumpOf(service, own.accountId);

  const cannot = 'so it cannot be deleted.';
  const one = (type: string, id: string) => ({ type, count: 1, ids: [id] });
  const requests = one('maintenance_request', request.id);
  expectInUse(
    await own.delete(`/properties/${property.id}`),
    `6 units and 1 maintenance request refer to this property, ${cannot} Archive it instead.`,
    [{ type: 'unit', count: 6, ids: units.toReversed().slice(0, 5) }, requests],
  );
  expectInUse(
    await own.delete(`/units/${unit_id}`),
    `1 lease and 1 maintenance request refer to this unit, ${cannot} Take it offline instead.`,
    [one('lease', lease.id), requests],
  );
  expectInUse(
    await own.delete(`/tenants/${tenant.id}`),
    `1 lease, 1 payment, and 1 maintenance request refer to this tenant, ${cannot} Records of money and repairs stay.`,
    [one('lease', lease.id), one('payment', payment.id), requests],
  );
  expectInUse(
    await own.delete(`/leases/${lease.id}`),
    `1 payment refers to this lease, ${cannot} End it instead.`,
    [one('payment', payment.id)],
  );
  expect(await dumpOf(service, own.accountId)).toBe(before);
});

test('a limited key learns how many there are, but no ids that it may not read', async () => {
  const { id, property_id } = await make.unit(client);
  const ofProperties = await service.client({ accountId: client.accountId, scopes: ['properties'] });
  expectInUse(
    await ofProperties.delete(`/properties/${property_id}`),
    '1 unit refers to this property, so it cannot be deleted. Archive it instead.',
    [{ type: 'unit', count: 1, ids: [] }],
  );
  expectError(await ofProperties.delete(`/units/${id}`), 403, /lacks the scope units/);
});

/** A lease of the last months. Rent, a deposit and parking are posted, late fees are charged, and nothing is paid. */
async function leaseWithCharges(own: Client) {
  const { now } = service.app;
  // A policy applies to what falls due after it was set.
  itIs(service, '2026-07-20');
  const lease = await make.lease(own, { ...maple, start_date: '2026-08-01', deposit_cents: 50_000 });
  service.app.now = now;
  const parking = { lease_id: lease.id, kind: 'parking', amount_cents: 700, starts_on: '2026-09-01' };
  expect((await own.post('/recurring-charges', { ...parking, every: 'month' })).status).toBe(201);
  const charges = (await own.get(`/charges?lease_id=${lease.id}`)).body.data;
  const kinds = new Set(charges.map(({ kind }: { kind: string }) => kind));
  expect([...kinds].sort()).toEqual(['deposit', 'late_fee', 'parking', 'rent']);
  return { lease, charges };
}

test('a lease is deleted with what it charged by itself, which is voided with events; unit and tenant are free again', async () => {
  const own = await service.client();
  const { lease, charges } = await leaseWithCharges(own);
  const [first] = charges;
  expect((await own.post(`/charges/${first.id}/void`, { reason: 'Wrong' })).status).toBe(200);
  const standing = (await own.get(`/charges?lease_id=${lease.id}`)).body.data.filter(
    ({ status }: { status: string }) => status !== 'voided',
  );
  const events = await eventsDuring(service, own, async () => {
    expect((await own.delete(`/leases/${lease.id}`)).status).toBe(200);
  });
  const told = events.map(({ body }) => JSON.parse(body));
  const voided = told.filter(({ event }) => event === 'charge.updated');
  expect(voided.map(({ data }) => data.charge.id).sort()).toEqual(
    standing.map(({ id }: { id: string }) => id).sort(),
  );
  for (const { data } of voided)
    expect(data.charge).toMatchObject({ status: 'voided', void_reason: 'lease_deleted', open_cents: 0 });
  expect(told.find(({ event }) => event === 'unit.updated').data.unit.status).toBe('vacant');
  expect(told.find(({ event }) => event === 'tenant.updated').data.tenant).toMatchObject({
    lease: null,
    unit: null,
    lease_status: 'none',
  });
  expect(told.map(({ event }) => event)).not.toContain('lease.updated');

  const { body } = await own.get(`/charges/${first.id}/history`);
  expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
    'deleted',
    'updated',
    'created',
  ]);
  const id = parseId('lease', lease.id);
  for (const table of ['charges', 'recurring_charges', 'lease_tenants', 'lease_schedules', 'open_spans'])
    expect(
      await service.database.db.query(
        sql`select from ${raw(table)} where account_id = ${own.accountId} and lease_id = ${id}`,
      ),
      table,
    ).toEqual([]);
  expect((await own.get('/balances')).body.data).toEqual([]);
  // Repeating it is allowed, and then the unit, the tenant and the property can be deleted too.
  const again = await make.lease(own, { unit_id: lease.unit_id, tenant_ids: lease.tenant_ids });
  for (const path of [
    `/leases/${again.id}`,
    `/units/${lease.unit_id}`,
    `/tenants/${lease.tenant_ids[0]}`,
    `/properties/${lease.property_id}`,
  ])
    expect((await own.delete(path)).status, path).toBe(200);
});

test('a lease with payments, or with charges that somebody made, is not deleted', async () => {
  const lease = await make.lease(client);
  const refusal = async () => (await client.delete(`/leases/${lease.id}`)).body.error;
  const charge = { lease_id: lease.id, kind: 'repair', amount_cents: 500, due_on: '2026-11-01' };
  const { body } = await client.post('/charges', charge);
  await client.post(`/charges/${body.data.id}/void`, { reason: 'Wrong' });
  expect((await refusal()).message).toMatch(/^1 charge refers/);
  await holdDeposit(client, lease.id, '2026-01-01');
  await client.post(`/leases/${lease.id}/deposit/refunds`, { amount_cents: 100 });
  const types = (await refusal()).details.references.map(({ type }: { type: string }) => type);
  expect(types).toEqual(expect.arrayContaining(['charge', 'credit']));

  const opened = await make.lease(client, { opening_balance_cents: -100 });
  expectError(await client.delete(`/leases/${opened.id}`), 409, /^This lease has an opening balance/);
});

const someoneWaits = async () => (await countLockWaits(service.database.db)) > 0;

test('deleting waits for references being added, and later ones find nothing to refer to', async () => {
  const { db } = service.database;
  const property = await make.property(client);
  const id = parseId('prop', property.id);
  let deleting: Promise<Answer> | undefined;
  await db.transaction(async (tx) => {
    await tx.query(sql`
      insert into units (account_id, id, property_id, name, offline, created_at, updated_at)
      values (${client.accountId}, gen_random_uuid(), ${id}, 'Being added', false, now(), now())`);
    deleting = client.delete(`/properties/${property.id}`);
    await until(someoneWaits);
  });
  expect((await deleting)?.body.error.message).toMatch(/^1 unit refers to this property/);

  const { id: tenantId } = await make.tenant(client);
  let paying: Promise<Answer> | undefined;
  await db.transaction(async (tx) => {
    await tx.query(
      sql`delete from tenants where account_id = ${client.accountId} and id = ${parseId('ten', tenantId)}`,
    );
    paying = client.post('/payments', { tenant_id: tenantId, amount_cents: 100 });
    await until(someoneWaits);
  });
  expect((await paying)?.status).toBe(400);
});

test('every table that refers to a deletable record is counted, or deleted with it', async () => {
  const rows = await service.database.db.query<{ edge: string }>(sql`
    select conrelid::regclass || ' → ' || confrelid::regclass as edge from pg_constraint
    where contype = 'f' and confrelid in ('properties'::regclass, 'units'::regclass, 'tenants'::regclass, 'leases'::regclass)
    order by 1`);
  expect(rows.map(({ edge }) => edge)).toEqual([
    'charges → leases',
    'credits → leases',
    'deposit_refunds → leases',
    'files → leases',
    'files → properties',
    'files → tenants',
    'files → units',
    'late_fee_policies → leases',
    'late_fee_policies → properties',
    'lease_tenants → leases',
    'lease_tenants → tenants',
    'leases → units',
    'maintenance_requests → properties',
    'maintenance_requests → tenants',
    'maintenance_requests → units',
    'payments → leases',
    'payments → tenants',
    'recurring_charges → leases',
    'units → properties',
  ]);
});

test('importing a file again creates deleted records again', async () => {
  const own = await service.client();
  const file = { properties: 'id,name\nP1,Old Mill\n' };
  await importAll(service, own, file);
  const [mill] = (await own.get('/properties')).body.data;
  expect((await own.delete(`/properties/${mill.id}`)).status).toBe(200);
  await importAll(service, own, file);
  const { data } = (await own.get('/properties')).body;
  expect(data).toMatchObject([{ name: 'Old Mill' }]);
  expect(data[0].id).not.toBe(mill.id);
});
