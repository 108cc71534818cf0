import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { countLockWaits, holdAccount } from '../../../test/support/database.ts';
import { envelope } from '../../../test/support/envelope.ts';
import { type RawAnswer, sendRaw } from '../../../test/support/raw-http.ts';
import { expectInvalid, make } from '../../../test/support/records.ts';
import { type Answer, type Client, type Service, testService } from '../../../test/support/service.ts';
import type { App } from '../../app.ts';
import { connect, type Database } from '../../db/connect.ts';
import { sql } from '../../db/sql.ts';
import { createServer } from './server.ts';

let service: Service;
let client: Client;
let db: Database;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
  ({ db } = service.app);
});
afterEach(() => {
  service.app.db = db;
});
afterAll(() => service.close());

function expectEnvelope(answer: RawAnswer | Answer, status: number, message: unknown): void {
  const header = (name: string) =>
    answer.headers instanceof Headers ? answer.headers.get(name) : answer.headers[name];
  expect(answer.status, answer.text).toBe(status);
  expect(answer.body).toEqual(envelope(status, message));
  expect(header('content-type')).toBe('application/json; charset=utf-8');
  expect(header('cache-control')).toBe('no-store');
  expect(header('x-request-id')).toBe((answer.body as ReturnType<typeof envelope>).error.request_id);
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;
const host = 'Host: x';

test.each<[name: string, status: number, request: string]>([
  ['no HTTP at all', 400, 'hello\r\n\r\n'],
  ['TLS', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['an unknown method', 400, lines('FROBNICATE /api/v1/payments HTTP/1.1', host)],
  ['a blank in the path', 400, lines('GET /api/v1/pay ments HTTP/1.1', host)],
  ['an unknown version', 400, lines('GET /api/v1/payments HTTP/9.9', host)],
  ['a header without a colon', 400, lines('GET /api/v1/payments HTTP/1.1', host, 'nonsense')],
  ['a NUL in a header', 400, lines('GET /api/v1/payments HTTP/1.1', host, 'X-A: a\0b')],
  ['a wrong Content-Length', 400, lines('POST /api/v1/payments HTTP/1.1', host, 'Content-Length: x')],
  [
    'two lengths',
    400,
    lines('POST /api/v1/payments HTTP/1.1', host, 'Content-Length: 1', 'Content-Length: 2'),
  ],
  [
    'length and chunks',
    400,
    lines('POST /api/v1/payments HTTP/1.1', host, 'Content-Length: 1', 'Transfer-Encoding: chunked'),
  ],
  ['headers of 20 KB', 431, lines('GET /api/v1/payments HTTP/1.1', host, `X-A: ${'a'.repeat(20_000)}`)],
  ['a URL of 20 KB', 431, lines(`GET /api/v1/payments?q=${'a'.repeat(20_000)} HTTP/1.1`, host)],
])('%s is answered in the envelope', async (_name, status, request) => {
  const message = status === 431 ? 'Request Header Fields Too Large' : 'Bad request';
  expectEnvelope(await sendRaw(service.url, Buffer.from(request, 'latin1')), status, message);
});

test('a path that cannot be decoded does not exist', async () => {
  for (const path of ['/payments/%', '/payments/%zz', '/payments/%E0%A4%A', '/%'])
    expectEnvelope(await client.get(path), 404, 'Not found');
});

test('bad percent-encoding in a filter is a wrong value, not a fault', async () => {
  expectInvalid(await client.get('/payments?status=%zz'), 'status');
  expectInvalid(await client.get('/payments?tenant_id=%E0%A4%A'), 'tenant_id');
  expectInvalid(await client.get('/payments?from=%ff'), 'from');
  const unknown = await client.get('/payments?%zz=%zz&&=&a&__proto__=1&constructor=1');
  expect(unknown.status).toBe(400);
  expect(Object.keys(unknown.body.error.message.fieldErrors)).toEqual(
    expect.arrayContaining(['%zz', 'a', '__proto__', 'constructor']),
  );
});

test.each([
  ['HTTP/1.0', lines('GET /api/v1/payments HTTP/1.0')],
  ['no Host', lines('GET /api/v1/payments HTTP/1.1')],
  ['an absolute URL', lines('GET http://x/api/v1/payments HTTP/1.1', host)],
  ['an expectation nobody knows', lines('GET /api/v1/payments HTTP/1.1', host, 'Expect: wonders')],
  ['an upgrade', lines('GET /api/v1/payments HTTP/1.1', host, 'Connection: upgrade', 'Upgrade: websocket')],
  ['an HTTP/2 upgrade', lines('GET /api/v1/payments HTTP/1.1', host, 'Connection: upgrade', 'Upgrade: h2c')],
])('a request with %s reaches the API', async (_name, request) => {
  expectEnvelope(await sendRaw(service.url, request), 401, 'Unauthorized');
});

const over = 1024 * 1024 + 1;
const authorization = () => `Authorization: Bearer ${client.key}`;

test('a body over 1 MiB is 413, announced or not', async () => {
  const text = `{"memo":"${'x'.repeat(over)}"}`;
  expectEnvelope(
    await service.request('POST', '/payments', { key: client.key, raw: text }),
    413,
    'Payload too large',
  );
  expectEnvelope(
    await service.request('PATCH', '/payments/x', { key: client.key, raw: text }),
    413,
    'Payload too large',
  );
  const announced = lines('POST /api/v1/payments HTTP/1.1', host, authorization(), `Content-Length: ${over}`);
  expectEnvelope(await sendRaw(service.url, announced), 413, 'Payload too large');
  const start = lines('POST /api/v1/payments HTTP/1.1', host, authorization(), 'Transfer-Encoding: chunked');
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
  expectEnvelope(await sendRaw(service.url, start, ...Array(17).fill(chunk)), 413, 'Payload too large');
});

test('a body of exactly 1 MiB is read', async () => {
  const { id } = await make.tenant(client);
  const shell = JSON.stringify({ tenant_id: id, amount_cents: 1, of_no_interest: '' });
  const raw = shell.replace('""}', `"${'x'.repeat(over - 1 - shell.length)}"}`);
  expect(raw.length).toBe(over - 1);
  expect((await service.request('POST', '/payments', { key: client.key, raw })).status).toBe(201);
});

test('a broken chunk is answered in the envelope', async () => {
  const start = lines('POST /api/v1/payments HTTP/1.1', host, authorization(), 'Transfer-Encoding: chunked');
  expectEnvelope(await sendRaw(service.url, start, 'zz\r\nnonsense\r\n'), 400, 'Bad request');
});

const contentTypes = [
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'nonsense',
  ';;;',
  'a/b/c; =',
];
test.each(contentTypes)('a body is JSON whatever the Content-Type says: %j', async (type) => {
  const answer = await client.post(
    '/tenants',
    { first_name: 'Ada', last_name: 'Lee' },
    { 'content-type': type },
  );
  expect(answer.status, answer.text).toBe(201);
});

test('a body is JSON without a Content-Type, and in chunks', async () => {
  const text = '{"first_name":"Ada","last_name":"Żółć"}';
  const start = ['POST /api/v1/tenants HTTP/1.1', host, authorization()];
  const whole = await sendRaw(
    service.url,
    lines(...start, `Content-Length: ${Buffer.byteLength(text)}`),
    text,
  );
  expect([whole.status, whole.body.data.last_name]).toEqual([201, 'Żółć']);
  const chunks = `5\r\n${text.slice(0, 5)}\r\n${(Buffer.byteLength(text) - 5).toString(16)}\r\n${text.slice(5)}\r\n0\r\n\r\n`;
  const pieces = await sendRaw(service.url, lines(...start, 'Transfer-Encoding: chunked'), chunks);
  expect([pieces.status, pieces.body.data.last_name]).toEqual([201, 'Żółć']);
});

test.each<[name: string, raw: string | Uint8Array<ArrayBuffer>]>([
  ['nothing', ''],
  ['half of JSON', '{"first_name":'],
  ['two values', '{}{}'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a number', '42'],
  ['a string', '"text"'],
  ['true', 'true'],
  ['NaN', '{"first_name":NaN}'],
  ['single quotes', "{'first_name':'Ada'}"],
  [
    'invalid UTF-8',
    new Uint8Array([...Buffer.from('{"first_name":"'), 0xff, 0xfe, ...Buffer.from('","last_name":"x"}')]),
  ],
  ['UTF-16', new Uint8Array(Buffer.from('{"first_name":"Ada"}', 'utf16le'))],
  ['a million brackets', '['.repeat(1_000_000)],
  ['a deep object', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
])('%s is an empty body: every required field is missing', async (name, raw) => {
  const answer = await service.request('POST', '/tenants', { key: client.key, raw });
  expectEnvelope(answer, 400, {
    formErrors: ['The body is not a JSON object.'],
    fieldErrors: { first_name: ['Required.'], last_name: ['Required.'] },
  });
  const isJson = ['nothing', 'an array', 'null', 'a number', 'a string', 'true'].includes(name);
  expect(answer.body.error.type).toBe(isJson ? 'validation_failed' : 'invalid_json');
});

test('a change that is not a JSON object gets a message about that, and an empty one does not', async () => {
  const patch = (raw: string) => service.request('PATCH', '/account', { key: client.key, raw });
  for (const raw of ['[]', 'nonsense', '']) {
    const message = { formErrors: ['The body is not a JSON object.'], fieldErrors: {} };
    expectEnvelope(await patch(raw), 400, message);
  }
  expect((await patch('{}')).body.error.message.formErrors).not.toContain('The body is not a JSON object.');
});

test('a byte order mark before the JSON is ignored', async () => {
  const raw = '\ufeff{"first_name":"Ada","last_name":"Lee"}';
  expect((await service.request('POST', '/tenants', { key: client.key, raw })).status).toBe(201);
});

test('a value of the wrong kind gets one message', async () => {
  const answer = await client.post('/tenants', { first_name: [], last_name: 'Lee' });
  expectEnvelope(answer, 400, { formErrors: [], fieldErrors: { first_name: ['Must be text.'] } });
});

test('HEAD answers as GET does, without a body', async () => {
  const { id } = await make.tenant(client);
  for (const [path, status] of [
    [`/tenants/${id}`, 200],
    ['/tenants', 200],
    ['/tenants/x', 404],
    ['/nowhere', 404],
  ] as const) {
    const head = await service.request('HEAD', path, { key: client.key });
    expect([head.status, head.text]).toEqual([status, '']);
    expect(head.headers.get('x-request-id')).toMatch(/^req_/);
    expect(head.headers.get('cache-control')).toBe('no-store');
  }
  expect((await service.request('HEAD', '/tenants')).status).toBe(401);
});

test('every response has its own X-Request-Id, whatever the client sends', async () => {
  const ids = new Set<string | null>();
  for (const path of ['/tenants', '/tenants', '/nowhere', '/tenants/x'])
    ids.add((await client.get(path, { 'x-request-id': 'mine' })).headers.get('x-request-id'));
  expect(ids.size).toBe(4);
  expect(ids.has('mine')).toBe(false);
});

/** The app with a database that fails in this way. Only keys are still found. */
function breakDatabase(error: () => Error): void {
  const fail = () => Promise.reject(error());
  service.app.db = { ...db, query: fail, transaction: fail };
}

test('a bug of ours is a 500 that reveals nothing', async () => {
  await client.get('/tenants');
  breakDatabase(() => new TypeError('cannot read the password "hunter2" of undefined'));
  for (const answer of [
    await client.get('/tenants'),
    await client.post('/tenants', { first_name: 'A', last_name: 'B' }),
    await client.post('/tenants', { first_name: 'A', last_name: 'B' }, { 'idempotency-key': 'a-bug' }),
    await client.patch(`/tenants/ten_${'0'.repeat(32)}`, { first_name: 'A' }),
  ])
    expectEnvelope(answer, 500, 'Internal server error');
});

test('the log has the whole of it under the request id, one line a request, and no key', async () => {
  const log: string[] = [];
  const app = { ...service.app, log: pino({ level: 'info' }, { write: (line) => void log.push(line) }) };
  const server = createServer(app);
  const headers = { authorization: `Bearer ${client.key}` };
  await server.inject({ url: '/api/v1/tenants', headers });
  app.db = { ...db, query: () => Promise.reject(new TypeError('a very special bug')) };
  const answer = await server.inject({ url: '/api/v1/tenants?q=x', headers });
  const requestId = answer.headers['x-request-id'];
  expect([answer.statusCode, log.length]).toEqual([500, 3]);
  const [, failure, request] = log.map((line) => JSON.parse(line));
  expect(failure).toMatchObject({ request_id: requestId, err: { message: 'a very special bug' } });
  expect(failure.err.stack).toContain('errors.test.ts');
  expect(request).toMatchObject({
    request_id: requestId,
    method: 'GET',
    route: '/api/v1/tenants',
    status: 500,
  });
  expect(log.join()).not.toContain(client.key);
  await server.close();
});

test('a bug in SQL is a 500 that reveals nothing either', async () => {
  await client.get('/tenants');
  service.app.db = { ...db, query: () => db.query(sql`select no_such_column from accounts`) };
  const answer = await client.get('/tenants');
  expectEnvelope(answer, 500, 'Internal server error');
  expect(answer.text).not.toMatch(/column|tenants/);
});

test('a database that is away is a 503 that says when to try again', async () => {
  const away = connect({
    connection: { host: '127.0.0.1', port: 1, user: 'x', database: 'x' },
    poolSize: 2,
    onError: () => undefined,
  });
  await client.get('/tenants');
  service.app.db = away;
  for (const answer of [
    await client.get('/tenants'),
    await client.post('/tenants', { first_name: 'A', last_name: 'B' }),
    await client.post('/tenants', { first_name: 'A', last_name: 'B' }, { 'idempotency-key': 'away' }),
  ]) {
    expectEnvelope(answer, 503, 'Service unavailable');
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
  await away.close();
});

test('while the database is away the log says so once a second, not once for each request', async () => {
  const log: { msg: string; requests?: number; err?: { code: string } }[] = [];
  const write = (line: string) => void log.push(JSON.parse(line));
  const app = { ...service.app, log: pino({ level: 'warn' }, { write }) };
  const server = createServer(app);
  const ask = () =>
    server.inject({ url: '/api/v1/tenants', headers: { authorization: `Bearer ${client.key}` } });
  await ask();
  const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  app.db = { ...db, query: () => Promise.reject(gone) };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  for (let n = 0; n < 20; n++) expect((await ask()).statusCode).toBe(503);
  expect(log).toHaveLength(1);
  expect(log[0]).toMatchObject({ msg: 'database unavailable', requests: 1, err: { code: 'ECONNREFUSED' } });
  vi.advanceTimersByTime(1_000);
  expect(log).toHaveLength(2);
  expect(log[1]).toMatchObject({ msg: 'database unavailable', requests: 19, err: { code: 'ECONNREFUSED' } });
  vi.useRealTimers();
  await server.close();
});

test('connections that the database cut are replaced: reads and keyed writes succeed', async () => {
  await Promise.all(Array.from({ length: 20 }, () => client.get('/tenants')));
  const admin = await service.database.db.connect();
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  admin.release();
  const answers = await Promise.all(Array.from({ length: 10 }, () => client.get('/tenants')));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const kept = await client.post(
    '/tenants',
    { first_name: 'A', last_name: 'B' },
    { 'idempotency-key': 'cut' },
  );
  expect(kept.status).toBe(201);
});

test('a service that is stopping finishes what is under way, then ends at once', async () => {
  const own = await testService();
  const caller = await own.client();
  const letGo = await holdAccount(own.database.db, caller.accountId);
  const slow = caller.post('/webhooks', { url: 'https://93.184.215.14/', events: ['unit.created'] });
  await waitUntilBlocked(own.app);
  const stopping = own.stop();
  await letGo();
  const answer = await slow;
  expect([answer.status, answer.headers.get('connection')]).toEqual([201, 'close']);
  const since = Date.now();
  await stopping;
  expect(Date.now() - since).toBeLessThan(5_000);
  await own.close();
});

async function waitUntilBlocked(app: App): Promise<void> {
  while ((await countLockWaits(app.db)) === 0);
}
