import { createHash } from 'node:crypto';
import { validate } from '@scalar/openapi-parser';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { z } from 'zod';
import { documents } from '../scripts/generate/documents.ts';
import { scopeOf } from '../src/api-keys/scopes.ts';
import { connect } from '../src/db/connect.ts';
import { sql } from '../src/db/sql.ts';
import { eventNames } from '../src/events/catalogue.ts';
import { defaultMostQueued, limitQueues } from '../src/events/queue-room.ts';
import { openApiDocument } from '../src/http/openapi/openapi.ts';
import type { JsonSchema } from '../src/http/openapi/schemas.ts';
import { csvColumns } from '../src/http/routes/csv.ts';
import type { Route } from '../src/http/routes/route.ts';
import { apiRoutes, routes } from '../src/http/routes/routes.ts';
import { formatId, lowestIdAt, parseId } from '../src/ids.ts';
import { cancelQueued } from '../src/webhooks/cancel-queued.ts';
import { document, misfit, nonconformity, resolve } from './support/conform.ts';
import { testDatabase } from './support/database.ts';
import { holdDeposit } from './support/ledger.ts';
import { make, unknownId } from './support/records.ts';
import {
  addressed,
  fullPath,
  type Ids,
  idOf,
  populate,
  send,
  settings,
  validBody,
} from './support/route-driver.ts';
import { type Answer, type Client, type Service, testService } from './support/service.ts';

let service: Service;
let limited: Service;
let client: Client;
let reader: Client;
let ofTenants: Client;
let ofUnits: Client;
let poor: Client;
let ids: Ids;
const seen: [Route, Answer][] = [];
beforeAll(async () => {
  service = await testService(settings);
  client = await service.client();
  reader = await service.client({ permission: 'read', accountId: client.accountId });
  ofTenants = await service.client({ accountId: client.accountId, scopes: ['tenants'] });
  ofUnits = await service.client({ accountId: client.accountId, scopes: ['units'] });
  ids = await populate(client, (route, answer) => seen.push([route, answer]));
  await holdDeposit(client, idOf(ids, 'lease'), '2026-11-15');
  // The lease of the sample's tenant has not ended.
  const erase = routes.filter(({ path }) => path === '/tenants/:id/erase');
  for (const route of erase) seen.push([route, await valid(route, client, (await make.tenant(client)).id)]);
  // A delivery that is still on its way cannot be sent again.
  const endpoint = parseId('we', idOf(ids, 'we')) ?? '';
  await cancelQueued(service.database.db, client.accountId, endpoint, new Date(), 'everything');
  limited = await testService({ ...settings, RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '1' });
  limited.app.now = () => new Date('2026-11-15T12:00:00Z');
  poor = await limited.client();
  await poor.get('/tenants');
});
afterAll(async () => {
  await service.close();
  await limited.close();
});

const name = ({ method, path }: Route) => `${method} ${path}`;
const specPath = (route: Route) => route.path.replace(/:(\w+)/g, '{$1}');
const operationOf = (route: Route) => document.paths[specPath(route)]?.[route.method.toLowerCase()];

test.each([
  'openapi.json',
  'clients/typescript/src/api.ts',
  'clients/postman/tenure.postman_collection.json',
  'db/schema.md',
  'docs/settings.md',
])('%s is fresh (npm run generate)', async (path) => {
  const database = await testDatabase('undistributed');
  onTestFinished(() => database.drop());
  const found = (await documents(database.db)).find((each) => each.path === path);
  expect(found?.current).toBe(found?.text);
});

