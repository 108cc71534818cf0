import { request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../src/http/routes/route.ts';
import { routes, sessionRoutes } from '../src/http/routes/routes.ts';
import { runs, seed } from './abuse/fuzz/settings.ts';
import { openBrowser, type Person, password, signUp } from './support/browser.ts';
import { codePoint } from './support/code-points.ts';
import { dumpOf, unknownId } from './support/records.ts';
import { type Ids, idOf, populate, populateDashboard, settings, validBody } from './support/route-driver.ts';
import { type Client, type Service, testService } from './support/service.ts';

/*
 * Whatever a route is sent, it answers in the envelope, never with a 5xx and never with another account's data, and
 * keeps working. Half of the requests are valid except for one thing, so that they get past the first check.
 */

let service: Service;
let client: Client;
let own: Ids;
let foreign: Ids;
let victim: Client;
let person: Person;
let before: string;
beforeAll(async () => {
  service = await testService({ ...settings, RATE_LIMIT_PER_SECOND: '0', SIGN_UP: 'open' });
  person = await signUp(service);
  client = await service.client();
  victim = await service.client();
  own = { ...(await populate(client)), ...(await populateDashboard(person, service.url)) };
  // This adds a session that the other requests do not need.
  await openBrowser(service).post('/sign-in', { email: person.email, password });
  const { sessions } = (await person.get('/sessions')).body.data;
  own.ses = sessions.find(({ current }: { current: boolean }) => !current).id;
  foreign = await populate(victim);
  for (const [path, field] of marked) {
    const answer = await victim.patch(`/${path}/${idOf(foreign, prefixOf[path])}`, { [field]: marker });
    expect(answer.status, answer.text).toBe(200);
  }
  before = await dumpOf(service, victim.accountId);
});
afterAll(() => service.close());

/** A text in every record of the other account that can be asked for. */
const marker = `of-the-others-${crypto.randomUUID()}`;
const prefixOf = {
  properties: 'prop',
  units: 'unit',
  tenants: 'ten',
  payments: 'pay',
  maintenance: 'mnt',
  webhooks: 'we',
};
const marked: [keyof typeof prefixOf, string][] = [
  ['properties', 'name'],
  ['units', 'name'],
  ['tenants', 'notes'],
  ['payments', 'memo'],
  ['maintenance', 'title'],
  ['webhooks', 'description'],
];

const nastyNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  '$where',
  'a.b',
  'a[0]',
  '\0',
];
const nastyStrings = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    "'; drop table payments; --",
    '%00',
    '../../etc/passwd',
    '{{7*7}}',
    'null',
    '2026-02-30',
    '9999-99-99',
    '-1',
    '1e999',
    'NaN',
    '\\',
    '"',
    ...nastyNames,
  ),
  fc.string({ unit: codePoint, maxLength: 40 }),
  fc.string({ maxLength: 300 }),
  fc.integer({ min: 1, max: 20_000 }).map((length) => 'x'.repeat(length)),
);
const nastyNumbers = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    -1,
    0.5,
    1e21,
    -1e21,
    1e308,
    5e-324,
    2 ** 31,
    2 ** 53,
    2 ** 63,
    Number.MAX_SAFE_INTEGER + 2,
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);
const ids = fc.constantFrom('own', 'foreign', 'unknown').chain((whose) =>
  fc.constantFrom('prop', 'unit', 'ten', 'lease', 'pay', 'mnt', 'we', 'evt').map((prefix) => {
    if (whose === 'unknown') return unknownId(prefix);
    return (whose === 'own' ? own : foreign)[prefix] ?? unknownId(prefix);
  }),
);
const nastyValues: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false),
    nastyNumbers,
    nastyStrings,
    ids,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...nastyNames), fc.string()), tie('value'), { maxKeys: 4 }),
  ),
})).value;

/** JSON.stringify keeps an own key `__proto__`, but a literal would not make one. */
const withKey = (body: object, key: string, value: unknown) =>
  Object.defineProperty({ ...body }, key, { value, enumerable: true, configurable: true });

