import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Person, signUp } from '../../../test/support/browser.ts';
import { expectInvalid, make } from '../../../test/support/records.ts';
import { fullPath, send } from '../../../test/support/route-driver.ts';
import { type Answer, type Client, type Service, testService } from '../../../test/support/service.ts';
import { formatsOf } from './formats.ts';
import type { Route } from './route.ts';
import { routes, sessionRoutes } from './routes.ts';

let service: Service;
let client: Client;
let person: Person;
beforeAll(async () => {
  service = await testService({ RATE_LIMIT_PER_SECOND: '0', SIGN_UP: 'open' });
  client = await service.client();
  person = await signUp(service);
});
afterAll(() => service.close());

const named = (table: Route[]) => table.map((route) => [`${route.method} ${route.path}`, route] as const);

function expectUnknown(answer: Answer, route: Route): void {
  expect([answer.status, answer.body.error?.type], answer.text).toEqual([400, 'unknown_parameter']);
  const { of_no_interest: messages } = answer.body.error.message.fieldErrors;
  const known = [
    ...Object.keys(route.query?.shape ?? {}),
    ...(formatsOf(route).length > 0 ? ['format'] : []),
  ];
  expect(messages).toHaveLength(1);
  for (const each of known) expect(messages[0]).toContain(each);
  if (known.length === 0) expect(messages[0]).toMatch(/no parameters|account/);
}

test.each(named(routes))('%s refuses a parameter that it does not know', async (_name, route) => {
  const path = fullPath(route, 'x', { of_no_interest: '1' });
  expectUnknown(await send(client, route, path, {}), route);
});

test.each(named(sessionRoutes))('in the dashboard, %s does so too', async (_name, route) => {
  const path = fullPath(route, 'x', { of_no_interest: '1' }).replace(':token', 'x'.repeat(40));
  expectUnknown(await send(person, route, path, {}), route);
});

test('a filter that does not exist shows nothing', async () => {
  await make.tenant(client, { email: 'ada@example.com' });
  for (const filter of [
    'e-mail=x',
    'Email=x',
    'lease_status[]=active',
    'limit[]=1',
    '__proto__=x',
    'constructor',
  ])
    expectInvalid(await client.get(`/tenants?${filter}`), decodeURIComponent(filter.split('=')[0] ?? ''));
  const answer = await client.get('/tenants?colour=red&limit=many&format=xml');
  expect(answer.body.error.message.fieldErrors).toEqual({
    colour: [expect.stringContaining('lease_status')],
    limit: [expect.stringContaining('1000')],
  });
});

test('parameters common to all lists stay known: filters, format, and the account that a page shows', async () => {
  for (const query of ['', '?', '?&', '?limit=1&format=json', '?format=csv'])
    expect((await client.get(`/tenants${query}`)).status, query).toBe(200);
  expectInvalid(await client.get('/tenants?format=xml'), 'format', /json, csv/);
  expectInvalid(await client.get('/tenants/x?format=csv'), 'format', /no parameters/);
  const { account } = (await person.get('/session')).body.data;
  expect((await person.get(`/tenants?account=${account.id}`)).status).toBe(200);
  expectInvalid(await client.get(`/tenants?account=${account.id}`), 'account');
  expect((await openBrowser(service).get('/session?account=x')).status).toBe(400);
});

const strict = { prefer: 'handling=strict' };

test('unknown fields of a body, nested ones too, are ignored, or refused if the caller prefers that', async () => {
  const body = {
    name: 'Elm Court',
    colour: 'red',
    units: [{ name: '1A' }, { name: '1B', floor: 2, constructor: 1 }],
    ...JSON.parse('{"__proto__": 1}'),
  };
  const given = Object.defineProperty({ ...body }, '__proto__', { value: 1, enumerable: true });
  const refused = await client.post('/properties', given, strict);
  expect([refused.status, refused.body.error.type]).toEqual([400, 'unknown_field']);
  expect(refused.headers.get('preference-applied')).toBe('handling=strict');
  const { fieldErrors } = refused.body.error.message;
  expect(Object.keys(fieldErrors).sort()).toEqual(['__proto__', 'colour', 'units']);
  expect(fieldErrors.colour).toEqual([expect.stringContaining('external_id')]);
  expect(fieldErrors.units).toEqual([
    expect.stringMatching(/^\[1\]\.floor: .*bedrooms/),
    expect.stringMatching(/^\[1\]\.constructor: /),
  ]);
  expect((await client.get('/properties')).body.count).toBe(0);

  const ignored = await client.post('/properties', given);
  expect(ignored.status, ignored.text).toBe(201);
  expect(ignored.headers.has('preference-applied')).toBe(false);
  const path = `/properties/${ignored.body.data.id}`;
  const taken = await client.patch(path, { name: 'Elm' }, strict);
  expect([taken.status, taken.headers.get('preference-applied')]).toEqual([200, 'handling=strict']);
  const echoed = await client.patch(path, { ...taken.body.data, name: 'Oak' }, strict);
  expect(Object.keys(echoed.body.error.message.fieldErrors)).toContain('unit_count');
});

test('wrong and unknown values are reported together', async () => {
  const { body } = await client.post('/tenants', { first_name: 5, nickname: 'Ada' }, strict);
  expect(body.error.type).toBe('unknown_field');
  expect(Object.keys(body.error.message.fieldErrors).sort()).toEqual(['first_name', 'last_name', 'nickname']);
});

test.each([
  ['handling=strict', true],
  ['Handling = "Strict"; x=y', true],
  ['respond-async, wait=10, handling=strict', true],
  ['handling=lenient, handling=strict', false],
  ['handling=lenient', false],
  ['strict', false],
  ['handling=stricter', false],
])('Prefer: %s', async (prefer, isStrict) => {
  const body = { first_name: 'Ada', last_name: 'Okafor', nickname: 'Ada' };
  const answer = await client.post('/tenants', body, { prefer });
  expect([answer.status, answer.headers.has('preference-applied')]).toEqual([isStrict ? 400 : 201, isStrict]);
});

test('a route without a body knows no field', async () => {
  const { id } = await make.webhook(client);
  const rotate = (body: object) => client.post(`/webhooks/${id}/rotate-secret`, body, strict);
  expectInvalid(await rotate({ secret: 'mine' }), 'secret', /no fields/);
  expect((await rotate({})).status).toBe(200);
});
