import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  eventsDuring,
  expectError,
  expectInvalid,
  expectPatchRules,
  hookUrl,
  keepsValues,
  make,
  queueOf,
  refusesValues,
  unknownId,
  wrongTexts,
} from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { raw, sql } from '../db/sql.ts';
import { subscribableEvents } from '../events/catalogue.ts';
import { parseId } from '../ids.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService({ AUTOMATION_USER_AGENTS: 'zapier, Make' });
  client = await service.client();
});
afterAll(() => service.close());

// It is deleted again, because an account can have only a hundred endpoints.
async function post(fields: object, headers: Record<string, string> = {}) {
  const answer = await client.post(
    '/webhooks',
    { url: hookUrl, events: ['tenant.created'], ...fields },
    headers,
  );
  if (answer.status === 201) await client.delete(`/webhooks/${answer.body.data.id}`);
  return answer;
}

const listed = [
  'id',
  'url',
  'description',
  'events',
  'status',
  'source',
  'last_success_at',
  'last_error_at',
  'failure_count',
  'created_at',
];

test('a subscription returns the whole stored record with its secret', async () => {
  const { status, body } = await post({ description: '  CRM ' });
  expect(status).toBe(201);
  expect(body).toEqual({
    data: {
      id: expect.stringMatching(/^we_[0-9a-f]{32}$/),
      url: hookUrl,
      description: 'CRM',
      events: ['tenant.created'],
      status: 'active',
      source: 'api',
      last_success_at: null,
      last_error_at: null,
      failure_count: 0,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      disabled_reason: null,
      skip_actors: [],
      updated_at: body.data.created_at,
      secret: expect.stringMatching(/^whsec_[0-9a-f]{64}$/),
    },
  });
});

test('the list has exactly the ten fields, newest first, all of them, and count counts them', async () => {
  const own = await service.client();
  const made = [];
  for (let n = 0; n < 5; n++) made.unshift(await make.webhook(own, { description: `No. ${n}` }));
  const { status, body, headers, text } = await own.get('/webhooks');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['data', 'count']);
  expect(body.count).toBe(5);
  expect(headers.get('link')).toBeNull();
  // The list has no pages.
  expectInvalid(await own.get('/webhooks?limit=2'), 'limit');
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(made.map(({ id }) => id));
  for (const record of body.data) expect(Object.keys(record)).toEqual(listed);
  expect(text).not.toContain('whsec_');
  expect((await (await service.client()).get('/webhooks')).body).toEqual({ data: [], count: 0 });
});

test('the secret is in the answers that make one and nowhere else', async () => {
  const own = await service.client();
  const { id, secret } = await make.webhook(own, { events: [...subscribableEvents] });
  await make.tenant(own);
  const answers = [
    await own.get('/webhooks'),
    await own.get(`/webhooks/${id}`),
    await own.patch(`/webhooks/${id}`, { description: 'x' }),
    await own.patch(`/webhooks/${id}`, { status: 'disabled' }),
    await own.get('/events'),
    await own.get(`/webhooks/${id}/deliveries`),
    await own.delete(`/webhooks/${id}`),
  ];
  for (const { text } of answers) {
    expect(text).not.toContain('secret');
    expect(text).not.toContain(secret);
  }
});

test('secrets are encrypted at rest, also in the answer kept for an Idempotency-Key', async () => {
  const own = await service.client();
  const { body } = await own.post(
    '/webhooks',
    { url: hookUrl, events: ['unit.created'] },
    { 'idempotency-key': 'k1' },
  );
  const { secret } = body.data;
  const again = await own.post(`/webhooks/${body.data.id}/rotate-secret`, {}, { 'idempotency-key': 'k2' });
  const tables = await service.database.db.query<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    const [row] = await service.database.db.query<{ text: string }>(
      sql`select coalesce(string_agg(t::text, ' '), '') as text from ${raw(name)} t`,
    );
    for (const plain of [secret, again.body.data.secret]) {
      expect(row?.text.includes(plain), name).toBe(false);
      expect(row?.text.includes(Buffer.from(plain).toString('hex')), name).toBe(false);
      expect(row?.text.includes(plain.slice('whsec_'.length)), name).toBe(false);
    }
  }
  const [stored] = await service.database.db.query<{ secret: Buffer; previous: Buffer }>(
    sql`select secret, previous_secret as previous from webhook_endpoints where account_id = ${own.accountId}`,
  );
  expect(service.app.secrets.decrypt(stored?.secret ?? Buffer.of())).toBe(again.body.data.secret);
  expect(service.app.secrets.decrypt(stored?.previous ?? Buffer.of())).toBe(secret);
});