test('the document is valid OpenAPI 3.1', async () => {
  const result = await validate(JSON.stringify(document));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

test('the document is public, and the one that is committed', async () => {
  const answer = await service.request('GET', '/api/v1/openapi.json');
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(JSON.parse(JSON.stringify(openApiDocument(apiRoutes))));
});

test('every route of the table is in it, under its own name, described in words', () => {
  const names = new Set<string>();
  for (const route of apiRoutes) {
    const operation = operationOf(route);
    expect(operation, name(route)).toBeDefined();
    expect(operation?.operationId).toMatch(/^[a-z]+([A-Z][a-z]+)+$/);
    names.add(operation?.operationId ?? '');
  }
  expect(names.size).toBe(apiRoutes.length);
  for (const id of [
    'listPayments',
    'createPayment',
    'getPayment',
    'updateMaintenanceRequest',
    'createProperty',
    'deleteWebhook',
    'rotateWebhookSecret',
  ])
    expect(names).toContain(id);
});

test('a field, a status or a value that the document does not have is noticed', () => {
  const deleted = { data: { id: `we_${'0'.repeat(32)}`, deleted: true } };
  const check = (status: number, body: unknown) =>
    nonconformity('DELETE', '/api/v1/webhooks/x', status, body);
  expect(check(200, deleted)).toBeNull();
  expect(check(200, { ...deleted, extra: 1 })).toMatch(/additional properties/);
  expect(check(200, { data: { ...deleted.data, extra: 1 } })).toMatch(/additional properties/);
  expect(check(200, { data: { ...deleted.data, deleted: false } })).toMatch(/deleted/);
  expect(check(200, { data: { deleted: true } })).toMatch(/required/);
  expect(check(418, deleted)).toMatch(/no 418/);
  expect(check(422, { error: { code: 422, message: 'Bad request' } })).toMatch(/no 422/);
  const error = { code: 404, message: 'Not found', type: 'not_found', request_id: 'req_x' };
  expect(check(404, { error })).toBeNull();
  expect(check(404, { error: { ...error, detail: 'x' } })).toMatch(/additional properties/);
  expect(check(404, { error: { ...error, type: 'missing' } })).toMatch(/type/);
});

test('what has rows can be asked for as CSV by a parameter, and no other route', () => {
  const withRows = apiRoutes.filter((route) => csvColumns(route) !== null);
  expect(withRows.length).toBeGreaterThan(8);
  for (const route of apiRoutes) {
    const { parameters = [], responses = {} } = operationOf(route) ?? {};
    const hasRows = withRows.includes(route);
    const hasFile = route.documents?.csv !== undefined;
    const hasFormat = parameters.some(({ $ref }) => $ref === '#/components/parameters/Format');
    expect(hasFormat, name(route)).toBe(hasRows);
    const answer = resolve(responses[route.success] ?? { $ref: '' });
    expect('text/csv' in (answer['x-alternatives'] ?? {}), name(route)).toBe(hasRows || hasFile);
    // This is beside the schema, not in it, since the type of a list would become "the list, or text".
    const type = route.sendsFile ? '*/*' : 'application/json';
    expect(Object.keys(answer.content), name(route)).toEqual([type]);
  }
});

test('the body of every list has a name, and every other is of named records', () => {
  for (const route of apiRoutes.filter(({ sendsFile }) => !sendsFile)) {
    const { responses = {}, requestBody } = operationOf(route) ?? {};
    const { schema } = resolve(responses[route.success] ?? { $ref: '' }).content['application/json'];
    const record = schema.properties?.data?.$ref ?? schema.$ref;
    expect(record, name(route)).toMatch(/^#\/components\/schemas\/\w+$/);
    expect(record?.endsWith('List'), name(route)).toBe('count' in (route.response as z.ZodObject).shape);
    if (route.body)
      expect(requestBody?.content['application/json'].schema.$ref, name(route)).toMatch(/^#.+\w$/);
  }
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['PaymentList', 'RentRollRowList', 'HistoryEntryList', 'ApiError']),
  );
});

test('an event is one of a union, distinguished by its name', () => {
  const { oneOf = [], discriminator } = document.components.schemas.Event ?? {};
  const { propertyName, mapping } = discriminator as {
    propertyName: string;
    mapping: Record<string, string>;
  };
  expect(propertyName).toBe('event');
  expect(Object.keys(mapping).sort()).toEqual([...eventNames].sort());
  expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(mapping));
  for (const [event, $ref] of Object.entries(mapping)) {
    const { properties } = document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {};
    expect(properties?.event, event).toMatchObject({ const: event });
    const sent = document.webhooks[event]?.post.requestBody.content['application/json'].schema;
    expect(sent, event).toEqual({ $ref });
  }
});

test('no field has a default that generators would take as required, and its default is described', () => {
  walk(document.components.schemas, (node, at) => {
    if (!at.endsWith('.properties')) expect(node, at).not.toHaveProperty('default');
  });
  const { properties } = document.components.schemas.PaymentCreate ?? {};
  expect(properties?.method?.description).toMatch(/ ?Default: `other`\.$/);
});

test('every parameter has an example', () => {
  let count = 0;
  walk(document, (node, at) => {
    if (typeof node.in !== 'string' || typeof node.name !== 'string') return;
    count++;
    expect(node, at).toHaveProperty('example');
    expect(['text', ['text']], `${at}: say an example`).not.toContainEqual(node.example);
  });
  expect(count).toBeGreaterThan(100);
});

test.each(['csv', 'json'])('format=%s wins over Accept', async (format) => {
  const accept = format === 'csv' ? 'application/json' : 'text/csv';
  const headers = { accept, authorization: `Bearer ${client.key}` };
  const answer = await service.request('GET', `/api/v1/webhooks?format=${format}`, { headers });
  expect(answer.headers.get('content-type')).toContain(format);
});

test('every event is in it, and has a body', () => {
  expect(Object.keys(document.webhooks).sort()).toEqual([...eventNames].sort());
  for (const { post } of Object.values(document.webhooks)) expect(post.requestBody.required).toBe(true);
});

test('every example fits its schema', () => {
  let count = 0;
  walk(document, (node, at) => {
    if (node.schema && 'example' in node) {
      count++;
      expect(misfit(node.schema as JsonSchema, node.example), at).toBeNull();
    }
    if (Array.isArray(node.examples) && !at.endsWith('.properties')) {
      count++;
      for (const example of node.examples) expect(misfit(node as JsonSchema, example), at).toBeNull();
    }
  });
  expect(count).toBeGreaterThan(200);
  expect(JSON.stringify(document)).not.toContain('"text"]');
});

test('no schema says the same twice, by a format and by a pattern', () => {
  let count = 0;
  walk(document, (node, at) => {
    if (typeof node.format !== 'string') return;
    count++;
    expect(node.pattern, at).toBeUndefined();
  });
  expect(count).toBeGreaterThan(50);
});

function walk(node: unknown, visit: (node: Record<string, unknown>, at: string) => void, at = ''): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) visit(node as Record<string, unknown>, at);
  for (const [key, value] of Object.entries(node)) if (key !== 'example') walk(value, visit, `${at}.${key}`);
}

