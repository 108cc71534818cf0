import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type Person, password, signUp, signUpAs } from '../../test/support/browser.ts';
import { envelope } from '../../test/support/envelope.ts';
import { type Service, testService } from '../../test/support/service.ts';
import type { Route } from '../http/routes/route.ts';
import { routes, sessionRoutes } from '../http/routes/routes.ts';
import { formatId, newId } from '../ids.ts';

const table = [...routes, ...sessionRoutes];
const ofAccount = table.filter(({ access }) => access !== 'anyone' && access !== 'person');
const named = (list: Route[]) => list.map((route) => [`${route.method} ${route.path}`, route] as const);

/** The route's address with the ids of these records, or with ids that do not exist. */
const address = (route: Route, ids: Record<string, string> = {}): string =>
  route.path
    .replace(':id', ids[route.id ?? ''] ?? formatId(route.id ?? 'prop', newId()))
    .replace(':external_id', 'x')
    .replace(':token', 'x'.repeat(40));

let service: Service;
let owner: Person;
let manager: Person;
let viewer: Person;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open', WEBHOOK_ALLOW_HTTP: 'true' });
  owner = await signUp(service);
  manager = await signUpAs(service, owner, 'manager');
  viewer = await signUpAs(service, owner, 'viewer');
});
afterAll(() => service.close());

describe('without a session', () => {
  const closed = table.filter(({ access }) => access !== 'anyone');
  test.each(named(closed))('%s is a 401', async (_, route) => {
    const answer = await openBrowser(service).request(route.method, address(route), undefined);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(envelope(401, 'Unauthorized'));
  });

  test('an API key is not a session, and a session is not an API key', async () => {
    const { key } = await service.client();
    const headers = { authorization: `Bearer ${key}` };
    expect((await openBrowser(service).get('/properties', headers)).status).toBe(401);
    const answer = await service.request('GET', '/properties', { headers: { cookie: owner.cookies() } });
    expect(answer.status).toBe(401);
  });
});

describe('a viewer is refused every change except to their own things', () => {
  const ofOthers = ofAccount.filter(
    ({ permission, access }) => permission === 'write' && access !== 'member',
  );
  test.each(named(ofOthers))('%s', async (_, route) => {
    const answer = await viewer.request(route.method, address(route), {});
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual(envelope(403, 'Forbidden'));
  });

  test('but reads', async () => {
    for (const path of ['/properties', '/home', '/team', '/api-keys', '/webhooks', '/session']) {
      expect((await viewer.get(path)).status).toBe(200);
    }
    expect((await viewer.get('/session')).body.data).toMatchObject({ role: 'viewer', permission: 'read' });
  });
});

describe('a manager is refused what is for owners', () => {
  test.each(named(ofAccount.filter(({ access }) => access === 'owner')))('%s', async (_, route) => {
    const body = route.method === 'GET' ? undefined : {};
    expect((await manager.request(route.method, address(route), body)).status).toBe(403);
  });

  test('but writes records and makes keys and webhooks', async () => {
    expect((await manager.post('/properties', { name: 'Elm' })).status).toBe(201);
    expect((await manager.post('/api-keys', { name: 'x', permission: 'read' })).status).toBe(201);
    const url = 'https://hooks.example.com/x';
    expect((await manager.post('/webhooks', { url, events: ['tenant.created'] })).status).toBe(201);
    expect((await manager.get('/session')).body.data).toMatchObject({ role: 'manager', permission: 'write' });
  });
});