test('a body that fails validation gets the structured error', async () => {
  await refusesValues(post, {
    url: [undefined, null, '', 5, [hookUrl], {}],
    description: wrongTexts(1000),
    events: [
      undefined,
      null,
      'tenant.created',
      {},
      [],
      [5],
      [null],
      ['nothing.happened'],
      ['webhook.test'],
      ['__proto__', 'constructor'],
    ],
  });
  const nothing = await post({ events: ['tenant.Created', 'nothing'] });
  expectInvalid(nothing, 'events', new RegExp(subscribableEvents.join(', ').replaceAll('.', '\\.')));
});

test.each([
  ['not JSON', '{"url": "https://'],
  ['nothing', ''],
  ['an array', '[{"url":"https://example.com"}]'],
  ['null', 'null'],
  ['a number', '1'],
  ['a string', '"url"'],
  ['a form', 'url=https%3A%2F%2Fexample.com&events=tenant.created'],
])('%s is treated as an empty body', async (_name, text) => {
  const answer = await service.request('POST', '/webhooks', { key: client.key, raw: text });
  expect(answer.status).toBe(400);
  expect(answer.body.error.message).toEqual({
    formErrors: ['The body is not a JSON object.'],
    fieldErrors: { url: ['Required.'], events: ['Required.'] },
  });
});

test.each([
  'http://93.184.215.14/',
  'https://127.0.0.1/',
  'https://localhost/hook',
  'https://10.0.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::1]/',
  'https://2130706433/',
  'https://user:password@example.com/',
  ' https://93.184.215.14/',
  'ftp://93.184.215.14/',
  'javascript:alert(1)',
  'not a url',
  `https://93.184.215.14/${'x'.repeat(2100)}`,
  'https://93.184.215.14:22/',
  'https://93.184.215.14/#fragment',
  'https://93.184.215.14/\0',
  'https://\ud800.example.com/',
])('the unsafe address %j is refused with a sentence', async (url) => {
  const answer = await post({ url });
  expectError(answer, 400, /\w+/);
  expectError(await client.patch(`/webhooks/${unknownId('we')}`, { url }), 400, /\w+/);
});

test('unknown events are dropped, duplicates collapsed, the rest kept in order', async () => {
  await keepsValues(post, {
    events: [
      [
        ['payment.created', 'nope', 'tenant.created', 'payment.created'],
        ['payment.created', 'tenant.created'],
      ],
      [['webhook.test', 'unit.updated', ''], ['unit.updated']],
      [[...subscribableEvents, ...subscribableEvents], [...subscribableEvents]],
    ],
    description: [
      ['', null],
      ['  ', null],
      [null, null],
      [undefined, null],
      ['x'.repeat(1000), 'x'.repeat(1000)],
    ],
    url: [[`${hookUrl}?a=1&b=%20`, `${hookUrl}?a=1&b=%20`]],
  });
});