test('every reference leads somewhere', () => {
  walk(document, (node, at) => {
    if (typeof node.$ref !== 'string') return;
    const found = node.$ref
      .slice(2)
      .split('/')
      .reduce((part: unknown, key) => (part as Record<string, unknown>)?.[key], document);
    expect(found, `${at} → ${node.$ref}`).toBeDefined();
  });
});

test('the recorded events are as the document says', async () => {
  const rows = await service.database.db.query<{ event: string; body: string }>(
    sql`select event, body from events`,
  );
  expect(rows.length).toBeGreaterThan(5);
  for (const { event, body } of rows) {
    const { schema } = document.webhooks[event]?.post.requestBody.content['application/json'] ?? {};
    expect(misfit(schema ?? {}, JSON.parse(body)), event).toBeNull();
  }
});

function expectConforms(route: Route, answer: Answer, status: number): void {
  expect(answer.status, `${name(route)}: ${answer.text}`).toBe(status);
  const path = `/api/v1${route.path.replace(/:\w+/, 'x')}`;
  expect(
    nonconformity(route.method, path, answer.status, answer.body),
    `${name(route)}: ${answer.text}`,
  ).toBeNull();
  expectHeaders(route, answer);
}

/** The headers that callers rely on. (No answer here is a replay.) */
const telling = ['x-request-id', 'ratelimit', 'ratelimit-policy', 'link', 'retry-after', 'www-authenticate'];

/** The document names the headers that are there, and the headers that it names are there. */
function expectHeaders(route: Route, { status, headers }: Answer): void {
  const promised = operationOf(route)?.responses[status];
  const named = Object.keys((promised && resolve(promised).headers) ?? {}).map((each) => each.toLowerCase());
  for (const header of telling) {
    if (header === 'link' && !headers.has(header)) continue;
    expect(headers.has(header), `${name(route)}, ${status}: ${header}`).toBe(named.includes(header));
  }
}

const inOrder = routes.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
const valid = (
  route: Route,
  as: Client,
  id = route.id ? idOf(ids, route.id) : '',
  headers: Record<string, string> = {},
) =>
  route.method === 'POST'
    ? as.post(addressed(route, fullPath(route, id), validBody(route, ids)), validBody(route, ids), headers)
    : send(as, route, fullPath(route, id), validBody(route, ids));
const asNobody = (route: Route) => service.request(route.method, fullPath(route, 'x'));
const freshKey = () => ({ 'idempotency-key': crypto.randomUUID() });

