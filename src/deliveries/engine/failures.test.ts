import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { isCluster } from '../../../test/support/database.ts';
import { type Delivering, testDelivering } from '../../../test/support/delivering.ts';
import { until } from '../../../test/support/process.ts';
import { answerWith, hang, type Receiver, startReceiver } from '../../../test/support/receiver.ts';
import { make } from '../../../test/support/records.ts';

let delivering: Delivering;
let receiver: Receiver;

// The first wait is short, to see what follows the first attempt. The next ones take hours.
const settings = { WEBHOOK_TIMEOUT_MS: '2000', WEBHOOK_RETRY_DELAYS_MS: '10000,9000000,9000000,9000000' };
beforeAll(async () => {
  delivering = await testDelivering(settings);
});
afterAll(() => delivering.close());
beforeEach(async () => {
  receiver = await startReceiver();
  return () => receiver.close();
});

/** Sends one event to this URL and returns its delivery after the first attempt. */
async function deliver(url: string, { client, ...by }: Delivering = delivering) {
  const webhook = await by.subscribe(url);
  await make.tenant(client);
  const { id } = await by.deliveryTo(webhook.id);
  let delivery: Awaited<ReturnType<Delivering['finished']>>;
  await until(async () => {
    delivery = (await client.get(`/deliveries/${id}`)).body.data;
    // A cluster shows what is on a node a moment before it shows what is on the coordinator.
    const isSettled = !isCluster() || delivery.status !== 'pending' || delivery.next_attempt_at !== null;
    return delivery.attempts.length === 1 && isSettled;
  });
  const state = await by.webhook(webhook.id);
  await client.delete(`/webhooks/${webhook.id}`);
  return { ...delivery, attempt: delivery.attempts[0], webhook: state };
}

/** The attempt failed, is recorded, counts, and will be repeated. */
function expectRetry(delivery: Awaited<ReturnType<typeof deliver>>, outcome: string, error: RegExp) {
  expect(delivery).toMatchObject({
    status: 'pending',
    attempt_count: 1,
    last_error: expect.stringMatching(error),
  });
  expect(delivery.attempt).toMatchObject({ outcome, error: expect.stringMatching(error) });
  expect(waitOf(delivery)).toBeGreaterThanOrEqual(9_000);
  expect(delivery.webhook).toMatchObject({ status: 'active', failure_count: 1, last_success_at: null });
}

const waitOf = (delivery: { next_attempt_at: string; attempt: { started_at: string } }) =>
  Date.parse(delivery.next_attempt_at) - Date.parse(delivery.attempt.started_at);

describe('an answer that is not 2xx is tried again', () => {
  test.each([400, 401, 404, 409, 500, 502])('%i', async (status) => {
    receiver.answer(answerWith(status, { 'content-type': 'text/plain' }, 'sorry'));
    const delivery = await deliver(receiver.url());
    expectRetry(delivery, 'http_error', new RegExp(`answered ${status}`));
    expect(delivery.attempt.response).toEqual({
      status,
      headers: { 'content-type': 'text/plain' },
      body: 'sorry',
    });
  });

  test('a redirect to loopback is not followed', async () => {
    const inside = await startReceiver();
    receiver.answer(answerWith(302, { location: inside.url('/secret') }));
    const delivery = await deliver(receiver.url());
    expectRetry(delivery, 'redirect', /redirects are not followed/);
    expect(inside.received).toEqual([]);
    await inside.close();
  });
});