test('dropped events are named in a Warning header, whatever they are called, on replays too', async () => {
  const events = ['tenant.created', 'tenant.craeted', 'a"b\\c', 'é\r\nX-Evil: 1', 'tenant.craeted'];
  const headers = { 'idempotency-key': 'misspelt' };
  for (const replayed of [null, 'true']) {
    const answer = await post({ events }, headers);
    expect([answer.status, answer.body.data.events]).toEqual([201, ['tenant.created']]);
    expect(answer.headers.get('idempotent-replayed')).toBe(replayed);
    expect(answer.headers.get('x-evil')).toBeNull();
    expect(answer.headers.get('warning')).toBe(
      '299 - "Not events, so dropped: tenant.craeted, a\\"b\\\\c, ???X-Evil: 1."',
    );
  }
  const many = await post({
    events: ['*', ...Array.from({ length: 999 }, (_, n) => `${n}.${'x'.repeat(500)}`)],
  });
  expect(many.headers.get('warning')).toMatch(/^299 - ".{500,1000} and 989 more\."$/);

  const { id } = await make.webhook(client);
  const patched = await client.patch(`/webhooks/${id}`, { events: ['unit.created', 'unit.gone'] });
  expect(patched.headers.get('warning')).toContain('unit.gone');
  for (const fine of [{ events: ['unit.created'] }, { description: 'x' }, { events: ['*'] }])
    expect((await client.patch(`/webhooks/${id}`, fine)).headers.get('warning')).toBeNull();
  const refused = await client.patch(`/webhooks/${id}`, { events: ['unit.gone'] });
  expect([refused.status, refused.headers.get('warning')]).toEqual([400, null]);
  await client.delete(`/webhooks/${id}`);
});

test('* means all events, whatever is named with it, and needs every scope that they need', async () => {
  await keepsValues(post, {
    events: [
      [['*'], ['*']],
      [['tenant.created', '*', '*'], ['*']],
    ],
  });
  // A process of the previous release looks for the name of an event.
  const { id } = (await client.post('/webhooks', { url: hookUrl, events: ['*'] })).body.data;
  const [stored] = await service.database.db.query<{ events: string[] }>(
    sql`select events from webhook_endpoints where id = ${parseId('we', id)}`,
  );
  expect(stored?.events).toEqual(['*', ...subscribableEvents]);
  const shown = (await client.get('/webhooks')).body.data.find((each: { id: string }) => each.id === id);
  expect([shown.events, (await client.get(`/webhooks/${id}`)).body.data.events]).toEqual([['*'], ['*']]);
  const fewer = await client.patch(`/webhooks/${id}`, { events: ['unit.created'] });
  expect(fewer.body.data.events).toEqual(['unit.created']);
  await client.delete(`/webhooks/${id}`);
  const tenantsOnly = await service.client({ scopes: ['webhooks', 'tenants', 'events'] });
  const subscribe = (events: string[]) => tenantsOnly.post('/webhooks', { url: hookUrl, events });
  const { status, body } = await subscribe(['tenant.created']);
  expect(status).toBe(201);
  expectError(await subscribe(['*']), 403, /lacks the scope/);
  expectError(
    await tenantsOnly.patch(`/webhooks/${body.data.id}`, { events: ['*'] }),
    403,
    /lacks the scope/,
  );
});

test('a key that could not subscribe to an endpoint changes nothing about it, and does not get its secret', async () => {
  const owner = await service.client();
  const { id } = (await owner.post('/webhooks', { url: hookUrl, events: ['*'] })).body.data;
  const key = await service.client({ accountId: owner.accountId, scopes: ['webhooks', 'payments'] });
  for (const refused of [
    // Queued deliveries would go to the new URL.
    await key.patch(`/webhooks/${id}`, { events: ['payment.created'], url: `${hookUrl}/else` }),
    await key.post(`/webhooks/${id}/rotate-secret`),
    await key.delete(`/webhooks/${id}`),
  ])
    expectError(refused, 403, /lacks the scope/);
  expect((await owner.get(`/webhooks/${id}`)).body.data.events).toEqual(['*']);
});

test.each([
  ['Zapier', 'automation'],
  ['zapier', 'automation'],
  ['Mozilla/5.0 (compatible; ZAPIER/1.0)', 'automation'],
  ['make/1', 'automation'],
  ['curl/8', 'api'],
  ['', 'api'],
])('with the User-Agent %j the source is %s', async (userAgent, source) => {
  expect((await post({ source: 'automation' }, { 'user-agent': userAgent })).body.data.source).toBe(source);
});