/** How to make any route answer with each error. */
const provoke: Record<number, (route: Route) => Promise<Answer>> = {
  400: (route) => {
    const id = route.id ? idOf(ids, route.id) : '';
    if (route.body) return send(client, route, fullPath(route, id), {});
    if (route.params) return send(client, route, fullPath(route, '%00'));
    const [parameter] = Object.keys(route.query?.shape ?? {});
    if (parameter) return send(client, route, fullPath(route, id, { [parameter]: '\0' }));
    return send(client, route, fullPath(route, id, { of_no_interest: '1' }));
  },
  401: asNobody,
  403: (route) => {
    if (route.permission === 'write') return valid(route, reader);
    return valid(route, scopeOf(route) === 'tenants' ? ofUnits : ofTenants);
  },
  404: (route) => valid(route, client, unknownId(route.id ?? '')),
  406: (route) =>
    service.request(route.method, fullPath(route, 'x'), {
      key: client.key,
      headers: { 'accept-encoding': 'identity;q=0' },
    }),
  409: (route) => (route.method === 'POST' ? inFlight(route) : conflicting(route)),
  // An event's id that is older than any that is kept.
  410: (route) =>
    send(client, route, fullPath(route, '', { after: formatId('evt', lowestIdAt(new Date(0))) })),
  412: (route) =>
    service.request(route.method, fullPath(route, route.id ? idOf(ids, route.id) : ''), {
      key: client.key,
      body: validBody(route, ids),
      headers: { 'if-match': '"another state"' },
    }),
  413: (route) =>
    service.request(route.method, fullPath(route, 'x'), {
      key: client.key,
      raw: 'x'.repeat((route.maxBodyBytes ?? 1024 * 1024) + 1),
    }),
  415: (route) =>
    service.request(route.method, fullPath(route, 'x'), {
      key: client.key,
      raw: '{}',
      headers: { 'content-encoding': 'gzip' },
    }),
  416: (route) =>
    service.request(route.method, fullPath(route, idOf(ids, 'file')), {
      key: client.key,
      headers: { range: 'bytes=1000000-' },
    }),
  422: async (route) => {
    const headers = freshKey();
    await client.post(`${fullPath(route, unknownId(route.id ?? ''))}&first=1`, {}, headers);
    return valid(route, client, undefined, headers);
  },
  429: (route) => limited.request(route.method, fullPath(route, 'x'), { key: poor.key }),
  500: async (route) => {
    await client.get('/tenants');
    const fail = () => Promise.reject(new Error('a bug'));
    service.app.db = { ...service.database.db, query: fail, transaction: fail };
    return valid(route, client);
  },
  503: async (route) => {
    await client.get('/tenants');
    service.app.db = connect({
      connection: { host: '127.0.0.1', port: 1 },
      poolSize: 1,
      onError: () => undefined,
    });
    return valid(route, client);
  },
};
afterEach(() => {
  service.app.db = service.database.db;
});

test('compressed and oversized bodies are answered as documented by every method that can have a body', async () => {
  const changing = routes.filter(({ method }) => method !== 'GET');
  expect(changing.map(({ method }) => method)).toContain('DELETE');
  for (const route of changing)
    for (const status of [413, 415]) {
      const answer = await provoke[status]?.(route);
      if (answer) expectConforms(route, answer, status);
      else expect.fail(`Say above how to provoke ${status}.`);
    }
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const headers = { 'content-encoding': 'gzip' };
    const answer = await service.request('GET', fullPath(route, 'x'), { key: client.key, headers });
    expectConforms(route, answer, route.id || route.params ? 404 : 200);
  }
});

/** Holds the lock of an Idempotency-Key, as a running request does. */
async function inFlight(route: Route): Promise<Answer> {
  const headers = freshKey();
  const digest = createHash('sha256').update(`${client.accountId} ${headers['idempotency-key']}`).digest();
  const holder = await service.database.db.connect();
  await holder.query('select pg_advisory_lock($1::bigint)', [digest.readBigInt64BE(0).toString()]);
  try {
    return await valid(route, client, undefined, headers);
  } finally {
    await holder.query('select pg_advisory_unlock_all()');
    holder.release();
  }
}

