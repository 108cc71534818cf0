import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createServer } from '../../src/http/server/server.ts';
import { openBrowser, type Person, signUp } from '../support/browser.ts';
import { envelope } from '../support/envelope.ts';
import { expectError, make } from '../support/records.ts';
import { type Client, requestsUnderWay, type Service, testService } from '../support/service.ts';
import { converse, dial, drip, lines } from '../support/sockets.ts';
import { thorough } from '../support/thorough.ts';

/* Requests that cost the sender little and could cost us much. Each gets a proper answer, and the service goes on. */

let service: Service;
let client: Client;
let person: Person;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  client = await service.client();
  person = await signUp(service);
});
afterAll(() => service.close());

afterEach(async () => {
  const { status, body } = await client.post('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  expect(status).toBe(201);
  expect((await client.get(`/tenants/${body.data.id}`)).status).toBe(200);
});

const post = (...headers: string[]) =>
  lines('POST /api/v1/tenants HTTP/1.1', 'Host: x', `Authorization: Bearer ${client.key}`, ...headers);
const request = (raw: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  service.request('POST', '/tenants', { key: client.key, raw, headers });

describe('many large bodies', () => {
  const tenant = (bytes: number, key = client.key) =>
    service.request('POST', '/tenants', {
      key,
      raw: JSON.stringify({ first_name: 'Ada', last_name: 'Okafor' }).padEnd(bytes),
    });
  /** Sends as many bodies as an account may send at once, and never finishes them. */
  const sendSlowly = (key: string, count = 16) => {
    const senders = Array.from({ length: count }, () => dial(service.url));
    onTestFinished(() => {
      for (const sender of senders) sender.destroy();
    });
    for (const sender of senders)
      sender.write(post(`Content-Length: ${1024 * 1024}`).replace(client.key, key));
    return senders;
  };

  test('take no more memory than an account has for them; others, and small ones, are served in the meantime', async () => {
    const neighbour = await service.client();
    const senders = sendSlowly(client.key);
    /** A body that arrived at the same moment as a question was refused for it, so another one takes its place. */
    const untilFull = (key: string, sending: string) =>
      vi.waitUntil(
        async () => {
          const isFull = (await tenant(100_000, key)).status === 503;
          if (!isFull) senders.push(...sendSlowly(sending, 1));
          return isFull;
        },
        { timeout: 20_000 },
      );
    await untilFull(client.key, client.key);
    const refused = await tenant(100_000);
    expect(refused.body).toEqual(envelope(503, 'Too busy'));
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await tenant(10_000)).status).toBe(201);
    expect((await tenant(1_000_000, neighbour.key)).status).toBe(201);

    // One address cannot take all of it with more accounts, either.
    const others = [await service.client(), await service.client()];
    senders.push(...others.flatMap(({ key }) => sendSlowly(key)));
    await untilFull(neighbour.key, (await service.client()).key);
    expect((await tenant(10_000, neighbour.key)).status).toBe(201);

    for (const sender of senders) sender.destroy();
    await vi.waitUntil(async () => (await tenant(1_000_000)).status === 201, { timeout: 10_000 });
  });

  test('of callers who left during authentication are not counted for ever', async () => {
    const { key } = await service.client(); // which nobody has asked about yet
    const holder = await service.app.db.connect();
    await holder.query('begin; lock table api_keys in access exclusive mode');
    try {
      const senders = Array.from({ length: 70 }, () => dial(service.url));
      const head = post(`Content-Length: ${1024 * 1024}`).replace(client.key, key);
      for (const sender of senders) sender.write(head);
      await vi.waitUntil(async () => (await requestsUnderWay(service)) === 70, { timeout: 10_000 });
      for (const sender of senders) sender.destroy();
      // A request that is answered after them has waited for the server to notice that they are gone.
      for (let later = 0; later < 3; later++) await fetch(`${service.url}/healthz`);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    await vi.waitUntil(async () => (await tenant(1_000_000)).status === 201, { timeout: 5_000 });
  });

  test('are not taken from strangers', async () => {
    const body = JSON.stringify({ email: 'ada@example.com', password: 'x'.repeat(20) });
    const signIn = (bytes: number) =>
      fetch(`${service.url}/internal/v1/sign-in`, {
        method: 'POST',
        headers: { origin: service.url },
        body: body.padEnd(bytes),
      });
    expect((await signIn(16 * 1024)).status).toBe(401);
    expect((await signIn(16 * 1024 + 1)).status).toBe(413);
  });
});

describe('slow senders', () => {
  /** The same server with shorter limits. The real ones are checked below. */
  let server: FastifyInstance;
  let url: string;
  beforeAll(async () => {
    server = createServer({ ...service.app });
    expect(server.server.headersTimeout).toBeLessThanOrEqual(10_000);
    expect(server.server.requestTimeout).toBeLessThanOrEqual(30_000);
    server.server.headersTimeout = 300;
    server.server.requestTimeout = 300;
    await server.listen({ port: 0, host: '127.0.0.1' });
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());

  test('headers or a body that drip, or never come, are cut off; others are served in the meantime', async () => {
    const head = lines('GET /api/v1/tenants HTTP/1.1', 'Host: x').slice(0, -2);
    const slow = [
      drip(`${head}${'X-Slow: 1\r\n'.repeat(100)}`),
      drip('GET /'),
      drip(`${post('Content-Length: 1000')}${' '.repeat(1000)}`, 20),
      drip(`${post('Transfer-Encoding: chunked')}${'1\r\n \r\n'.repeat(1000)}`, 20),
      [''],
    ].map((pieces) => converse(url, pieces, { listenMs: 8_000 }));
    let served = 0;
    let over = false;
    const ended = Promise.all(slow).finally(() => {
      over = true;
    });
    while (!over) {
      const response = await fetch(`${url}/api/v1/tenants`, {
        headers: { authorization: `Bearer ${client.key}` },
      });
      expect(response.status).toBe(200);
      await response.text();
      if (!over) served += 1;
    }
    // How many are served depends on how busy the machine is.
    expect(served).toBeGreaterThan(0);
    for (const { ended: wasEnded, statuses, text } of await ended) {
      expect(wasEnded).toBe(true);
      for (const status of statuses) expect(status).toBe(408);
      if (text)
        expect(text).toContain('{"error":{"code":408,"message":"Request Timeout","type":"request_timeout",');
    }
  });

  test.runIf(thorough)('a file may take longer, as long as it comes steadily', async () => {
    const windowMs = 2_000;
    server.server.requestTimeout = windowMs;
    onTestFinished(() => {
      server.server.requestTimeout = 300;
    });
    const property = await make.property(client);
    const upload = (bytes: number) =>
      lines(
        `POST /api/v1/files?record=${property.id}&name=log.txt HTTP/1.1`,
        ...[
          'Host: x',
          `Authorization: Bearer ${client.key}`,
          'Connection: close',
          `Content-Length: ${bytes}`,
        ],
      );
    const piece = 'x'.repeat(64 * 1024);
    const pieces = 80;
    /** Sends a part of it, for several times as long as a whole request may take. */
    const steadily = async function* (count: number) {
      yield upload(pieces * piece.length);
      for (let sent = 0; sent < count; sent++) {
        yield piece;
        await sleep((3.5 * windowMs) / pieces);
      }
    };
    const sent = (count: number) => converse(url, steadily(count), { listenMs: 120_000 });
    const slowly = async function* () {
      yield upload(1000);
      yield* drip('x'.repeat(1000), 100);
    };
    const [whole, half, dripping] = await Promise.all([
      sent(pieces),
      sent(pieces / 2),
      converse(url, slowly(), { listenMs: 120_000 }),
    ]);
    expect(whole.statuses).toEqual([201]);
    expect([half.statuses, half.ended]).toEqual([[408], true]);
    expect([dripping.statuses, dripping.ended]).toEqual([[408], true]);
    const { body } = await client.get(`/files?record=${property.id}`);
    expect(body.data).toMatchObject([{ size: pieces * piece.length }]);
  });

  test.each([
    ['nonsense', 400, lines('nonsense')],
    ['too much in the headers', 431, lines('GET / HTTP/1.1', `X: ${'x'.repeat(20_000)}`)],
    ['a wish for another place', 400, lines('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443')],
    ['headers without end', 408, 'GET / HTTP/1.1\r\n'],
    ['a body that is too long', 413, () => post('Content-Length: 99999999999')],
  ])('a caller who is refused for %s and does not leave is cut off', async (_what, status, text) => {
    const { hostname, port } = new URL(url);
    const accepted = once(server.server, 'connection') as Promise<[Socket]>;
    // The client's side stays open when the server ends the other.
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => undefined);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    onTestFinished(() => void socket.destroy());
    socket.write(typeof text === 'string' ? text : text());
    await once(socket, 'end');
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const [served] = await accepted;
    await vi.waitUntil(() => served.destroyed, { timeout: 4_000 });
  });

  test.runIf(thorough)('a caller who requests much and reads none of it is cut off', async () => {
    const { keepAliveTimeout } = server.server;
    expect(keepAliveTimeout).toBeLessThan(120_000);
    server.server.keepAliveTimeout = 1_000;
    onTestFinished(() => {
      server.server.keepAliveTimeout = keepAliveTimeout;
    });
    const taken: Socket[] = [];
    const keep = (socket: Socket) => taken.push(socket);
    server.server.on('connection', keep);
    const takers = Array.from({ length: 20 }, () => dial(url).pause());
    onTestFinished(() => {
      server.server.off('connection', keep);
      for (const taker of takers) taker.destroy();
    });
    for (const taker of takers)
      taker.write(lines('GET /api/v1/openapi.json HTTP/1.1', 'Host: x').repeat(100));
    await vi.waitUntil(() => taken.length === takers.length, { timeout: 60_000 });
    await vi.waitUntil(() => taken.every(({ destroyed }) => destroyed), { timeout: 60_000 });
    // Most of it was never sent.
    for (const { bytesWritten } of taken) expect(bytesWritten).toBeLessThan(30_000_000);
  });

  test('five hundred connections that say nothing do not keep others out', async () => {
    const idle = Array.from({ length: 500 }, () => dial(url));
    const closed = idle.map((socket) => once(socket, 'close'));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    for (const socket of idle) socket.resume();
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await Promise.all(closed);
  });
});

describe('too much', () => {
  test('ten thousand cookies are refused, but as many as fit are read', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `c${at}=${at}`).join('; ');
    const [refused] = [
      await converse(service.url, [lines('GET /internal/v1/session HTTP/1.1', 'Host: x', `Cookie: ${many}`)]),
    ];
    expect(refused?.statuses).toEqual([431]);
    const some = Array.from({ length: 900 }, (_, at) => `c${at}=${at}`).join('; ');
    const answer = await openBrowser(service).get('/session', { cookie: `${some}; ${person.cookies()}` });
    expect(answer.body.data.signed_in).toBe(true);
  });

  test('as many headers and parameters as fit are accepted', async () => {
    const headers = Array.from({ length: 500 }, (_, at) => `X-${at}: 1`);
    const { statuses } = await converse(service.url, [
      lines(
        'GET /api/v1/tenants?limit=1 HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${client.key}`,
        'Connection: close',
        ...headers,
      ),
    ]);
    expect(statuses).toEqual([200]);
    const query = Array.from({ length: 1_500 }, (_, at) => `p${at}=${at}`).join('&');
    // None of them is known. The refusal names some, not all.
    const unknown = await client.get(`/tenants?${query}`);
    expect([unknown.status, unknown.body.error.type]).toEqual([400, 'unknown_parameter']);
    const values = Array(2_000).fill('active').join(',');
    expect((await client.get(`/tenants?lease_status=${values}`)).status).toBe(200);
    const repeated = Array(500).fill('lease_status=active').join('&');
    expect((await client.get(`/tenants?${repeated}`)).status).toBe(200);
  });

  test('a search for wildcards finds them as they are written, however many', async () => {
    await make.tenant(client, { last_name: '100%_of\\it' });
    for (const [q, count] of [
      ['100%_of\\it', 1],
      ['%%', 0],
      ['_______', 0],
    ] as const)
      expect((await client.get(`/tenants?q=${encodeURIComponent(q)}`)).body.count).toBe(count);
    const long = await client.get(`/tenants?q=${encodeURIComponent('%_'.repeat(2_000))}`);
    expect([200, 400]).toContain(long.status);
  });

  test('JSON that is deep, wide or repeats itself is read or refused', async () => {
    const wide = (keys: number) =>
      `{${Array.from({ length: keys }, (_, at) => `"k${at}":",[{"`).join()},"first_name":"Ada","last_name":"Wide"}`;
    expect((await request(wide(9_990))).status).toBe(201);
    const twice = `{${'"first_name":"Ada",'.repeat(9_990)}"last_name":"Twice"}`;
    expect((await request(twice)).status).toBe(201);
    expectError(await request(wide(10_010)), 400, 'A body may have at most 10000 values.');
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `{"first_name":"Ada","last_name":"Deep","x":${open.repeat(100_000)}1${close.repeat(100_000)}}`;
      expect((await request(deep)).status).toBe(400);
    }
    expect((await request(`{"first_name":"Ada","last_name":${'9'.repeat(900_000)}}`)).status).toBe(400);
    expect((await request('{"__proto__":{"first_name":"x","last_name":"y"}}')).status).toBe(400);
    expect(Object.hasOwn(Object.prototype, 'first_name')).toBe(false);
  });

  test('a compressed body is refused before it is read, and never inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, 0x20));
    for (const coding of ['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'x-gzip', 'IDENTITY, gzip']) {
      const answer = await request(new Uint8Array(bomb), { 'content-encoding': coding });
      expect(answer.status, coding).toBe(415);
      expect(answer.headers.get('accept-encoding')).toBe('identity');
    }
    const tool = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.key}`, 'content-encoding': 'gzip' },
      body: new Uint8Array(bomb),
    });
    expect(tool.status).toBe(415);
    const plain = JSON.stringify({ first_name: 'Ada', last_name: 'Plain' });
    expect((await request(plain, { 'content-encoding': 'identity' })).status).toBe(201);
    // A caller who may not write does not find out about it.
    const nobody = await service.request('POST', '/tenants', {
      raw: '{}',
      headers: { 'content-encoding': 'gzip' },
    });
    expect(nobody.status).toBe(401);
  });

  test('a body without end is cut off soon after the limit, with the envelope', async () => {
    let sent = 0;
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    function* endless() {
      yield post('Transfer-Encoding: chunked');
      for (; sent < 512 * 1024 * 1024; sent += 0x10000) yield chunk;
    }
    const { statuses, text, ended } = await converse(service.url, endless(), { listenMs: 10_000 });
    expect(statuses).toEqual([413]);
    expect(text).toContain('{"error":{"code":413,"message":"Payload too large","type":"payload_too_large",');
    expect(ended).toBe(true);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test('a body that is announced too long is refused without waiting for it, a stranger’s too', async () => {
    const announced = await converse(service.url, [post('Content-Length: 99999999999')], { listenMs: 1_000 });
    expect(announced.statuses).toEqual([413]);
    const stranger = lines('POST /api/v1/tenants HTTP/1.1', 'Host: x', 'Content-Length: 99999999999');
    expect((await converse(service.url, [stranger], { listenMs: 1_000 })).statuses).toEqual([401]);
  });
});
