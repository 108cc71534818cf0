import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it, test } from 'vitest';
import { checkUrl, parseAllowedTargets, type Resolve, type UrlRules } from '../../safe-url/safe-url.ts';
import { createDialer } from './dial.ts';
import { createSender, type Sender, type SenderOptions } from './send.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url), 'utf8');
const certificate = fixture('receiver.crt');
const key = fixture('receiver.key');

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe('an attempt', () => {
  it('posts the bytes and headers it was given, and succeeds on any 2xx', async () => {
    for (const status of [200, 201, 202, 204, 299]) {
      const receiver = await receive((_request, response) => response.writeHead(status).end());
      const outcome = await sender().send({
        url: `${receiver.url}/hook?a=1&b=%20`,
        headers: ['X-Service-Event', 'payment.created', 'X-Service-Delivery', 'dlv_1'],
        body: '{"name":"Zoë 🏡"}',
      });
      expect(outcome).toMatchObject({
        kind: 'success',
        status,
        error: null,
        responseBody: '',
        retryAfterMs: null,
      });
      expect(outcome.durationMs).toBeGreaterThanOrEqual(0);
      expect(receiver.requests).toMatchObject([
        {
          method: 'POST',
          url: '/hook?a=1&b=%20',
          body: '{"name":"Zoë 🏡"}',
          headers: {
            host: new URL(receiver.url).host,
            'content-type': 'application/json',
            'content-length': '20',
            'user-agent': 'Tenure/test',
            'x-service-event': 'payment.created',
            'x-service-delivery': 'dlv_1',
          },
        },
      ]);
    }
  });

  it('sends a buffer as it is', async () => {
    const receiver = await receive((_request, response) => response.end());
    await sender().send({ url: receiver.url, headers: [], body: Buffer.from('{"é":1}\n') });
    expect(receiver.requests[0]?.body).toBe('{"é":1}\n');
  });

  test.each([
    [400, 'http_error'],
    [401, 'http_error'],
    [404, 'http_error'],
    [408, 'http_error'],
    [410, 'gone'],
    [429, 'throttled'],
    [500, 'http_error'],
    [502, 'http_error'],
    [503, 'throttled'],
    [599, 'http_error'],
    [300, 'redirect'],
    [304, 'redirect'],
  ])('fails on %i as %s, and keeps the answer', async (status, kind) => {
    const receiver = await receive((_request, response) =>
      response
        .writeHead(status, { 'content-type': 'text/x-why' })
        .end(status === 304 ? undefined : 'because'),
    );
    const outcome = await send(receiver.url);
    expect(outcome).toMatchObject({
      kind,
      status,
      responseBody: status === 304 ? '' : 'because',
      responseHeaders: { 'content-type': 'text/x-why' },
      retryAfterMs: null,
    });
    expect(outcome.error).toContain(`answered ${status}`);
  });

  test.each([
    [429, '120', 120_000],
    [503, '7', 7_000],
    [429, 'Thu, 01 Jan 1970 00:00:00 GMT', 0],
    [503, 'rubbish', null],
    [500, '120', null],
    [200, '120', null],
  ])('with %i and Retry-After %j waits %j ms', async (status, header, expected) => {
    const receiver = await receive((_request, response) =>
      response.writeHead(status, { 'Retry-After': header }).end(),
    );
    const outcome = await send(receiver.url);
    expect(outcome.retryAfterMs).toBe(expected);
    expect(outcome.responseHeaders['retry-after']).toBe(header);
  });

  it('reads a Retry-After date against the clock', async () => {
    const at = new Date(Date.now() + 90_000).toUTCString();
    const receiver = await receive((_request, response) =>
      response.writeHead(503, { 'retry-after': at }).end(),
    );
    const { retryAfterMs } = await send(receiver.url);
    expect(retryAfterMs).toBeGreaterThan(60_000);
    expect(retryAfterMs).toBeLessThanOrEqual(90_000);
  });

  test.each([301, 302, 303, 307, 308])('does not follow a %i to a loopback listener', async (status) => {
    const inner = await receive((_request, response) => response.end());
    const outer = await receive((_request, response) =>
      response.writeHead(status, { location: `${inner.url}/secret` }).end(),
    );
    expect(await send(`${outer.url}/outer`)).toMatchObject({
      kind: 'redirect',
      status,
      responseHeaders: { location: `${inner.url}/secret` },
    });
    await send(`${inner.url}/later`);
    expect(inner.requests.map((request) => request.url)).toEqual(['/later']);
  });

  it('reuses connections, and opens as many as there are requests in flight', async () => {
    const waiting: (() => void)[] = [];
    const receiver = await receive((_request, response) => {
      waiting.push(() => response.end());
      if (waiting.length === 80) for (const answer of waiting.splice(0)) answer();
    });
    const { send } = sender();
    const burst = () =>
      Promise.all(Array.from({ length: 80 }, () => send({ url: receiver.url, headers: [], body: '{}' })));
    expect((await burst()).every((outcome) => outcome.kind === 'success')).toBe(true);
    expect((await burst()).every((outcome) => outcome.kind === 'success')).toBe(true);
    expect(receiver.connections).toBe(80);
  });

  it('does not use a connection that the receiver has closed', async () => {
    const closed = Promise.withResolvers<void>();
    const receiver = await receive((request, response) => {
      request.socket.once('close', closed.resolve);
      response.end(() => request.socket.end());
    });
    const { send } = sender();
    const request = { url: receiver.url, headers: [], body: '{}' };
    expect((await send(request)).kind).toBe('success');
    await closed.promise;
    expect((await send(request)).kind).toBe('success');
    expect(receiver.connections).toBe(2);
  });

  it('reaches a receiver that closes every connection, however many there are', async () => {
    const receiver = await receive((_request, response) => response.setHeader('connection', 'close').end());
    const { send } = sender();
    for (let round = 0; round < 5; round++) {
      const sends = Array.from({ length: 20 }, () => send({ url: receiver.url, headers: [], body: '{}' }));
      expect((await Promise.all(sends)).every((outcome) => outcome.kind === 'success')).toBe(true);
    }
    expect(receiver.requests).toHaveLength(100);
  });

  it('is not undone by an informational answer before the real one', async () => {
    const url = await answerRaw(
      'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
    );
    expect(await send(url)).toMatchObject({ kind: 'success', status: 200, responseBody: 'ok' });
  });

  it('does not unpack a compressed answer', async () => {
    const receiver = await receive((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip at all'),
    );
    expect(await send(receiver.url)).toMatchObject({ kind: 'success', responseBody: 'not gzip at all' });
  });
});

describe('the kept answer', () => {
  it('is the first 8 KiB, cut between characters', async () => {
    // There are 8,190 bytes and then a character of four, so the cut falls inside it.
    const receiver = await receive((_request, response) =>
      response.end(`${'a'.repeat(8190)}🏡${'b'.repeat(100)}`),
    );
    const { kind, responseBody } = await send(receiver.url);
    expect(kind).toBe('success');
    expect(responseBody).toBe('a'.repeat(8190));
  });

  it('is whole when it has exactly 8 KiB, or arrives in pieces', async () => {
    const exact = await receive((_request, response) => response.end('é'.repeat(4096)));
    expect((await send(exact.url)).responseBody).toBe('é'.repeat(4096));
    const pieces = await receive(async (_request, response) => {
      for (const byte of Buffer.from('Zoë 🏡')) {
        response.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
      response.end();
    });
    expect((await send(pieces.url)).responseBody).toBe('Zoë 🏡');
  });

  it('has no NUL and no broken UTF-8', async () => {
    const receiver = await receive((_request, response) =>
      response.end(Buffer.from([0x61, 0, 0xff, 0, 0x62])),
    );
    expect((await send(receiver.url)).responseBody).toBe('a\ufffdb');
  });

  it.each([200, 500])('of an endless %i body is 8 KiB, and the status decides', async (status) => {
    const closed = Promise.withResolvers<void>();
    const receiver = await receive((_request, response) => {
      response.writeHead(status);
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(1024)));
      };
      response.on('drain', pour).on('close', closed.resolve);
      pour();
    });
    const outcome = await send(receiver.url);
    expect(outcome).toMatchObject({ kind: status === 200 ? 'success' : 'http_error', status });
    expect(outcome.responseBody).toBe('x'.repeat(8192));
    await closed.promise;
  });

  it('does not wait for the rest of a large Content-Length', async () => {
    const closed = Promise.withResolvers<void>();
    const receiver = await receive((_request, response) => {
      response.writeHead(200, { 'content-length': String(10 * 1024 ** 3) }).write('x'.repeat(9000));
      response.on('close', closed.resolve);
    });
    expect(await send(receiver.url)).toMatchObject({ kind: 'success', responseBody: 'x'.repeat(8192) });
    await closed.promise;
  });
});