/** The changes that a record's state does not allow, which differ from noun to noun. */
async function conflicting(route: Route): Promise<Answer> {
  /** The queue has space for one delivery, and the change makes two. */
  const filled = async (id: string): Promise<[id: string, change: object]> => {
    for (const _ of [1, 2]) await make.webhook(client, { events: ['property.updated', 'tenant.updated'] });
    limitQueues(1);
    return [id, { external_id: 'changed' }];
  };
  /** Other records refer to each of those that the other tests use. */
  const inUse: Record<string, string> = {
    '/properties/:id': 'prop',
    '/units/:id': 'unit',
    '/tenants/:id': 'ten',
    '/leases/:id': 'lease',
  };
  const used = inUse[route.path];
  if (route.method === 'DELETE' && used) return client.delete(fullPath(route, idOf(ids, used)));
  if (route.method === 'PUT') {
    const other = route.path.startsWith('/recurring')
      ? { starts_on: '2020-01-01' }
      : route.path.startsWith('/payments') && { lease_id: null, charge_id: null };
    await make.webhook(client, { events: ['*'] });
    limitQueues(0);
    const id = route.path.startsWith('/recurring') ? '' : 'new';
    return send(client, route, fullPath(route, id), { ...validBody(route, ids), ...other }).finally(() =>
      limitQueues(defaultMostQueued),
    );
  }
  const cases: Record<string, () => Promise<[id: string, change: object]>> = {
    '/properties/:id': async () => filled((await make.property(client)).id),
    '/tenants/:id': async () => filled((await make.tenant(client)).id),
    '/units/:id': async () => {
      const { property_id } = await make.unit(client, { name: 'Taken' });
      return [(await make.unit(client, { property_id })).id, { name: 'Taken' }];
    },
    '/leases/:id': async () => {
      const { unit_id } = await make.lease(client, { start_date: '2030-01-01' });
      return [(await make.lease(client, { unit_id, end_date: '2029-01-01' })).id, { end_date: null }];
    },
    '/leases/:id/renew': async () => [
      (await make.lease(client, { start_date: '2026-01-01', ended_on: '2026-02-01' })).id,
      {},
    ],
    '/leases/:id/end': async () => {
      const { id: lease_id } = await make.lease(client);
      const weekly = { kind: 'pet', amount_cents: 1, every: 'week', starts_on: '2027-01-01' };
      await client.post('/recurring-charges', { lease_id, ...weekly });
      return [lease_id, { ended_on: '2999-12-31' }];
    },
    '/recurring-charges/:id': async () => {
      const lease = await make.lease(client);
      const ended = { kind: 'pet', amount_cents: 1, starts_on: '2026-01-01', ends_on: '2026-01-31' };
      const { body } = await client.post('/recurring-charges', { lease_id: lease.id, ...ended });
      return [body.data.id, { amount_cents: 2 }];
    },
    '/payments/:id': async () => [(await make.payment(client, { status: 'voided' })).id, { status: 'paid' }],
    '/files/:id': async () => {
      for (const _ of [1, 2]) await make.webhook(client, { events: ['file.updated'] });
      limitQueues(1);
      return [idOf(ids, 'file'), { name: 'changed.txt' }];
    },
    '/maintenance/:id': async () => [
      (await make.maintenance(client, { status: 'cancelled' })).id,
      { status: 'open' },
    ],
  };
  const prepare = cases[route.path];
  if (!prepare) throw new Error(`Say here how ${name(route)} comes to its 409.`);
  const [id, change] = await prepare();
  try {
    const query = route.method === 'GET' ? (change as Record<string, string>) : {};
    return await send(client, route, fullPath(route, id, query), change);
  } finally {
    limitQueues(defaultMostQueued);
  }
}

/** Records that can be deleted, because nothing refers to them, and a lease whose unit has no other. */
const made: Record<string, () => Promise<{ id: string }>> = {
  'DELETE /properties/:id': () => make.property(client),
  'DELETE /units/:id': () => make.unit(client),
  'DELETE /tenants/:id': () => make.tenant(client),
  'DELETE /leases/:id': () => make.lease(client),
  'GET /leases/:id/renew': () => make.lease(client),
};

describe.each(inOrder.map((route) => [name(route), route] as const))('%s', (_name, route) => {
  const statuses = Object.keys(operationOf(route)?.responses ?? {}).map(Number);
  test.each(statuses.filter((status) => status >= 400))('answers %d as documented', async (status) => {
    const how = provoke[status];
    if (!how) throw new Error(`Say here how to provoke ${status}.`);
    expectConforms(route, await how(route), status);
  });

  test('answers with what is documented', async () => {
    const given = seen.filter(([of, { status }]) => of === route && status !== 409);
    for (const [, answer] of given) expectConforms(route, answer, route.success);
    const unused = await made[`${route.method} ${route.path}`]?.();
    const answer = await valid(route, client, unused?.id);
    if (answer.status !== 409) expectConforms(route, answer, route.success);
    if (route.creates) {
      const created = await send(client, route, fullPath(route, 'new'), {
        ...validBody(route, ids),
        ...(route.path.startsWith('/leases') && {
          start_date: '2040-01-01',
          end_date: null,
          rent_changes: [],
        }),
        ...(route.path.startsWith('/units') && { name: 'New' }),
        ...(route.path.startsWith('/payments') && { lease_id: null, charge_id: null }),
        ...(route.path.startsWith('/credits') && { charge_id: null }),
      });
      expectConforms(route, created, 201);
      return;
    }
    expect(given.length > 0 || answer.status === route.success, answer.text).toBe(true);
  });
});