test('deliveries unfinished when their endpoint was deleted are shown as such', async () => {
  const own = await service.client();
  const gone = await make.webhook(own);
  await make.tenant(own);
  await make.tenant(own);
  const [underWay, waiting] = (await own.get(`/webhooks/${gone.id}/deliveries`)).body.data;
  await service.database.db.query(sql`
    update delivery_queue set lease_until = now() + interval '1 minute', attempts = 1
    where account_id = ${own.accountId} and 'dlv_' || replace(id::text, '-', '') = ${underWay.id}`);
  const kept = await service.database.db.query<Record<string, unknown>>(sql`
    select id, endpoint_id, event_id, event, kind, next_at, created_at from delivery_queue
    where account_id = ${own.accountId} and lease_until is null`);
  await own.delete(`/webhooks/${gone.id}`);
  expect((await own.get(`/deliveries/${underWay.id}`)).body.data).toMatchObject({
    status: 'cancelled',
    last_error: expect.stringContaining('it may have been delivered'),
  });
  const cancelled = {
    status: 'cancelled',
    last_error: expect.stringContaining('before this could be delivered'),
  };
  expect((await own.get(`/deliveries/${waiting.id}`)).body.data).toMatchObject(cancelled);

  // The rest of a long queue stays until a worker comes to it.
  const [row] = kept;
  await service.database.db.query(
    sql`delete from deliveries where account_id = ${own.accountId} and id = ${row?.id}`,
  );
  await service.database.db.query(sql`
    insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
    values (${row?.id}, ${own.accountId}, ${row?.endpoint_id}, ${row?.event_id}, ${row?.event}, ${row?.kind}, false,
      ${row?.next_at}, ${row?.created_at})`);
  expect((await own.get(`/deliveries/${waiting.id}`)).body.data).toMatchObject({
    ...cancelled,
    next_attempt_at: null,
  });
  expectError(
    await own.post(`/deliveries/${waiting.id}/redeliver`),
    409,
    'The webhook endpoint of this delivery was deleted.',
  );
});

test('deleting answers with the id, cancels what is queued, and works once', async () => {
  const own = await service.client();
  const gone = await make.webhook(own);
  const stays = await make.webhook(own);
  await make.tenant(own);
  expect(await queueOf(service, own)).toHaveLength(2);
  const { status, body } = await own.delete(`/webhooks/${gone.id}`);
  expect(status).toBe(200);
  expect(body).toEqual({ data: { id: gone.id, deleted: true } });
  expect(await queueOf(service, own)).toHaveLength(1);
  const [logged] = await service.database.db.query(
    sql`select status, attempts from deliveries where account_id = ${own.accountId}`,
  );
  expect(logged).toEqual({ status: 'cancelled', attempts: 0 });
  for (const id of [gone.id, unknownId('we'), 'x', '1', stays.id.replace('we_', 'ten_')])
    expectError(await own.delete(`/webhooks/${id}`), 404, 'Not found');
  expectError(await own.get(`/webhooks/${gone.id}`), 404, 'Not found');
  expect((await own.get('/webhooks')).body.data.map(({ id }: { id: string }) => id)).toEqual([stays.id]);
  await make.tenant(own);
  expect(await queueOf(service, own)).toHaveLength(2);
});

test('an account has at most a hundred endpoints, even if many are requested at once', async () => {
  const own = await service.client();
  const other = await service.client();
  const subscribe = () => own.post('/webhooks', { url: hookUrl, events: ['tenant.created'] });
  for (let n = 0; n < 19; n++) await Promise.all(Array.from({ length: 5 }, subscribe));
  const answers = await Promise.all(Array.from({ length: 10 }, subscribe));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(5).fill(409)]);
  expectError(await subscribe(), 409, /at most 100/);
  const { data, count } = (await own.get('/webhooks')).body;
  expect([data.length, count]).toEqual([100, 100]);
  expect((await other.post('/webhooks', { url: hookUrl, events: ['tenant.created'] })).status).toBe(201);
  await own.delete(`/webhooks/${data[0].id}`);
  expect((await subscribe()).status).toBe(201);
});

test('a change is answered with the whole subscription, without its own events', async () => {
  const { id } = await make.webhook(client, { description: 'x' });
  const path = `/webhooks/${id}`;
  await expectPatchRules(
    service,
    client,
    path,
    { url: `${hookUrl}/2`, description: null, events: ['unit.created', 'unit.updated'] },
    null,
  );
  await refusesValues((fields) => client.patch(path, fields), {
    url: [null, '', 5],
    events: [null, [], ['nope']],
    status: [null, 'failing', 'gone'],
    description: wrongTexts(1000),
  });
  await client.delete(path);
});