describe('time', () => {
  const timeoutMs = 300;
  const inTime = (durationMs: number) => durationMs >= timeoutMs - 2 && durationMs < timeoutMs + 250;

  it('runs out for headers that never come', async () => {
    const receiver = await receive(() => {});
    const outcome = await send(receiver.url, { timeoutMs });
    expect(outcome).toMatchObject({ kind: 'timeout', status: null, responseBody: null });
    expect(outcome.error).toBe('There was no complete answer within 0.3 s.');
    expect(outcome.durationMs).toSatisfy(inTime);
  });

  it('runs out for headers that trickle', async () => {
    const url = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      every(20, socket, () => socket.write('x-a: b\r\n'));
    });
    const outcome = await send(url, { timeoutMs });
    expect(outcome).toMatchObject({ kind: 'timeout', status: null });
    expect(outcome.durationMs).toSatisfy(inTime);
  });

  it('runs out for a body that trickles, even after a 200', async () => {
    const receiver = await receive((_request, response) => {
      response.writeHead(200);
      every(20, response.socket, () => response.write('.'));
    });
    const outcome = await send(receiver.url, { timeoutMs });
    expect(outcome).toMatchObject({ kind: 'timeout', status: 200 });
    expect(outcome.responseBody).toMatch(/^\.+$/);
    expect(outcome.durationMs).toSatisfy(inTime);
  });

  it('runs out for an endless row of informational answers', async () => {
    const url = await rawReceiver((socket) => {
      every(20, socket, () => socket.write('HTTP/1.1 102 Processing\r\n\r\n'));
    });
    expect(await send(url, { timeoutMs })).toMatchObject({ kind: 'timeout', status: null });
  });

  it('closes the connection that ran out of time, and the next attempt gets a new one', async () => {
    const answers: RequestListener[] = [() => {}, (_request, response) => response.end()];
    const receiver = await receive((request, response) => answers.shift()?.(request, response));
    const { send } = sender({ timeoutMs });
    expect((await send({ url: receiver.url, headers: [], body: '{}' })).kind).toBe('timeout');
    expect((await send({ url: receiver.url, headers: [], body: '{}' })).kind).toBe('success');
    expect(receiver.connections).toBe(2);
  });

  it('to connect is limited, over the resolver', async () => {
    const never: Resolve = () => new Promise(() => {});
    const outcome = await send('http://hooks.example.com/', { connectTimeoutMs: 200, resolve: never });
    expect(outcome).toMatchObject({ kind: 'connect_timeout', status: null });
    expect(outcome.error).toBe('No connection could be made within 0.2 s.');
    expect(outcome.durationMs).toBeLessThan(20_000);
  });

  it('to connect is limited, over the TLS handshake', async () => {
    const url = await rawReceiver(() => {});
    const outcome = await send(url.replace('http:', 'https:'), { connectTimeoutMs: 200 });
    expect(outcome.kind).toBe('connect_timeout');
    expect(outcome.durationMs).toBeLessThan(20_000);
  });

  it('running out while connecting means that nothing is sent afterwards', async () => {
    const receiver = await receive((_request, response) => response.end());
    const { hostname, port } = namedUrl(receiver.url);
    const gate = Promise.withResolvers<string[]>();
    const { send } = sender({
      timeoutMs,
      resolve: () => gate.promise,
      rules: rulesFor(`${hostname}:${port}`),
    });
    const url = `http://${hostname}:${port}`;
    expect((await send({ url: `${url}/late`, headers: [], body: '{}' })).kind).toBe('timeout');
    const later = send({ url: `${url}/later`, headers: [], body: '{}' });
    gate.resolve(['127.0.0.1']);
    expect((await later).kind).toBe('success');
    expect(receiver.requests.map((request) => request.url)).toEqual(['/later']);
  });
});

