import { afterAll, beforeAll, expect, test } from 'vitest';
import { hookUrl, make } from '../../../test/support/records.ts';
import { populate, settings } from '../../../test/support/route-driver.ts';
import { type Answer, type Client, type Service, testService } from '../../../test/support/service.ts';
import type { Route } from '../routes/route.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService(settings);
  client = await service.client();
});
afterAll(() => service.close());

test('every answer that creates a record says where it can be read', async () => {
  const made: [Route, Answer][] = [];
  await populate(client, (route, answer) => answer.status === 201 && made.push([route, answer]));
  expect(made.length).toBeGreaterThan(8);
  for (const [route, { headers, body }] of made) {
    const location = headers.get('location');
    expect(location, route.path).toBe(`/api/v1${route.path}/${body.data.id}`);
    const read = await client.get(String(location).slice('/api/v1'.length));
    expect(read.body.data.id).toBe(body.data.id);
  }
});

test('a delivery has an address, a note has none, and a repeated answer has the same one', async () => {
  const { id } = (await client.post('/webhooks', { url: hookUrl, events: ['tenant.created'] })).body.data;
  const delivery = await client.post(`/webhooks/${id}/test`);
  expect(delivery.headers.get('location')).toBe(`/api/v1/deliveries/${delivery.body.data.id}`);

  const tenant = await make.tenant(client);
  const note = await client.post(`/tenants/${tenant.id}/notes`, { note: 'Called.' });
  expect([note.status, note.headers.get('location')]).toEqual([201, null]);

  const create = () =>
    client.post('/tenants', { first_name: 'Ada', last_name: 'Okafor' }, { 'idempotency-key': 'one' });
  const [first, second] = [await create(), await create()];
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.headers.get('location')).toBe(first.headers.get('location'));
  expect(second.headers.get('location')).toContain(first.body.data.id);
});
