import { afterAll, beforeAll, expect, test } from 'vitest';
import { make, unknownId } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';

let service: Service;
let writer: Client;
let reader: Client;
let final: string;
beforeAll(async () => {
  service = await testService();
  writer = await service.client();
  reader = await service.client({ permission: 'read', accountId: writer.accountId });
  final = (await make.payment(writer, { status: 'voided' })).id;
});
afterAll(() => service.close());

type Who = 'nobody' | 'reader' | 'writer';
const nobodys = unknownId('pay');

test.each<[status: number, who: Who, method: string, path: string, body?: string]>([
  // First of all: does the route exist?
  [404, 'nobody', 'GET', '/nowhere'],
  [404, 'nobody', 'POST', '/payments/x/y', '{'],
  [404, 'writer', 'GET', '/payments/'],
  [404, 'writer', 'GET', '//payments'],
  [404, 'writer', 'GET', '/Payments'],
  [404, 'writer', 'GET', '/payments.json'],
  [404, 'nobody', 'GET', ''],
  // Then: does the path have this method?
  [405, 'nobody', 'PUT', '/payments'],
  [405, 'nobody', 'DELETE', '/payments'],
  [405, 'reader', 'PATCH', '/payments', '{'],
  [405, 'writer', 'PUT', `/payments/${nobodys}`],
  [405, 'nobody', 'OPTIONS', '/payments'],
  // Then: who is asking?
  [401, 'nobody', 'GET', '/payments?status=nonsense'],
  [401, 'nobody', 'POST', '/payments', '{'],
  [401, 'nobody', 'PATCH', '/payments/x', '{}'],
  [401, 'nobody', 'GET', `/payments/${'x'.repeat(3000)}`],
  // Then: may they?
  [403, 'reader', 'POST', '/payments', '{'],
  [403, 'reader', 'PATCH', '/payments/x', '{}'],
  [403, 'reader', 'DELETE', '/webhooks/x'],
  [403, 'reader', 'DELETE', '/tenants/x'],
  // Then: are the body and the filters valid?
  [400, 'writer', 'POST', '/payments', '{'],
  [400, 'writer', 'PATCH', '/payments/x', '{}'],
  [400, 'writer', 'PATCH', `/payments/${nobodys}`, '{"amount_cents":0}'],
  [400, 'writer', 'PATCH', '/webhooks/x', '{"url":"https://localhost"}'],
  [400, 'writer', 'PATCH', '/payments/FINAL', '{"status":"gone"}'],
  [400, 'reader', 'GET', '/payments?from=x'],
  [400, 'reader', 'GET', '/webhooks/x/deliveries?cursor=x'],
  [400, 'reader', 'GET', `/webhooks/${unknownId('we')}/deliveries?cursor=x`],
  // Then: is the id well formed, and does it belong to a record?
  [404, 'writer', 'PATCH', '/payments/x', '{"status":"paid"}'],
  [404, 'writer', 'PATCH', `/payments/${nobodys}`, '{"status":"paid"}'],
  [404, 'writer', 'PATCH', `/payments/${unknownId('ten')}`, '{"status":"paid"}'],
  [404, 'reader', 'GET', `/payments/${'x'.repeat(3000)}`],
  [404, 'writer', 'DELETE', '/tenants/x'],
  [404, 'reader', 'GET', '/payments/%00'],
  [404, 'reader', 'GET', `/payments/${nobodys}%20`],
  [404, 'reader', 'GET', '/payments/..%2Fpayments'],
  [404, 'reader', 'GET', '/payments/__proto__'],
])('%d for a %s: %s %s', async (status, who, method, path, body) => {
  const key = { nobody: undefined, reader: reader.key, writer: writer.key }[who];
  const answer = await service.request(method, path.replace('FINAL', final), {
    ...(key && { key }),
    ...(body !== undefined && { raw: body }),
  });
  expect(answer.status, answer.text).toBe(status);
  expect(answer.body.error.code).toBe(status);
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('last comes whether the state allows it', async () => {
  const answer = await writer.patch(`/payments/${final}`, { status: 'paid' });
  expect(answer.status).toBe(409);
});

test('a reference to nothing comes before the state, and neither changes anything', async () => {
  const { id } = await make.maintenance(writer, { status: 'cancelled' });
  const before = await writer.get(`/maintenance/${id}`);
  const events = (await writer.get('/events')).body.count;
  const path = `/maintenance/${id}`;
  expect((await writer.patch(path, { status: 'open', unit_id: unknownId('unit') })).status).toBe(400);
  expect((await writer.patch(path, { status: 'open', property_id: unknownId('prop') })).status).toBe(400);
  expect((await writer.patch(path, { status: 'open', title: 'Again' })).status).toBe(409);
  expect((await writer.get(path)).body).toEqual(before.body);
  expect((await writer.get('/events')).body.count).toBe(events);
});

test('a wrong method gets a list of those that exist', async () => {
  const allow = async (path: string) => (await service.request('PUT', path)).headers.get('allow');
  expect(await allow('/payments')).toBe('GET, HEAD, POST');
  expect(await allow('/payments/x')).toBe('GET, HEAD, PATCH');
  expect(await allow('/webhooks/x')).toBe('GET, HEAD, PATCH, DELETE');
  expect(await allow('/webhooks/x/rotate-secret')).toBe('POST');
  expect(await allow('/nowhere')).toBeNull();
});