describe('a broken receiver', () => {
  it('that refuses the connection', async () => {
    const receiver = await receive(() => {});
    await receiver.close();
    expect(await send(receiver.url)).toMatchObject({
      kind: 'refused',
      status: null,
      error: 'The endpoint refused the connection.',
    });
  });

  it('that resets the connection before answering', async () => {
    const url = await rawReceiver((socket) => socket.resetAndDestroy());
    expect(await send(url)).toMatchObject({ kind: 'reset', status: null, responseBody: null });
  });

  it('that closes the connection without a word', async () => {
    const url = await rawReceiver((socket) => socket.end());
    expect(await send(url)).toMatchObject({ kind: 'reset', status: null });
  });

  it.each([
    [200, 'success'],
    [204, 'success'],
    [302, 'redirect'],
    [410, 'gone'],
    [500, 'http_error'],
  ] as const)('that breaks off in the middle of a %d has answered with it', async (status, kind) => {
    const url = await rawReceiver((socket) => {
      const head = `HTTP/1.1 ${status} Answer\r\ncontent-length: 100\r\n\r\n`;
      socket.write(status === 204 ? head : `${head}half`, () => socket.destroySoon());
    });
    const outcome = await send(url);
    expect(outcome).toMatchObject({ kind, status, responseBody: status === 204 ? '' : 'half' });
  });

  it('that resets the connection, or breaks a chunk, after a 503 gets the time it asked for', async () => {
    const head = 'HTTP/1.1 503 Busy\r\nretry-after: 7\r\n';
    const reset = await rawReceiver((socket) => {
      socket.write(`${head}content-length: 100\r\n\r\nhalf`, () =>
        setTimeout(() => socket.resetAndDestroy(), 50),
      );
    });
    const broken = await answerRaw(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n`);
    for (const url of [reset, broken])
      expect(await send(url)).toMatchObject({ kind: 'throttled', status: 503, retryAfterMs: 7_000 });
  });

  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['a broken header', 'HTTP/1.1 200 OK\r\nbad header\r\n\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['a 100 that was not asked for', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['an upgrade', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
  ])('that answers with %s', async (_what, bytes) => {
    expect(await send(await answerRaw(bytes))).toMatchObject({ kind: 'bad_response' });
  });

  it('whose name does not resolve', async () => {
    for (const resolve of [async () => [], () => Promise.reject(new Error('ENOTFOUND'))]) {
      expect(await send('http://hooks.example.com/', { resolve })).toMatchObject({
        kind: 'dns',
        error: 'The host name of the URL could not be resolved.',
      });
    }
  });

  it('never makes send reject, nor reveals an address', async () => {
    const receiver = await receive(() => {});
    await receiver.close();
    for (const url of ['', 'rubbish', 'http://', receiver.url, 'https://[::1]/', 'http://10.0.0.1/']) {
      const outcome = await send(url);
      expect(outcome.error).toMatch(/^(The|No) .*\.$/);
      expect(outcome.error).not.toMatch(/\d+\.\d+\.\d+|::/);
    }
    const outcome = await sender().send({ url: receiver.url, headers: ['bad name', 'x\r\ny'], body: '{}' });
    expect(outcome).toMatchObject({ kind: 'failed', status: null });
  });
});

describe('TLS', () => {
  it('verifies the certificate against the name, while dialling the vetted address', async () => {
    const receiver = await receiveTls((_request, response) => response.end('ok'));
    const url = `https://hooks.example.test:${receiver.port}/`;
    const outcome = await send(url, {
      ca: certificate,
      resolve: async () => ['127.0.0.1'],
      rules: rulesFor(`hooks.example.test:${receiver.port}`),
    });
    expect(outcome).toMatchObject({ kind: 'success', responseBody: 'ok' });
    expect(receiver.requests[0]).toMatchObject({
      servername: 'hooks.example.test',
      headers: { host: `hooks.example.test:${receiver.port}` },
    });
  });

  it('works for a literal address, and resumes sessions', async () => {
    const receiver = await receiveTls((_request, response) =>
      response.setHeader('connection', 'close').end(),
    );
    const { send } = sender({ ca: certificate });
    const url = `https://127.0.0.1:${receiver.port}/`;
    expect((await send({ url, headers: [], body: '{}' })).kind).toBe('success');
    expect((await send({ url, headers: [], body: '{}' })).kind).toBe('success');
    expect(receiver.requests.map((request) => request.resumed)).toEqual([false, true]);
  });

  it('refuses a self-signed certificate, whatever the environment says', async () => {
    const receiver = await receiveTls((_request, response) => response.end());
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      expect(await send(`https://127.0.0.1:${receiver.port}/`)).toMatchObject({
        kind: 'tls',
        status: null,
        error: "The endpoint's certificate is self-signed.",
      });
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
    expect(receiver.requests).toEqual([]);
  });

  it('refuses a certificate for another name', async () => {
    const receiver = await receiveTls((_request, response) => response.end());
    const host = `other.example.test:${receiver.port}`;
    const outcome = await send(`https://${host}/`, {
      ca: certificate,
      resolve: async () => ['127.0.0.1'],
      rules: rulesFor(host),
    });
    expect(outcome).toMatchObject({
      kind: 'tls',
      error: "The endpoint's certificate is for another host name.",
    });
    expect(receiver.requests).toEqual([]);
  });

  it('fails against a receiver that does not speak it', async () => {
    const receiver = await receive((_request, response) => response.end());
    expect(await send(receiver.url.replace('http:', 'https:'))).toMatchObject({
      kind: 'tls',
      error: 'The TLS handshake with the endpoint failed.',
    });
  });
});

describe('the guard', () => {
  const closed: UrlRules = { allowHttp: true, allowedTargets: parseAllowedTargets('') };

  /** After requests that must not arrive, one is sent that may. It must be the only one received. */
  async function expectNothingReceived(receiver: Receiver) {
    expect((await send(`${receiver.url}/allowed`)).kind).toBe('success');
    expect(receiver.requests.map((request) => request.url)).toEqual(['/allowed']);
    expect(receiver.connections).toBe(1);
  }

  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '127.1',
    '[::ffff:127.0.0.1]',
    'localhost',
    '0.0.0.0',
    '0',
  ])('sends nothing to http://%s', async (host) => {
    const receiver = await receive((_request, response) => response.end());
    const outcome = await send(`http://${host}:${receiver.port}/`, { rules: closed });
    expect(outcome).toMatchObject({ kind: 'blocked', status: null, responseBody: null });
    await expectNothingReceived(receiver);
  });

  it('sends nothing to [::1]', async () => {
    const receiver = await receive((_request, response) => response.end(), '::1');
    expect(await send(`http://[::1]:${receiver.port}/`, { rules: closed })).toMatchObject({
      kind: 'blocked',
    });
    await expectNothingReceived(receiver);
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1'])(
    'refuses the literal %s at the socket too, where Node would not look it up',
    async (hostname) => {
      const { dial } = createDialer({
        rules: closed,
        connectTimeoutMs: 1_000,
        resolve: async () => [hostname],
      });
      const error = await new Promise((resolve) => {
        dial({ hostname, protocol: 'http:', port: '80' }, (...[error]) => resolve(error));
      });
      expect(error).toMatchObject({ kind: 'blocked' });
    },
  );

  it('sends nothing when the name is public at creation and loopback at delivery', async () => {
    const receiver = await receive((_request, response) => response.end());
    const url = `http://rebind.example.net:${receiver.port}/`;
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const resolve: Resolve = async () => answers.shift() ?? [];
    expect((await checkUrl(url, closed, resolve)).ok).toBe(true);
    expect(await send(url, { rules: closed, resolve })).toMatchObject({
      kind: 'blocked',
      error: 'The host of the URL does not point to a public address.',
    });
    expect(answers).toEqual([]);
    await expectNothingReceived(receiver);
  });

  it('dials the answers it vetted, and asks the resolver once for a connection', async () => {
    const receiver = await receive((_request, response) => response.setHeader('connection', 'close').end());
    const url = `http://rebind.example.net:${receiver.port}/`;
    // Only 127.0.0.1 is allowed. A second lookup for the first connection would get the bad answer.
    const rules: UrlRules = { allowHttp: true, allowedTargets: parseAllowedTargets('127.0.0.1/32') };
    const answers = [['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']];
    const { send } = sender({ rules, resolve: async () => answers.shift() ?? [] });
    const request = { url, headers: [], body: '{}' };
    expect((await send(request)).kind).toBe('success');
    expect(answers).toHaveLength(2);
    expect((await send(request)).kind).toBe('blocked');
    expect((await send(request)).kind).toBe('success');
    expect(receiver.requests).toHaveLength(2);
  });

  test.each([
    [['93.184.216.34', '127.0.0.1']],
    [['127.0.0.1', '93.184.216.34']],
    [['2606:4700:4700::1111', '::1', '127.0.0.1']],
    [['::ffff:127.0.0.1']],
    [['169.254.169.254']],
    [['not an address']],
  ])('sends nothing when the name resolves to %j', async (addresses) => {
    const receiver = await receive((_request, response) => response.end());
    const url = `http://mixed.example.net:${receiver.port}/`;
    expect(await send(url, { rules: closed, resolve: async () => addresses })).toMatchObject({
      kind: 'blocked',
    });
    await expectNothingReceived(receiver);
  });

  it('checks the text again at every send', async () => {
    const { send } = sender({ rules: { ...closed, allowHttp: false } });
    for (const url of [
      'http://example.com/',
      'https://example.com:22/',
      'https://a@example.com/',
      'ftp://x.com/',
    ]) {
      for (const _again of [1, 2]) {
        const outcome = await send({ url, headers: [], body: '{}' });
        expect(outcome.kind).toBe('blocked');
        expect(outcome.error).toMatch(/^The webhook URL must/);
      }
    }
  });

  it('tries the next vetted address when the first refuses', async () => {
    const receiver = await receive((_request, response) => response.end());
    const { hostname, port } = namedUrl(receiver.url);
    const outcome = await send(`http://${hostname}:${port}/`, {
      resolve: async () => ['::1', '127.0.0.1'],
      rules: rulesFor(`${hostname}:${port}`),
    });
    expect(outcome.kind).toBe('success');
  });

  it('asks the resolver once for connections that are opened together', async () => {
    const receiver = await receive((_request, response) => response.end());
    const { hostname, port } = namedUrl(receiver.url);
    let asked = 0;
    const resolve: Resolve = async () => {
      asked += 1;
      return ['127.0.0.1'];
    };
    const { send } = sender({ resolve, rules: rulesFor(`${hostname}:${port}`) });
    const url = `http://${hostname}:${port}/`;
    await Promise.all(Array.from({ length: 30 }, () => send({ url, headers: [], body: '{}' })));
    expect(asked).toBe(1);
  });
});