const rawBodies: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 4, arbitrary: nastyValues.map((value) => Buffer.from(JSON.stringify(value) ?? '')) },
  { weight: 3, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      Buffer.from('{'),
      Buffer.from('[1e999]'),
      Buffer.from('{"amount_cents":1e999,"name":"x"}'),
      Buffer.from('{"a":'.repeat(50_000) + '1'.concat('}'.repeat(50_000))),
      Buffer.from('['.repeat(200_000)),
      Buffer.from('{"__proto__":{"name":"x","permission":"write"}}'),
      Buffer.from('{"name":"\\ud800","title":"\\u0000"}'),
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from('"}')]),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom('name', 'title', 'first_name', 'memo', 'url').map(hugeText) },
);

/** A body of a little less or more than 1 MiB, most of it one string. */
function hugeText(field: string): Buffer {
  return Buffer.from(JSON.stringify({ [field]: 'x'.repeat(1024 * 1024 - 20 + field.length * 3) }));
}

function bodies(route: Route): fc.Arbitrary<Buffer | null> {
  const fields = Object.keys(route.body?.shape ?? {});
  if (fields.length === 0) return fc.option(rawBodies, { freq: 2 });
  const almostRight = fc
    .tuple(fc.oneof(fc.constantFrom(...fields), fc.constantFrom(...nastyNames)), nastyValues)
    .map(([field, value]) => Buffer.from(JSON.stringify(withKey(validBody(route, own) ?? {}, field, value))));
  const onlyOne = fc
    .tuple(fc.constantFrom(...fields), nastyValues)
    .map(([field, value]) => Buffer.from(JSON.stringify({ [field]: value })));
  return fc.oneof(
    { weight: 5, arbitrary: almostRight },
    { weight: 2, arbitrary: onlyOne },
    { weight: 3, arbitrary: rawBodies },
  );
}

const rawText = fc.oneof(
  nastyStrings.map((text) => encodeURIComponent(text.toWellFormed()).slice(0, 5000)),
  fc.constantFrom('%', '%zz', '%ff%fe', '%00', '%E0%A4%A', '%2e%2e', '+', '%ed%a0%80', '1,2,,', ',', '%2C'),
  ids,
);

function queries(route: Route): fc.Arbitrary<string> {
  const known = Object.keys(route.query?.shape ?? {});
  const names = fc.oneof(
    ...(known.length > 0
      ? [{ weight: 4, arbitrary: fc.constantFrom(...known, ...known.map((name) => `${name}[]`)) }]
      : []),
    { weight: 1, arbitrary: fc.constantFrom(...nastyNames.map(encodeURIComponent)) },
  );
  const parameter = fc
    .tuple(names, fc.oneof(rawText, fc.constantFrom('1', 'paid', 'open', '2026-01-01')))
    .map((pair) => pair.join('='));
  return fc.array(parameter, { maxLength: 4 }).map((parameters) => parameters.join('&'));
}

const paths = (route: Route): fc.Arbitrary<string> =>
  route.id === undefined
    ? fc.constant(route.path)
    : fc
        .oneof(
          fc.constant(route.id).map((prefix) => idOf(own, prefix)),
          rawText.map((text) => text.replaceAll('/', '%2F') || 'x'),
        )
        .map((id) => route.path.replace(':id', id));

const latin1 = fc
  .array(
    fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f),
    { maxLength: 60 },
  )
  .map((codes) => String.fromCharCode(...codes));
const headers = fc.dictionary(
  fc.constantFrom(
    'idempotency-key',
    'content-type',
    'user-agent',
    'x-request-id',
    'x-forwarded-for',
    'x-forwarded-host',
    'accept-encoding',
    'cookie',
    'expect',
    'range',
    'if-none-match',
    'host',
    'origin',
  ),
  latin1,
  { maxKeys: 3 },
);
const authorizations = fc.oneof(
  { weight: 9, arbitrary: fc.constant('').map(() => `Bearer ${client.key}`) },
  { weight: 1, arbitrary: latin1 },
);

