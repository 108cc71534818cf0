import { afterAll, beforeAll, expect, test } from 'vitest';
import { make } from '../../test/records.ts';
import { type Client, type Service, testService } from '../../test/service.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
});
afterAll(() => service.close());

/** All that needs escaping, or could be taken for the end of something. */
const nasty = 'a\x1fb\x1ec"\\\n\t\x7f\u2028 é 家 👩‍👧 </script> null ,';

/** The record alone, and its place in its list, to the byte. */
async function expectSame(path: string, id: string): Promise<void> {
  const one = await client.get(`${path}/${id}`);
  const list = await client.get(path);
  expect(one.status, one.text).toBe(200);
  const json = /^\{"data":(.*)\}$/s.exec(one.text)?.[1] ?? '';
  expect(json).toContain(id);
  expect(list.text).toContain(json);
}

test('a record in a list is the same as alone, with text of every kind and without any', async () => {
  const property = await make.property(client, { name: nasty, notes: nasty, address: nasty });
  const bare = await make.property(client);
  const unit = await make.unit(client, { property_id: property.id, name: nasty, bathrooms: 1.5 });
  const tenant = await make.tenant(client, { first_name: nasty, notes: nasty, email: 'ada@example.com' });
  const lease = await make.lease(client, { unit_id: unit.id, tenant_ids: [tenant.id], deposit_cents: 7 });
  const payment = await make.payment(client, { tenant_id: tenant.id, memo: nasty, reference: '' });
  const alone = await make.payment(client, { amount_cents: 1 });
  const request = await make.maintenance(client, {
    property_id: property.id,
    title: nasty,
    cost_cents: 12_345,
  });
  await expectSame('/properties', property.id);
  await expectSame('/properties', bare.id);
  await expectSame('/units', unit.id);
  await expectSame('/tenants', tenant.id);
  await expectSame('/leases', lease.id);
  await expectSame('/payments', payment.id);
  await expectSame('/payments', alone.id);
  await expectSame('/maintenance', request.id);
});
