import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp, signUpAs } from '../../test/support/browser.ts';
import { expectError, expectInvalid, hookUrl, make, queueOf } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { apiRoutes, routes } from '../http/routes/routes.ts';
import { keyScopes } from './api-keys.schema.ts';
import { isWithin, readNetwork } from './networks.ts';
import { scopeOf } from './scopes.ts';

let service: Service;
let owner: Person;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open', TRUST_PROXY: 'true' });
  owner = await signUp(service);
});
afterAll(() => service.close());

/** A client with a new key for the owner's account. */
async function keyWith(
  limits: object,
  by: Person = owner,
): Promise<Pick<Client, 'get' | 'post' | 'put' | 'patch' | 'delete'> & { id: string }> {
  const answer = await by.post('/api-keys', { name: 'Limited', permission: 'write', ...limits });
  expect(answer.status, answer.text).toBe(201);
  const { id, key } = answer.body.data;
  return {
    id,
    get: (path, headers = {}) => service.request('GET', path, { key, headers }),
    post: (path, body, headers = {}) => service.request('POST', path, { key, body, headers }),
    put: (path, body, headers = {}) => service.request('PUT', path, { key, body, headers }),
    patch: (path, body, headers = {}) => service.request('PATCH', path, { key, body, headers }),
    delete: (path, headers = {}) => service.request('DELETE', path, { key, headers }),
  };
}

test('every route of the API has a scope, and every scope has routes', () => {
  expect(new Set(apiRoutes.map(scopeOf))).toEqual(new Set(keyScopes));
});