describe('closing', () => {
  it('lets attempts under way end, and refuses new ones', async () => {
    const arrived = Promise.withResolvers<() => void>();
    const receiver = await receive((_request, response) => arrived.resolve(() => response.end()));
    const one = sender();
    const underWay = one.send({ url: receiver.url, headers: [], body: '{}' });
    const answer = await arrived.promise;
    const closed = one.close();
    expect(await one.send({ url: receiver.url, headers: [], body: '{}' })).toMatchObject({ kind: 'stopped' });
    answer();
    expect((await underWay).kind).toBe('success');
    await closed;
    await one.close();
  });

  it('aborts what is under way when the grace period is over', async () => {
    const arrived = Promise.withResolvers<void>();
    const receiver = await receive(() => arrived.resolve());
    const one = sender({ resolve: () => new Promise(() => {}) });
    const sent = one.send({ url: receiver.url, headers: [], body: '{}' });
    const connecting = one.send({ url: 'http://hooks.example.com/', headers: [], body: '{}' });
    await arrived.promise;
    await one.close(0);
    expect((await sent).kind).toBe('stopped');
    expect((await connecting).kind).toBe('stopped');
  });
});

// ---- senders and receivers

function rulesFor(targets: string): UrlRules {
  return { allowHttp: true, allowedTargets: parseAllowedTargets(targets) };
}

