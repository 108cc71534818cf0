import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { type AddressInfo, connect as dial, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep, setImmediate as yieldToOthers } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../test/support/database.ts';
import { until } from '../../../test/support/process.ts';
import { thorough } from '../../../test/support/thorough.ts';
import { createApp } from '../../app.ts';
import { loadConfig } from '../../config.ts';
import { createLog } from '../../log.ts';
import { Drain } from './drain.ts';
import { createServer } from './server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  return () => database.drop();
});

/** It takes a few hundred milliseconds, and even on a busy machine less than it would wait for callers. */
const quickly = 5_000;
const key = 'a secret key of at least 32 characters';

async function serve(settings: Record<string, string> = {}) {
  const config = loadConfig({ LOG_LEVEL: 'silent', SECRET_KEY: key, ...settings }, '/nonexistent');
  const app = createApp({ config, db: database.db, log: createLog('silent'), secretKey: key });
  const drain = new Drain(app);
  const server = createServer(app, { drain });
  // A request that takes until the test releases it.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let arrived = 0;
  server.get('/slow', async () => {
    arrived++;
    await released;
    return 'done';
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= drain.stop(server);
    return stopped;
  };
  onTestFinished(() => {
    release();
    return stop();
  });
  const { server: http } = server;
  // The caller's port of the last connection.
  let newest: number | undefined;
  http.on('connection', ({ remotePort }: Socket) => {
    newest = remotePort;
  });
  const isListening = () => http.listening;
  return { port, stop, release, isListening, newest: () => newest, arrived: () => arrived };
}

interface Answer {
  status: number | undefined;
  connection: string | undefined;
  body: string;
  reused: boolean;
}

function get(port: number, path: string, agent?: Agent): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request({ host: '127.0.0.1', port, path, agent: agent ?? new Agent() }, async (response) => {
    let body = '';
    for await (const chunk of response) body += chunk;
    const { connection } = response.headers;
    resolve({ status: response.statusCode, connection, body, reused: sent.reusedSocket });
  });
  sent.on('error', reject).end();
  return promise;
}

async function open(port: number): Promise<Socket> {
  const socket = dial(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/**
 * Tests run in threads of one process. Between fork and exec, a child that another thread starts has all sockets of
 * the process: one that is closed just then still takes connections, and resets them a moment later. (test/faults
 * stops processes of their own.)
 */
const closedDoor = ['ECONNREFUSED', 'ECONNRESET'];

const expectRefusal = (port: number) =>
  expect
    .poll(() => get(port, '/healthz').catch((error) => error.code), { timeout: 10_000 })
    .toBe('ECONNREFUSED');

const timed = async (work: Promise<unknown>): Promise<number> => {
  const since = performance.now();
  await work;
  return performance.now() - since;
};

test('a server that nobody calls stops at once, and then refuses connections', async () => {
  const { port, stop } = await serve();
  expect(await timed(stop())).toBeLessThan(quickly);
  await expectRefusal(port);
});

test('a stopping server says so at /readyz, and serves whoever still comes', async () => {
  const { port, stop } = await serve({ DRAIN_MS: '600' });
  expect((await get(port, '/readyz')).status).toBe(200);
  const stopping = stop();
  const ready = await get(port, '/readyz');
  expect([ready.status, JSON.parse(ready.body).status]).toEqual([503, 'stopping']);
  const answer = await get(port, '/api/v1/tenants');
  expect([answer.status, answer.connection]).toEqual([401, 'close']);
  await stopping;
});

test('a caller that keeps its connection is let go with an answer', async () => {
  const { port, stop } = await serve();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect((await get(port, '/healthz', agent)).connection).toBe('keep-alive');
  const stopping = stop();
  const last = await get(port, '/healthz', agent);
  expect([last.status, last.connection, last.reused]).toEqual([200, 'close', true]);
  expect(await timed(stopping)).toBeLessThan(quickly);
});

test('connections that never asked for anything do not hold up the stop', async () => {
  const { port, stop } = await serve();
  const socket = await open(port);
  const closed = once(socket, 'close');
  expect(await timed(stop())).toBeLessThan(quickly);
  await closed;
});

test('a request that comes while the process is blocked is answered, whatever the age of its connection', async () => {
  const { port, stop, isListening, newest } = await serve();
  const stopping = stop();
  // One of them is the last that is accepted.
  const sockets: Socket[] = [];
  while (isListening()) {
    sockets.push(dial(port, '127.0.0.1').on('error', () => undefined));
    await sleep(10);
  }
  const socket = sockets.find(({ localPort }) => localPort === newest());
  if (!socket) throw new Error('No connection was accepted.');
  const answer = text(socket);
  // What comes next in a turn of the event loop is its timers.
  await yieldToOthers();
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  const since = performance.now();
  while (performance.now() - since < 400);
  expect(await answer).toMatch(/^HTTP\/1.1 200 /);
  await stopping;
});

test.runIf(thorough)('as long as callers come it keeps serving them, but not for ever', async () => {
  const { port, stop, release } = await serve();
  release();
  let over = false;
  const stopping = timed(stop()).finally(() => {
    over = true;
  });
  const answers = new Set<number | undefined>();
  while (!over) {
    const answer = await get(port, '/slow').catch((error) => error);
    if (closedDoor.includes(answer.code)) break;
    answers.add(answer.status);
    await sleep(20);
  }
  const took = await stopping;
  expect([...answers]).toEqual([200]);
  expect(took).toBeGreaterThan(4_500);
  expect(took).toBeLessThan(10_000);
});

test('a request under way is answered before the server is gone', async () => {
  const { port, stop, release, arrived } = await serve();
  const slow = get(port, '/slow');
  await until(() => arrived() === 1);
  const stopping = stop();
  await expectRefusal(port);
  release();
  expect(await slow).toMatchObject({ status: 200, connection: 'close', body: 'done' });
  await stopping;
});