test('a limited key reaches only its own part of the API, also through tools', async () => {
  const key = await keyWith({ scopes: ['tenants', 'tenants'] });
  const tenant = await key.post('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  expect(tenant.status).toBe(201);
  expect((await key.get(`/tenants/${tenant.body.data.id}/history`)).status).toBe(200);
  for (const route of routes.filter((each) => scopeOf(each) !== 'tenants')) {
    const path = route.path.replace(/:\w+/, 'x');
    const send = { GET: key.get, POST: key.post, PUT: key.put, PATCH: key.patch, DELETE: key.delete }[
      route.method
    ];
    expectError(await send(path), 403, `This key lacks the scope ${scopeOf(route)}.`);
  }
  const [shown] = (await owner.get('/api-keys')).body.data;
  expect(shown).toMatchObject({
    scopes: ['tenants'],
    allowed_addresses: null,
    created_by: { name: owner.name },
  });
});

test('a key that may not write units cannot do so beside a property', async () => {
  const key = await keyWith({ scopes: ['properties'] });
  const properties = async () => (await owner.get('/properties')).body.count;
  const before = await properties();
  const answer = await key.post('/properties', { name: 'Elm Court', units: [{ name: '1' }] });
  expectError(answer, 403, 'This key lacks the scope units.');
  expect(await properties()).toBe(before);
  expect((await key.post('/properties', { name: 'Elm Court', units: [] })).status).toBe(201);
  const both = await keyWith({ scopes: ['properties', 'units'] });
  expect((await both.post('/properties', { name: 'Oak Court', units: [{ name: '1' }] })).status).toBe(201);
});

test('a key that may make webhooks is sent only records that it may read', async () => {
  const key = await keyWith({ scopes: ['webhooks', 'tenants'] });
  const subscribe = (...events: string[]) => key.post('/webhooks', { url: hookUrl, events });
  expect((await subscribe('tenant.created')).status).toBe(201);
  expectError(
    await subscribe('tenant.created', 'payment.created'),
    403,
    'This key lacks the scope payments.',
  );
  const { id } = (await owner.post('/webhooks', { url: hookUrl, events: ['payment.created'] })).body.data;
  const moved = await key.patch(`/webhooks/${id}`, { url: `${hookUrl}/elsewhere` });
  expectError(moved, 403, 'This key lacks the scope payments.');
});

test('a key is refused from elsewhere, before anything is done', async () => {
  const key = await keyWith({ allowed_addresses: ['203.0.113.0/24', '2001:DB8::7'] });
  const from = (address: string) => key.get('/tenants', { 'x-forwarded-for': address });
  expect((await from('203.0.113.9')).status).toBe(200);
  expect((await from('::ffff:203.0.113.9')).status).toBe(200);
  expect((await from('2001:db8:0::7')).status).toBe(200);
  // Some proxies also write the port.
  expect((await from('203.0.113.9:51234')).status).toBe(200);
  expect((await from('198.51.100.1:80, [2001:db8::7]:51234')).status).toBe(403);
  expect((await from('[2001:db8::7]:51234, 198.51.100.1:80')).status).toBe(200);
  expect((await from('[2001:db8::7]')).status).toBe(200);
  expectError(await from('203.0.114.9:7'), 403, 'This key may not be used from the address 203.0.114.9.');
  expectError(await from('203.0.114.9'), 403, 'This key may not be used from the address 203.0.114.9.');
  expectError(await from('2001:db8::8'), 403, /may not be used/);
  const [shown] = (await owner.get('/api-keys')).body.data;
  expect(shown.allowed_addresses).toEqual(['203.0.113.0/24', '2001:db8::7/128']);
});

test('networks are read as people write them, and anything else is refused', () => {
  expect(readNetwork('10.1.2.3/8')).toBe('10.0.0.0/8');
  expect(readNetwork('::1')).toBe('::1/128');
  expect(readNetwork('::ffff:203.0.113.7')).toBe('203.0.113.7/32');
  expect(readNetwork('::ffff:203.0.113.7/120')).toBe('203.0.113.0/24');
  for (const wrong of [
    '10.1',
    '0x7f.1',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    'fe80::1%eth0',
    'x',
    '',
  ])
    expect(readNetwork(wrong), wrong).toBeNull();
  expect(isWithin('10.9.9.9', ['10.0.0.0/8'])).toBe(true);
  expect(isWithin('::a09:909', ['10.0.0.0/8'])).toBe(false);
  expect(isWithin('nonsense', ['0.0.0.0/0'])).toBe(false);
});

test('wrong limits are refused in words', async () => {
  const make = (limits: object) => owner.post('/api-keys', { name: 'x', permission: 'read', ...limits });
  expectInvalid(await make({ scopes: [] }), 'scopes', /at least one/);
  expectInvalid(await make({ scopes: ['cats'] }), 'scopes', /properties/);
  expectInvalid(await make({ allowed_addresses: ['300.1.1.1'] }), 'allowed_addresses', /203\.0\.113\.7/);
});

test('when a person is removed, their keys are shown, and revoked in the same step', async () => {
  for (const revoke of [false, true]) {
    const manager = await signUpAs(service, owner, 'manager');
    const key = await keyWith({}, manager);
    expect((await key.get('/tenants')).status).toBe(200);
    const { members } = (await owner.get('/team')).body.data;
    const { id } = members.find(({ user }: { user: { email: string } }) => user.email === manager.email);
    const removed = await owner.delete(`/team/members/${id}${revoke ? '?revoke_keys=true' : ''}`);
    expect(removed.body.data).toEqual({
      id,
      removed: true,
      keys: [{ id: key.id, name: 'Limited', revoked: revoke }],
    });
    expect((await key.get('/tenants')).status).toBe(revoke ? 401 : 200);
  }
});

test('an endpoint is sent everything except what its skipped keys do', async () => {
  const client = await service.client();
  const other = await service.client({ accountId: client.accountId });
  const events = ['tenant.created', 'payment.created'];
  const hook = await make.webhook(client, { events, skip_actors: ['self', 'self'] });
  expect(hook.skip_actors).toEqual([expect.stringMatching(/^key_/)]);
  await make.tenant(client);
  expect(await queueOf(service, client)).toEqual([]);
  await make.tenant(other);
  expect(await queueOf(service, client)).toHaveLength(1);
  // Payments that arrive at the same time share statements, but not with those of another key.
  const tenant = await make.tenant(client);
  const pay = (by: Client) => make.payment(by, { tenant_id: tenant.id });
  await Promise.all([pay(client), pay(other), pay(client), pay(other), pay(other)]);
  const paid = (await queueOf(service, client)).filter(({ event }) => event === 'payment.created');
  expect(paid).toHaveLength(3);
  const cleared = await client.patch(`/webhooks/${hook.id}`, { skip_actors: [] });
  expect(cleared.body.data.skip_actors).toEqual([]);
  await make.tenant(client);
  expect(await queueOf(service, client)).toHaveLength(5);
  // The list that was specified stays as it is.
  expect((await client.get('/webhooks')).body.data[0]).not.toHaveProperty('skip_actors');
});

test('keys that are skipped are keys of the account', async () => {
  const client = await service.client();
  const stranger = await keyWith({});
  const subscribe = (skip_actors: unknown, by: Pick<Client, 'post'> = client) =>
    by.post('/webhooks', { url: hookUrl, events: ['tenant.created'], skip_actors });
  expectInvalid(await subscribe([stranger.id]), 'skip_actors', /no key/);
  expectInvalid(await subscribe(['x']), 'skip_actors', /id of a key/);
  expectInvalid(await subscribe(['self'], owner), 'skip_actors', /people/);
  expect((await subscribe([stranger.id], owner)).status).toBe(201);
});