function sender(options: Partial<SenderOptions> = {}): Sender {
  const one = createSender({
    rules: rulesFor('127.0.0.1/32, ::1/128'),
    timeoutMs: 5_000,
    connectTimeoutMs: 5_000,
    userAgent: 'Tenure/test',
    // No test here asks a real resolver.
    resolve: async () => [],
    ...options,
  });
  cleanups.push(() => one.close(0));
  return one;
}

function send(url: string, options: Partial<SenderOptions> = {}) {
  return sender(options).send({ url, headers: [], body: '{"id":"evt_1"}' });
}

/** A name for a receiver on loopback, to which the stub resolver resolves it. */
function namedUrl(url: string) {
  return { hostname: 'hooks.example.test', port: new URL(url).port };
}

interface Received extends Pick<IncomingMessage, 'method' | 'url' | 'headers'> {
  body: string;
  servername: string | false | null | undefined;
  resumed: boolean;
}

interface Receiver {
  url: string;
  port: number;
  requests: Received[];
  connections: number;
  close(): Promise<unknown>;
}

function receive(answer: RequestListener, host = '127.0.0.1'): Promise<Receiver> {
  return start(createServer(), answer, host);
}

function receiveTls(answer: RequestListener): Promise<Receiver> {
  return start(createHttpsServer({ key, cert: certificate }), answer, '127.0.0.1');
}

async function start(server: Server, answer: RequestListener, host: string): Promise<Receiver> {
  const port = await listen(server, host);
  const receiver: Receiver = {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    requests: [],
    connections: 0,
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('connection', () => {
    receiver.connections += 1;
  });
  server.on('request', async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const socket = request.socket as Partial<TLSSocket>;
    const { method, url, headers } = request;
    const resumed = socket.isSessionReused?.() ?? false;
    receiver.requests.push({ method, url, headers, body, servername: socket.servername, resumed });
    answer(request, response);
  });
  cleanups.push(receiver.close);
  return receiver;
}

/** Once the request has begun to arrive, calls back with the bare socket to answer on. */
async function rawReceiver(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('data', () => answer(socket));
  });
  const port = await listen(server, '127.0.0.1');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${port}`;
}

function answerRaw(bytes: string): Promise<string> {
  return rawReceiver((socket) => socket.write(bytes));
}

async function listen(server: NetServer, host: string): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function every(ms: number, socket: Socket | null, write: () => void) {
  const timer = setInterval(write, ms);
  socket?.once('close', () => clearInterval(timer));
}