describe('requests from other sites are refused', () => {
  const changing = table.filter(({ method }) => method !== 'GET');
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'nonsense' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];

  test.each(named(changing))('%s', async (_, route) => {
    for (const headers of foreign) {
      const answer = await owner.request(route.method, address(route), {}, headers);
      expect([answer.status, headers]).toEqual([403, headers]);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  test('not those of our own page, nor of a program that names no site', async () => {
    const cookie = owner.cookies();
    const create = (headers: Record<string, string>) =>
      service.request('POST', `${service.url}/internal/v1/properties`, {
        body: { name: 'Oak' },
        headers: { cookie, ...headers },
      });
    expect((await create({})).status).toBe(201);
    expect((await create({ origin: service.url, 'sec-fetch-site': 'same-origin' })).status).toBe(201);
    // The page is served through a proxy that terminates https.
    expect((await create({ origin: service.url.replace('http:', 'https:') })).status).toBe(201);
    expect((await create({ origin: 'http://127.0.0.1:1' })).status).toBe(403);
  });
});

describe('an account is closed to the people of others', () => {
  const secret = 'Zanzibar';
  const ids: Record<string, string> = {};
  let stranger: Person;

  beforeAll(async () => {
    stranger = await signUp(service);
    const made = async (path: string, body: object): Promise<string> => {
      const answer = await owner.post(path, body);
      expect([path, answer.status]).toEqual([path, 201]);
      return answer.body.data.id;
    };
    ids.prop = await made('/properties', { name: secret });
    ids.unit = await made('/units', { property_id: ids.prop, name: secret });
    ids.ten = await made('/tenants', { first_name: secret, last_name: secret });
    const lease = { unit_id: ids.unit, tenant_ids: [ids.ten], start_date: '2026-01-01', rent_cents: 1 };
    ids.lease = await made('/leases', lease);
    ids.pay = await made('/payments', { tenant_id: ids.ten, amount_cents: 1, memo: secret });
    ids.mnt = await made('/maintenance', { property_id: ids.prop, title: secret });
    const url = `https://hooks.example.com/${secret}`;
    ids.we = await made('/webhooks', { url, events: ['tenant.created'] });
    ids.key = await made('/api-keys', { name: secret, permission: 'read' });
    ids.inv = await made('/team/invitations', { email: `${secret}@example.com`, role: 'viewer' });
    ids.view = await made('/views', { list: 'tenants', name: secret, query: `q=${secret}`, shared: true });
    ids.mem = (await owner.get('/team')).body.data.members[0].id;
    const [event] = (await service.database.db.pool.query('select id from events limit 1')).rows;
    ids.evt = formatId('evt', event.id);
  });

  test.each(named(ofAccount.filter(({ method, id, params }) => method === 'GET' && !id && !params)))(
    '%s',
    async (_, route) => {
      const filters = { q: secret, from: '2026-01-01', to: '2026-12-31' };
      const known = Object.entries(filters).filter(([name]) => name in (route.query?.shape ?? {}));
      const path = `${route.path}?${new URLSearchParams(known)}`;
      const answer = await stranger.get(path);
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain(secret);
      for (const id of Object.values(ids)) expect(answer.text).not.toContain(id);
      expect((await owner.get(path)).status).toBe(200);
    },
  );

  const anyChange = {
    name: 'mine',
    first_name: 'mine',
    title: 'mine',
    memo: 'mine',
    description: 'mine',
    due_day: 2,
    role: 'viewer',
    reason: 'mine',
    note: 'mine',
    amount_cents: 1,
    end_date: null,
    since: '2026-01-01T00:00:00Z',
  };
  test.each(named(ofAccount.filter(({ id }) => id)))('%s', async (_, route) => {
    const answer = await stranger.request(
      route.method,
      address(route, ids),
      route.method === 'GET' ? undefined : anyChange,
    );
    expect(answer.status).toBe(404);
  });

  test('nor can they switch to it', async () => {
    const { account } = (await owner.get('/session')).body.data;
    expect((await stranger.post('/account/switch', { account_id: account.id })).status).toBe(400);
    expect((await stranger.get('/session')).body.data.account.id).not.toBe(account.id);
  });

  test('and everything is as it was', async () => {
    for (const [path, id] of [
      ['properties', ids.prop],
      ['tenants', ids.ten],
      ['maintenance', ids.mnt],
    ]) {
      expect((await owner.get(`/${path}/${id}`)).text).toContain(secret);
    }
    expect((await owner.get('/webhooks')).text).toContain(secret);
    expect((await owner.get('/api-keys')).text).not.toContain('revoked_at" : "');
  });
});

test('what is recorded in the dashboard says so', async () => {
  const { body } = await owner.post('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const payment = await owner.post('/payments', { tenant_id: body.data.id, amount_cents: 100 });
  expect(payment.body.data.source).toBe('dashboard');
});

test('a repeated Idempotency-Key works here as in the API', async () => {
  const headers = { 'idempotency-key': 'twice' };
  const first = await owner.post('/properties', { name: 'Once' }, headers);
  const second = await owner.post('/properties', { name: 'Once' }, headers);
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
});

test('a known path with another method is a 405, an unknown one a 404', async () => {
  const wrong = await owner.request('PUT', '/properties', {});
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get('allow')).toBe('GET, HEAD, POST');
  expect((await owner.get('/nothing')).body).toEqual(envelope(404, 'Not found'));
});

test('a rebound host name can change nothing, and a trusted proxy may pass on any name', async () => {
  const signUpAt = async (settings: Record<string, string>, host: string) => {
    const own = await testService({ SIGN_UP: 'open', ...settings });
    const sent = request(`${own.url}/internal/v1/sign-up`, {
      method: 'POST',
      headers: { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
    });
    sent.end(JSON.stringify({ name: 'Eve', email: 'eve@example.com', password }));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    await own.close();
    return answer.statusCode;
  };
  expect(await signUpAt({}, 'evil.example:3000')).toBe(403);
  expect(await signUpAt({}, 'localhost:3000')).toBe(201);
  expect(await signUpAt({ TRUST_PROXY: '1' }, 'rent.example.com')).toBe(201);
  expect(await signUpAt({ HOST: '0.0.0.0' }, 'tenure.lan:3000')).toBe(201);
});
