import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { signUp } from '../../test/support/browser.ts';
import { eventsOf, expectError, make } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { parseId } from '../ids.ts';
import { testAccountOf } from './test-accounts.ts';

let service: Service;
let live: Client;
let trial: Client;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  live = await service.client();
  trial = await service.trialOf(live);
});
afterAll(() => service.close());

const mode = (answer: { headers: Headers }) => answer.headers.get('x-service-mode');

test('an account has one test account, however many ask for it first', async () => {
  const { accountId } = await service.client();
  const all = await Promise.all(
    Array.from({ length: 5 }, () => testAccountOf(service.app.db, accountId, new Date())),
  );
  expect(new Set(all.map((each) => each.accountId)).size).toBe(1);
});

test('a test key reaches test records only, and a live key real ones only', async () => {
  expect([live.key.slice(0, 9), trial.key.slice(0, 9)]).toEqual(['svc_live_', 'svc_test_']);
  const [real, tried] = [await make.property(live), await make.property(trial)];
  expect((await live.get('/properties')).body.data.map(({ id }: { id: string }) => id)).toEqual([real.id]);
  expect((await trial.get('/properties')).body.data.map(({ id }: { id: string }) => id)).toEqual([tried.id]);
  expectError(await trial.get(`/properties/${real.id}`), 404, 'Not found');
  expectError(await live.get(`/properties/${tried.id}`), 404, 'Not found');
  const account = (await trial.get('/account')).body.data;
  expect(account.key.mode).toBe('test');
  expect((await live.get('/account')).body.data.key.mode).toBe('live');
});

test('every answer to a test key says so, refusals too', async () => {
  const { id } = await make.property(trial);
  const shown = await trial.get(`/properties/${id}`);
  const answers = [
    shown,
    await trial.get(`/properties/${id}`, { 'if-none-match': shown.headers.get('etag') ?? '' }),
    await trial.get('/properties/nobody'),
    await trial.get('/nowhere'),
    await trial.delete('/properties'),
    await trial.post('/properties', { name: 7 }),
    await trial.get('/properties', { accept: 'text/csv' }),
    await service.request('GET', '/properties', { key: `${trial.key.slice(0, -3)}abc` }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 304, 404, 404, 405, 400, 200, 401]);
  expect(answers.map(mode)).toEqual(answers.map(() => 'test'));
  expect(mode(await live.get('/properties'))).toBe(null);
  expect(mode(await live.get('/properties', { 'x-service-mode': 'test' }))).toBe(null);
});

test('events say that they are from test mode, and live ones are unchanged', async () => {
  for (const [client, expected] of [
    [live, undefined],
    [trial, 'test'],
  ] as const) {
    await make.tenant(client);
    const { body } = (await eventsOf(service, client)).at(-1) ?? { body: '{}' };
    expect(JSON.parse(body).mode).toBe(expected);
    expect((await client.get('/events?limit=1')).body.data[0].mode).toBe(expected);
    // It appears in the feed only once no older transaction is open. One of another test's database may be.
    const first = async () => (await client.get('/events?after=beginning&limit=1')).body.data[0];
    expect((await vi.waitUntil(first, { timeout: 60_000 })).mode).toBe(expected);
  }
});

test('a person has the same role in test mode, and does not see it among their accounts', async () => {
  const person = await signUp(service);
  const inTest = { 'x-service-mode': 'test' };
  const made = await person.post('/properties', { name: 'Tried' }, inTest);
  expect([made.status, mode(made)]).toEqual([201, 'test']);
  expect((await person.get('/properties')).body.count).toBe(0);
  expect((await person.get('/properties', inTest)).body.count).toBe(1);
  expect((await person.get('/properties?format=csv&mode=test')).text).toContain('Tried');
  const { key } = (await person.post('/api-keys', { name: 'Zap', permission: 'write' }, inTest)).body.data;
  expect(key).toMatch(/^svc_test_/);
  expect((await service.request('GET', '/properties', { key })).body.count).toBe(1);
  expect((await person.get('/api-keys')).body.count).toBe(0);
  expect((await person.get('/session')).body.data.accounts).toHaveLength(1);
  const [, members] = [await person.get('/team'), await person.get('/team', inTest)];
  expect([members.status, mode(members)]).toEqual([200, null]);
  expectError(
    await person.get('/properties', { 'x-service-mode': 'tset' }),
    400,
    'X-Service-Mode must be live or test.',
  );
});

test('files say by their name that they are of test mode', async () => {
  const person = await signUp(service);
  const named = async (path: string, headers?: Record<string, string>) =>
    (await person.get(path, headers)).headers.get('content-disposition');
  const inTest = { 'x-service-mode': 'test' };
  for (const [path, name, kind] of [
    ['/tenants?format=csv', 'tenants', 'csv'],
    ['/account/export?format=zip', 'export', 'zip'],
  ] as const) {
    expect(await named(path)).toMatch(RegExp(`"${name}-\\d[^"]*\\.${kind}"`));
    expect(await named(path, inTest)).toMatch(RegExp(`"${name}-test-\\d[^"]*\\.${kind}"`));
  }
});

test('other people have no access to it', async () => {
  const [person, stranger] = [await signUp(service), await signUp(service)];
  const inTest = { 'x-service-mode': 'test' };
  const { id } = (await person.post('/properties', { name: 'Tried' }, inTest)).body.data;
  expectError(await stranger.get(`/properties/${id}`, inTest), 404, 'Not found');
  const account = (await person.get('/account', inTest)).body.data.id;
  expect(parseId('acct', account)).not.toBe(null);
  expect((await stranger.post('/account/switch', { account_id: account })).status).toBe(400);
  expect((await person.post('/account/switch', { account_id: account })).status).toBe(400);
});