test('a disabled endpoint gets nothing until it is enabled again', async () => {
  const own = await service.client();
  const { id } = await make.webhook(own);
  const path = `/webhooks/${id}`;
  await make.tenant(own);
  const disabled = await own.patch(path, { status: 'disabled' });
  expect(disabled.body.data).toMatchObject({ status: 'disabled', disabled_reason: 'owner' });
  expect(await queueOf(service, own)).toEqual([]);
  const events = await eventsDuring(service, own, () => make.tenant(own));
  expect(events).toHaveLength(1);
  expect(await queueOf(service, own)).toEqual([]);
  expect((await own.patch(path, { status: 'disabled' })).text).toBe(disabled.text);
  const enabled = await own.patch(path, { status: 'active' });
  expect(enabled.body.data).toMatchObject({ status: 'active', disabled_reason: null });
  await make.tenant(own);
  expect(await queueOf(service, own)).toHaveLength(1);
});

test('deliveries are queued for a failing endpoint, and setting it active changes nothing', async () => {
  const own = await service.client();
  const { id } = await make.webhook(own);
  await service.database.db.query(
    sql`update webhook_endpoints set status = 'failing' where account_id = ${own.accountId}`,
  );
  await make.tenant(own);
  expect(await queueOf(service, own)).toHaveLength(1);
  const { data } = (await own.patch(`/webhooks/${id}`, { status: 'active' })).body;
  expect(data.status).toBe('failing');
});

test('rotating gives a new secret once, and keeps the old one for a day', async () => {
  const { id, secret } = await make.webhook(client);
  const before = Date.now();
  const { status, body } = await client.post(`/webhooks/${id}/rotate-secret`);
  expect([200, 201]).toContain(status);
  expect(body.data.secret).toMatch(/^whsec_[0-9a-f]{64}$/);
  expect(body.data.secret).not.toBe(secret);
  expect(body.data.id).toBe(id);
  const [row] = await service.database.db.query<{ until: Date }>(
    sql`select previous_secret_expires_at as until from webhook_endpoints where account_id = ${client.accountId}`,
  );
  const hours = ((row?.until.getTime() ?? 0) - before) / 3_600_000;
  expect(hours).toBeGreaterThanOrEqual(24);
  expect(hours).toBeLessThan(24.1);
  expectError(await client.post(`/webhooks/${unknownId('we')}/rotate-secret`), 404, 'Not found');
  await client.delete(`/webhooks/${id}`);
});

test('without a key it is 401, with a key that may only read 403, whatever the body', async () => {
  const reader = await service.client({ permission: 'read', accountId: client.accountId });
  for (const body of [{ url: hookUrl, events: ['tenant.created'] }, {}, { url: 'http://localhost' }]) {
    expectError(await service.request('POST', '/webhooks', { body }), 401, 'Unauthorized');
    expectError(await reader.post('/webhooks', body), 403, 'Forbidden');
  }
  const { id } = await make.webhook(client);
  expectError(await reader.delete(`/webhooks/${id}`), 403, 'Forbidden');
  expectError(await reader.patch(`/webhooks/${id}`, { status: 'disabled' }), 403, 'Forbidden');
  expectError(await reader.post(`/webhooks/${id}/rotate-secret`), 403, 'Forbidden');
  expect((await reader.get(`/webhooks/${id}`)).body.data.status).toBe('active');
  await client.delete(`/webhooks/${id}`);
});

test("another account's subscriptions can be neither seen nor changed", async () => {
  const { id } = await make.webhook(client);
  const stranger = await service.client();
  for (const answer of [
    await stranger.get(`/webhooks/${id}`),
    await stranger.patch(`/webhooks/${id}`, { status: 'disabled' }),
    await stranger.delete(`/webhooks/${id}`),
    await stranger.post(`/webhooks/${id}/rotate-secret`),
  ])
    expectError(answer, 404, 'Not found');
  expect((await stranger.get('/webhooks')).body).toEqual({ data: [], count: 0 });
  expect((await client.get(`/webhooks/${id}`)).body.data.status).toBe('active');
});