interface Thrown {
  /** The path at which the table of routes is mounted. */
  base: string;
  path: string;
  query: string;
  body: Buffer | null;
  headers: Record<string, string>;
  authorization: string;
}

function throwAt(
  route: Route,
  thrown: Thrown,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      service.url,
      {
        method: route.method,
        path: `${thrown.base}${thrown.path}${thrown.query ? `?${thrown.query}` : ''}`,
        headers: { ...thrown.headers, authorization: thrown.authorization },
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    request.on('error', reject);
    request.end(thrown.body ?? undefined);
  });
}

function expectSound(answer: Awaited<ReturnType<typeof throwAt>>, isFile = false): void {
  const { status, text } = answer;
  expect(status).toBeLessThan(500);
  // The answer is the bytes of a file, or a 304 for it.
  if (isFile && [200, 206, 304].includes(status)) return;
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['x-request-id']).toMatch(/^req_/);
  expect(answer.headers['cache-control']).toBe('no-store');
  const body = JSON.parse(text);
  if (status < 300) {
    expect(Object.keys(body).filter((key) => key !== 'count')).toEqual(['data']);
  } else {
    expect(Object.keys(body)).toEqual(['error']);
    // The answer lists what refers to a record that cannot be deleted.
    const isInUse = status === 409 && 'details' in body.error;
    expect(Object.keys(body.error)).toEqual([
      ...['code', 'message', 'type', 'request_id'],
      ...(isInUse ? ['details'] : []),
    ]);
    expect(body.error.code).toBe(status);
    if (typeof body.error.message !== 'string') {
      expect(status).toBe(400);
      expect(Object.keys(body.error.message)).toEqual(['formErrors', 'fieldErrors']);
    }
  }
  for (const theirs of [marker, victim.accountId, victim.key])
    expect(text.includes(theirs), text).toBe(false);
}

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s takes whatever is thrown at it',
  async (_name, route) => {
    const thrown = fc.record({
      base: fc.constant('/api/v1'),
      path: paths(route),
      query: queries(route),
      body: bodies(route),
      headers,
      authorization: authorizations,
    });
    await fc.assert(
      fc.asyncProperty(thrown, async (each) => {
        expectSound(await throwAt(route, each), route.sendsFile);
      }),
      { numRuns: runs(20, 1_000), seed, endOnFailure: false },
    );
  },
);

const cookies = fc.oneof(
  { weight: 9, arbitrary: fc.constant('').map(() => person.cookies()) },
  { weight: 1, arbitrary: latin1 },
);
// Signing out would end the session that the other requests need.
const ofDashboard = sessionRoutes.filter(({ path }) => path !== '/sign-out');

test.each(ofDashboard.map((route) => [`${route.method} ${route.path}`, route] as const))(
  'in the dashboard, %s takes whatever is thrown at it',
  async (_name, route) => {
    const thrown = fc.record({
      base: fc.constant('/internal/v1'),
      path: paths(route).map((path) => path.replace(':token', 'x'.repeat(40))),
      query: queries(route),
      body: bodies(route),
      headers: fc.tuple(headers, cookies).map(([given, cookie]) => ({ ...given, cookie, ...ownSite() })),
      authorization: fc.constant('none'),
    });
    await fc.assert(
      fc.asyncProperty(thrown, async (each) => {
        expectSound(await throwAt(route, each), route.sendsFile);
      }),
      { numRuns: runs(10, 500), seed, endOnFailure: false },
    );
  },
);

/**
 * The headers of a request from the page itself. Requests from elsewhere are refused before anything else is checked.
 */
const ownSite = () => ({ host: new URL(service.url).host, origin: service.url });

test('the other account is as it was, and the service works', async () => {
  expect(await dumpOf(service, victim.accountId)).toBe(before);
  expect(({} as Record<string, unknown>).permission).toBeUndefined();
  const { status, body } = await victim.post('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  expect(status).toBe(201);
  expect((await victim.get('/tenants?limit=1')).body.data).toEqual([body.data]);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
});