describe('Retry-After of a 429 or 503', () => {
  test.each([
    ['in seconds', 429, () => '60', 60_000],
    ['in seconds', 503, () => '120', 120_000],
    ['as an HTTP date', 429, () => new Date(Date.now() + 90_000).toUTCString(), 88_000],
    ['of more than an hour', 503, () => '86400', 3_600_000],
    ['shorter than the usual wait', 429, () => '1', 10_000],
    ['that is rubbish', 503, () => 'soon', 10_000],
    ['in the past', 429, () => new Date(Date.now() - 90_000).toUTCString(), 10_000],
  ])('%s (%i)', async (_name, status, header, leastMs) => {
    receiver.answer(
      (_received, response) => void response.writeHead(status, { 'retry-after': header() }).end(),
    );
    const delivery = await deliver(receiver.url());
    expectRetry(delivery, 'throttled', new RegExp(`answered ${status}`));
    expect(waitOf(delivery)).toBeGreaterThanOrEqual(leastMs);
    expect(waitOf(delivery)).toBeLessThan(Math.max(leastMs * 1.2, leastMs + 2_500) + 1_000);
  });

  test('means nothing with another status', async () => {
    receiver.answer(answerWith(500, { 'retry-after': '3000' }));
    expect(waitOf(await deliver(receiver.url()))).toBeLessThan(15_000);
  });
});

describe('a receiver that misbehaves', () => {
  test('never answers', async () => {
    receiver.answer(hang);
    const delivery = await deliver(receiver.url());
    expectRetry(delivery, 'timeout', /no complete answer within 2 s/);
    expect(delivery.attempt.response).toBeNull();
  });

  test('sends its body too slowly', async () => {
    receiver.answer((_received, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(drip));
    });
    const delivery = await deliver(receiver.url());
    expectRetry(delivery, 'timeout', /no complete answer/);
    expect(delivery.attempt.response.status).toBe(200);
  });

  test('sends an endless body: the status counts, 8 KiB are kept, the rest is not read', async () => {
    let closed = false;
    receiver.answer((_received, response) => {
      response.writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(1024)));
      };
      response.on('drain', pour).on('close', () => {
        closed = true;
      });
      pour();
    });
    const delivery = await deliver(receiver.url());
    expect(delivery).toMatchObject({ status: 'succeeded', last_response_status: 200 });
    expect(delivery.attempt.response.body).toBe('x'.repeat(8192));
    await until(() => closed);
  });

  test('sends more than 8 KiB: they are cut there', async () => {
    receiver.answer(answerWith(500, {}, 'é'.repeat(5_000)));
    const delivery = await deliver(receiver.url());
    expectRetry(delivery, 'http_error', /answered 500/);
    expect(delivery.attempt.response.body).toBe('é'.repeat(4_096));
  });

  test('sends what no text column can hold', async () => {
    receiver.answer(
      (_received, response) => void response.writeHead(500).end(Buffer.from([0x41, 0, 0xff, 0xfe, 0x42])),
    );
    expect((await deliver(receiver.url())).attempt.response.body).toBe('A��B');
  });

  test('breaks the connection', async () => {
    receiver.answer((_received, response) => void response.socket?.resetAndDestroy());
    expectRetry(await deliver(receiver.url()), 'reset', /closed the connection/);
  });

  test('does not speak HTTP', async () => {
    receiver.answer((_received, response) => void response.socket?.end('hello\r\n\r\n'));
    expectRetry(await deliver(receiver.url()), 'bad_response', /valid HTTP/);
  });

  test('refuses the connection', async () => {
    const url = receiver.url();
    const gone = await startReceiver();
    const refused = gone.url();
    await gone.close();
    expect(url).not.toBe(refused);
    expectRetry(await deliver(refused), 'refused', /refused/);
  });

  test('has a certificate that nobody trusts', async () => {
    const folder = new URL('../../../test/fixtures/tls/', import.meta.url);
    let requests = 0;
    const server = createServer(
      {
        key: readFileSync(new URL('receiver.key', folder)),
        cert: readFileSync(new URL('receiver.crt', folder)),
      },
      (_request, response) => {
        requests++;
        response.end();
      },
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const delivery = await deliver(`https://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expectRetry(delivery, 'tls', /certificate/);
    expect(requests).toBe(0);
    server.close();
    server.closeAllConnections();
  });

  test('has a name that does not resolve', async () => {
    // The timeout is long, since nobody knows how long the machine's resolver takes to find out.
    const patient = await testDelivering({ ...settings, WEBHOOK_TIMEOUT_MS: '8000' });
    onTestFinished(() => patient.close());
    const delivery = await deliver('https://nowhere.invalid-domain.example/hook', patient);
    expectRetry(delivery, 'dns', /could not be resolved/);
  });
});
