import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectError, expectInvalid, make, unknownId } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
});
afterAll(() => service.close());

const ada = { first_name: 'Ada', last_name: 'Okafor' };
const terms = { start_date: '2026-01-01', rent_cents: 125_000 };
const tenants = async () => (await client.get('/tenants')).body.count;

test('a tenant and their lease are added in one request, with the events of both', async () => {
  const unit = await make.unit(client, { name: '1A' });
  const answer = await client.post('/tenants', { ...ada, lease: { ...terms, unit_id: unit.id } });
  expect(answer.status, answer.text).toBe(201);
  const { id, lease } = answer.body.data;
  expect(answer.body.data).toMatchObject({
    ...ada,
    unit: { id: unit.id, name: '1A' },
    lease: { status: 'active', rent_cents: 125_000 },
    lease_status: 'active',
  });
  expect((await client.get(`/tenants/${id}`)).text).toBe(answer.text);
  expect((await client.get(`/leases/${lease.id}`)).body.data.tenant_ids).toEqual([id]);
  const { body } = await client.get('/events');
  const ours = body.data.filter(({ event }: { event: string }) =>
    /^(tenant|lease)\.(created|updated)/.test(event),
  );
  expect(ours.map(({ event }: { event: string }) => event)).toEqual([
    'tenant.updated',
    'lease.created',
    'tenant.created',
  ]);
});

test('if the lease is refused, there is no tenant either', async () => {
  const { unit_id } = await make.lease(client);
  const before = await tenants();
  const add = (lease: unknown) => client.post('/tenants', { ...ada, lease });
  expectInvalid(await add({ unit_id, start_date: '2026-01-01' }), 'lease', /^rent_cents: Required\.$/);
  expectInvalid(await add({ ...terms, unit_id: unknownId('unit') }), 'lease', /^unit_id: There is no unit/);
  expectInvalid(
    await add({ ...terms, unit_id, end_date: '2025-01-01' }),
    'lease',
    /^end_date: Must not be before/,
  );
  expectInvalid(await add('signed'), 'lease');
  expectError(await add({ ...terms, unit_id }), 409, /already has a lease during this time/);
  expect(await tenants()).toBe(before);
});

test('a key that may not write leases cannot do so beside a tenant', async () => {
  const unit = await make.unit(client);
  const { accountId } = client;
  const key = await service.client({ accountId, scopes: ['tenants'] });
  const before = await tenants();
  const answer = await key.post('/tenants', { ...ada, lease: { ...terms, unit_id: unit.id } });
  expectError(answer, 403, /lacks the scope leases/);
  expect(await tenants()).toBe(before);
  expect((await key.post('/tenants', ada)).status).toBe(201);
});
