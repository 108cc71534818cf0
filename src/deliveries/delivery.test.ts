import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Delivering, testDelivering } from '../../test/support/delivering.ts';
import { until } from '../../test/support/process.ts';
import { queueDeliveries } from '../../test/support/queue.ts';
import {
  acknowledge,
  answerWith,
  type Received,
  type Receiver,
  startReceiver,
} from '../../test/support/receiver.ts';
import { make, unknownId } from '../../test/support/records.ts';
import { hours } from '../clock.ts';
import { sql } from '../db/sql.ts';

let delivering: Delivering;
let receiver: Receiver;

beforeAll(async () => {
  delivering = await testDelivering();
});
afterAll(() => delivering.close());
beforeEach(async () => {
  receiver = await startReceiver();
  return () => receiver.close();
});

/** Whether both signatures are valid. Code that is not ours checks them with the secret that the API returned. */
function verifies({ body, headers }: Received, secret: string): boolean {
  const stripe = new Stripe('sk_test_unused');
  const event = stripe.webhooks.constructEvent(body, headers['x-service-signature'] ?? '', secret);
  return event.id === (verifiesStandard({ body, headers }, secret) as { id: string }).id;
}

const verifiesStandard = ({ body, headers }: Pick<Received, 'body' | 'headers'>, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

describe('one delivery', () => {
  test('a change reaches the endpoint subscribed to it, with the headers and the record the API returned', async () => {
    const webhook = await delivering.subscribe(receiver.url('/a?b=c'));
    const tenant = await make.tenant(delivering.client, { first_name: 'Zoë', notes: 'a "quote" — 李明' });
    const [request] = await receiver.count(1);

    expect(request?.path).toBe('/a?b=c');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Tenure/test',
      'x-service-event': 'tenant.created',
      'x-service-delivery': expect.stringMatching(/^dlv_[0-9a-f]{32}$/),
      'x-service-signature': expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/),
      'webhook-id': JSON.parse(request?.body ?? '').id,
      'webhook-timestamp': /t=(\d+)/.exec(request?.headers['x-service-signature'] ?? '')?.[1],
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      event: 'tenant.created',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { tenant },
      actor: { type: 'key', id: expect.stringMatching(/^key_/), name: 'test' },
      api_version: 'v1',
    });
    const delivery = await delivering.finished(request?.headers['x-service-delivery'] ?? '');
    expect(delivery).toMatchObject({
      webhook_id: webhook.id,
      event: 'tenant.created',
      kind: 'event',
      status: 'succeeded',
      attempt_count: 1,
      next_attempt_at: null,
      last_response_status: 200,
      last_error: null,
    });
    expect(delivery.attempts).toEqual([
      {
        attempt: 1,
        started_at: expect.any(String),
        duration_ms: expect.any(Number),
        outcome: 'success',
        request: {
          headers: {
            'Content-Type': 'application/json',
            'X-Service-Event': 'tenant.created',
            'X-Service-Delivery': delivery.id,
            'X-Service-Signature': request?.headers['x-service-signature'],
            'webhook-id': request?.headers['webhook-id'],
            'webhook-timestamp': request?.headers['webhook-timestamp'],
            'webhook-signature': request?.headers['webhook-signature'],
          },
          body: request?.body,
        },
        response: { status: 200, headers: {}, body: 'ok' },
        error: null,
      },
    ]);
  });

  test('every endpoint subscribed to the event gets it, others do not', async () => {
    await delivering.subscribe(receiver.url('/one'), ['property.created']);
    await delivering.subscribe(receiver.url('/two'), ['property.created', 'unit.created']);
    await delivering.subscribe(receiver.url('/other'), ['unit.created']);
    const property = await make.property(delivering.client);
    await make.unit(delivering.client, { property_id: property.id });
    await receiver.count(4);
    const paths = receiver.received.map(({ path, headers }) => `${path} ${headers['x-service-event']}`);
    expect(paths.sort()).toEqual([
      '/one property.created',
      '/other unit.created',
      '/two property.created',
      '/two unit.created',
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery'])).size).toBe(4);
  });

  test('an endpoint subscribed to * gets every event of its account, tests apart, and no other account’s', async () => {
    const [own, other] = [await delivering.service.client(), await delivering.service.client()];
    const { id } = await make.webhook(own, { url: receiver.url('/own'), events: ['*'] });
    await make.webhook(other, { url: receiver.url('/other'), events: ['*'] });
    const property = await make.property(own);
    await own.patch(`/properties/${property.id}`, { name: 'Elm Court' });
    await make.tenant(other);
    await own.post(`/webhooks/${id}/test`);
    await receiver.count(4);
    const paths = receiver.received.map(({ path, headers }) => `${path} ${headers['x-service-event']}`);
    expect(paths.sort()).toEqual([
      '/other tenant.created',
      '/own property.created',
      '/own property.updated',
      '/own webhook.test',
    ]);
  });
});

describe('the signature verifies with an independent implementation', () => {
  test('for a first attempt and for retries, each signed anew over the same bytes', async () => {
    const webhook = await delivering.subscribe(receiver.url());
    receiver.answer(answerWith(500));
    await make.tenant(delivering.client);
    const requests = await receiver.count(5);
    for (const request of requests) expect(verifies(request, webhook.secret)).toBe(true);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [first] = requests as [Received];
    expect(() => verifies(first, `${webhook.secret}0`)).toThrow();
    expect(() => verifiesStandard(first, webhook.secret.replace(/.$/, '_'))).toThrow();
    expect(() => verifiesStandard({ ...first, body: `${first.body} ` }, webhook.secret)).toThrow(
      'No matching',
    );
  });

  test('for a redelivery: the same event and bytes under a new delivery id', async () => {
    const webhook = await delivering.subscribe(receiver.url());
    await make.tenant(delivering.client);
    await receiver.count(1);
    const first = await delivering.finished((await delivering.deliveryTo(webhook.id)).id);
    const again = await delivering.client.post(`/deliveries/${first.id}/redeliver`);
    expect(again.status).toBe(201);
    expect(again.body.data).toMatchObject({ kind: 'redelivery', event_id: first.event_id });
    expect(again.body.data.id).not.toBe(first.id);
    const [one, two] = await receiver.count(2);
    expect(two?.body).toBe(one?.body);
    expect(two?.headers['x-service-delivery']).toBe(again.body.data.id);
    expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
    expect(verifies(two as Received, webhook.secret)).toBe(true);
  });

  test('during rotation with the new secret and with the old one, afterwards only with the new', async () => {
    const webhook = await delivering.subscribe(receiver.url());
    const rotated = await delivering.client.post(`/webhooks/${webhook.id}/rotate-secret`);
    const { secret } = rotated.body.data;
    expect(secret).not.toBe(webhook.secret);
    await make.tenant(delivering.client);
    const [during] = await receiver.count(1);
    expect(during?.headers['x-service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect(during?.headers['x-service-signature']).toContain(`,v1=${hmac(during as Received, secret)},v1=`);
    expect(verifies(during as Received, secret)).toBe(true);
    expect(verifies(during as Received, webhook.secret)).toBe(true);

    await delivering.service.database.db.query(
      sql`update webhook_endpoints set previous_secret_expires_at = now() - interval '1 minute'
        where previous_secret is not null`,
    );
    await make.tenant(delivering.client);
    const [, afterwards] = await receiver.count(2);
    expect(verifies(afterwards as Received, secret)).toBe(true);
    expect(() => verifies(afterwards as Received, webhook.secret)).toThrow();
    expect(() => verifiesStandard(afterwards as Received, webhook.secret)).toThrow('No matching');
  });
});

test('secrets replaced within a day all sign, each for its day', async () => {
  const client = await delivering.service.client();
  const { app } = delivering.service;
  const { id, secret: first } = await make.webhook(client, {
    url: receiver.url(),
    events: ['tenant.created'],
  });
  const rotate = async () => (await client.post(`/webhooks/${id}/rotate-secret`)).body.data.secret as string;
  const nextSignature = async () => {
    const before = receiver.received.length;
    await make.tenant(client);
    return (await receiver.count(before + 1)).at(-1) as Received;
  };
  const [second, third] = [await rotate(), await rotate()];
  const during = await nextSignature();
  for (const secret of [first, second, third]) expect(verifies(during, secret)).toBe(true);
  expect(during.headers['x-service-signature']?.split('v1=')).toHaveLength(4);

  const { now } = app;
  try {
    app.now = () => new Date(Date.now() + 23 * 3_600_000);
    const fourth = await rotate();
    app.now = () => new Date(Date.now() + 25 * 3_600_000);
    const later = await nextSignature();
    const valid = [first, second, third, fourth].filter((secret) =>
      later.headers['x-service-signature']?.includes(`v1=${hmac(later, secret)}`),
    );
    expect(valid).toEqual([third, fourth]);
  } finally {
    app.now = now;
  }
});

function hmac({ headers, body }: Received, secret: string): string {
  const t = /t=(\d+)/.exec(headers['x-service-signature'] ?? '')?.[1];
  return createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
}

describe('retries', () => {
  test('five attempts in all, then the delivery has failed and the endpoint is failing', async () => {
    const webhook = await delivering.subscribe(receiver.url());
    receiver.answer(answerWith(500, {}, 'no'));
    await make.tenant(delivering.client);
    const delivery = await delivering.finished((await delivering.deliveryTo(webhook.id)).id);
    expect(delivery).toMatchObject({
      status: 'failed',
      attempt_count: 5,
      last_response_status: 500,
      last_error: 'The endpoint answered 500.',
    });
    expect(delivery.attempts.map(({ attempt }: { attempt: number }) => attempt)).toEqual([1, 2, 3, 4, 5]);
    expect(receiver.received.length).toBe(5);
    expect(await delivering.webhook(webhook.id)).toMatchObject({
      status: 'failing',
      failure_count: 5,
      last_success_at: null,
      last_error_at: expect.any(String),
    });

    // Any 2xx answer makes it work again.
    receiver.answer(acknowledge);
    await make.tenant(delivering.client);
    await delivering.finished((await delivering.deliveryTo(webhook.id)).id);
    expect(receiver.received.length).toBe(6);
    expect(await delivering.webhook(webhook.id)).toMatchObject({
      status: 'active',
      failure_count: 0,
      last_success_at: expect.any(String),
    });
  });

  test('an attempt that is answered with 2xx ends them', async () => {
    const webhook = await delivering.subscribe(receiver.url());
    receiver.answer((_received, response) => {
      response.writeHead(receiver.received.length < 3 ? 500 : 204).end();
    });
    await make.tenant(delivering.client);
    const delivery = await delivering.finished((await delivering.deliveryTo(webhook.id)).id);
    expect(delivery).toMatchObject({ status: 'succeeded', attempt_count: 3, last_response_status: 204 });
    expect(delivery.attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'http_error',
      'http_error',
      'success',
    ]);
  });

  test('are never early', async () => {
    const slow = await testDelivering({ WEBHOOK_RETRY_DELAYS_MS: '300,10,10,10' });
    const webhook = await slow.subscribe(receiver.url());
    receiver.answer(answerWith(500));
    await make.tenant(slow.client);
    await receiver.count(1);
    let pending = await slow.deliveryTo(webhook.id);
    while (pending.next_attempt_at === null) pending = await slow.deliveryTo(webhook.id);
    expect(pending).toMatchObject({ status: 'pending', attempt_count: 1, last_response_status: 500 });
    const [first, second] = await receiver.count(2);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(299);
    await slow.close();
  });
});

describe('the state of an endpoint', () => {
  test('410 disables it at once, and what was queued for it is cancelled', async () => {
    const webhook = await delivering.subscribe(receiver.url(), ['tenant.created', 'property.created']);
    receiver.answer((received, response) => {
      const gone = received.headers['x-service-event'] === 'tenant.created';
      response.writeHead(gone ? 410 : 500).end();
    });
    await queueDeliveries(delivering.service.database.db, {
      accountId: delivering.client.accountId,
      endpointId: uuidOf(webhook.id),
      event: 'property.created',
      count: 3,
      waitMs: hours(1),
    });
    await make.tenant(delivering.client);
    const delivery = await delivering.finished(
      (await delivering.deliveryTo(webhook.id, '&event=tenant.created')).id,
    );
    expect(delivery).toMatchObject({ status: 'failed', attempt_count: 1, last_response_status: 410 });
    expect(await delivering.webhook(webhook.id)).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone',
    });
    let cancelled = { count: 0 };
    while (cancelled.count < 3) {
      cancelled = (await delivering.client.get(`/webhooks/${webhook.id}/deliveries?status=cancelled`)).body;
    }
    expect(cancelled.count).toBe(3);

    // The endpoint is disabled, so what happens next is not queued for it.
    await make.tenant(delivering.client);
    expect((await delivering.client.get(`/webhooks/${webhook.id}/deliveries`)).body.count).toBe(4);
  });

  test('five days of nothing but failure disable it, with less it stays', async () => {
    const failing = (since: string) =>
      delivering.service.database.db.query(
        sql`update webhook_endpoints set failing_since = now() - ${since}::interval where url = ${receiver.url()}`,
      );
    const webhook = await delivering.subscribe(receiver.url());
    receiver.answer(answerWith(500));
    await failing('4 days 23 hours');
    await make.tenant(delivering.client);
    await delivering.finished((await delivering.deliveryTo(webhook.id)).id);
    expect(await delivering.webhook(webhook.id)).toMatchObject({ status: 'failing', disabled_reason: null });
    await failing('5 days 1 second');
    await make.tenant(delivering.client);
    const last = await delivering.finished((await delivering.deliveryTo(webhook.id)).id);
    expect(last).toMatchObject({ status: 'failed', attempt_count: 5 });
    expect(await delivering.webhook(webhook.id)).toMatchObject({
      status: 'disabled',
      disabled_reason: 'failures',
    });
  });

  test('one failed attempt does not disable it, however long nothing was sent', async () => {
    const webhook = await delivering.subscribe(receiver.url());
    receiver.answer(answerWith(500));
    await make.tenant(delivering.client);
    await delivering.finished((await delivering.deliveryTo(webhook.id)).id);
    await delivering.service.database.db.query(
      sql`update webhook_endpoints set failing_since = now() - interval '6 days' where url = ${receiver.url()}`,
    );
    const before = receiver.received.length;
    receiver.answer((received, response) =>
      answerWith(receiver.received.length === before + 1 ? 500 : 200)(received, response),
    );
    await make.tenant(delivering.client);
    expect(await delivering.finished((await delivering.deliveryTo(webhook.id)).id)).toMatchObject({
      status: 'succeeded',
      attempt_count: 2,
    });
    expect(await delivering.webhook(webhook.id)).toMatchObject({ status: 'active', failure_count: 0 });
  });

  test('answers from its old address do not count for the new one', async () => {
    const webhook = await delivering.subscribe(receiver.url('/old'));
    let answerOld = () => {};
    receiver.answer((received, response) => {
      if (received.path !== '/old') return void response.end();
      answerOld = () => void response.writeHead(410).end();
    });
    await make.tenant(delivering.client);
    await receiver.count(1, '/old');
    const moved = { url: receiver.url('/new') };
    expect((await delivering.client.patch(`/webhooks/${webhook.id}`, moved)).status).toBe(200);
    answerOld();
    const { id } = await delivering.deliveryTo(webhook.id);
    expect(await delivering.finished(id)).toMatchObject({ status: 'failed', last_response_status: 410 });
    expect(await delivering.webhook(webhook.id)).toMatchObject({ status: 'active', failure_count: 0 });
    await make.tenant(delivering.client);
    await receiver.count(1, '/new');
  });

  test('deleting it cancels what was queued, and nothing more is sent', async () => {
    const webhook = await delivering.subscribe(receiver.url('/deleted'));
    const other = await delivering.subscribe(receiver.url('/other'));
    receiver.answer((_received, response) => void response.writeHead(503, { 'retry-after': '3600' }).end());
    await make.tenant(delivering.client);
    await receiver.count(2);
    const { id } = await delivering.deliveryTo(webhook.id);
    expect((await delivering.client.delete(`/webhooks/${webhook.id}`)).status).toBe(200);
    expect(await delivering.finished(id)).toMatchObject({ status: 'cancelled' });
    expect((await delivering.client.get(`/webhooks/${webhook.id}/deliveries`)).status).toBe(404);
    receiver.answer(acknowledge);
    await make.tenant(delivering.client);
    await receiver.count(2, '/other');
    expect(receiver.received.filter(({ path }) => path === '/deleted').length).toBe(1);
    await delivering.client.delete(`/webhooks/${other.id}`);
  });

  test.each([
    ['deleting', (path: string) => delivering.client.delete(path)],
    ['disabling', (path: string) => delivering.client.patch(path, { status: 'disabled' })],
  ])('%s it cancels retries that are not due for hours too, however many', async (_how, end) => {
    const webhook = await delivering.subscribe(receiver.url('/down'));
    const { db } = delivering.service.database;
    const endpoint = uuidOf(webhook.id);
    const { accountId } = delivering.client;
    await queueDeliveries(db, {
      accountId,
      endpointId: endpoint,
      count: 2_500,
      waitMs: hours(4),
      attempts: 3,
    });
    expect((await end(`/webhooks/${webhook.id}`)).status).toBe(200);
    await until(async () => {
      const left = await db.query(sql`select from delivery_queue where endpoint_id = ${endpoint}`);
      return left.length === 0;
    });
    const rows = await db.query<{ status: string; attempts: number; count: number }>(sql`
      select status, attempts, count(*)::integer as count from deliveries where endpoint_id = ${endpoint} group by 1, 2`);
    expect(rows).toEqual([{ status: 'cancelled', attempts: 3, count: 2500 }]);
    expect(receiver.received).toEqual([]);
  });

  test('a queued delivery whose endpoint is gone is cancelled without being sent', async () => {
    const webhook = await delivering.subscribe(receiver.url('/vanished'));
    const other = await delivering.subscribe(receiver.url('/there'));
    const { db } = delivering.service.database;
    await db.transaction(async (tx) => {
      // The endpoint is deleted as if by a request that did not see this delivery yet.
      await tx.query(sql`delete from webhook_endpoints where url = ${receiver.url('/vanished')}`);
      const { accountId } = delivering.client;
      const endpointId = uuidOf(webhook.id);
      await queueDeliveries(tx, { accountId, endpointId, id: endpointId });
    });
    const delivery = await delivering.finished(webhook.id.replace('we_', 'dlv_'));
    expect(delivery).toMatchObject({ status: 'cancelled', attempt_count: 0, attempts: [] });
    await make.tenant(delivering.client);
    await receiver.count(1, '/there');
    expect(receiver.received.length).toBe(1);
    await delivering.client.delete(`/webhooks/${other.id}`);
  });
});

const uuidOf = (id: string) => id.slice(id.indexOf('_') + 1);

describe('a test event', () => {
  test('goes to that endpoint alone, once, and its result is in the answer', async () => {
    const webhook = await delivering.subscribe(receiver.url('/tested'));
    const other = await delivering.subscribe(receiver.url('/other'));
    const answer = await delivering.client.post(`/webhooks/${webhook.id}/test`);
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({
      kind: 'test',
      event: 'webhook.test',
      status: 'succeeded',
      attempt_count: 1,
    });
    expect(answer.body.data.attempts).toHaveLength(1);
    const [request] = await receiver.count(1);
    const { secret, ...shown } = webhook;
    const { event, data } = JSON.parse(request?.body ?? '');
    expect(event).toBe('webhook.test');
    expect(data).toEqual({ webhook: shown });
    expect(data).toEqual({ webhook: (await delivering.client.get(`/webhooks/${webhook.id}`)).body.data });
    expect(verifies(request as Received, secret)).toBe(true);
    expect(receiver.received.map(({ path }) => path)).toEqual(['/tested']);
    await delivering.client.delete(`/webhooks/${other.id}`);
  });

  test('makes one attempt, changes no counters, and works when the endpoint is disabled', async () => {
    const webhook = await delivering.subscribe(receiver.url());
    await delivering.client.patch(`/webhooks/${webhook.id}`, { status: 'disabled' });
    const before = await delivering.webhook(webhook.id);
    for (const [status, expected] of [
      [500, 'failed'],
      [410, 'failed'],
      [200, 'succeeded'],
    ] as const) {
      receiver.answer(answerWith(status));
      const answer = await delivering.client.post(`/webhooks/${webhook.id}/test`);
      expect(answer.body.data).toMatchObject({
        status: expected,
        attempt_count: 1,
        last_response_status: status,
      });
    }
    expect(receiver.received.length).toBe(3);
    expect(await delivering.webhook(webhook.id)).toEqual(before);
  });

  test('is not held up by a backlog of the endpoint that is tested', async () => {
    const webhook = await delivering.subscribe(receiver.url());
    receiver.answer((received, response) => {
      if (received.headers['x-service-event'] === 'webhook.test') response.end();
    });
    for (let i = 0; i < 6; i++) await make.tenant(delivering.client);
    await receiver.count(4);
    const answer = await delivering.client.post(`/webhooks/${webhook.id}/test`);
    expect(answer.body.data.status).toBe('succeeded');
    await delivering.client.delete(`/webhooks/${webhook.id}`);
  });

  test('can be sent again and again, but not by the hundred: each holds a request until it is answered', async () => {
    const another = await delivering.service.client();
    const webhook = await make.webhook(another, { url: receiver.url(), events: ['tenant.created'] });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => another.post(`/webhooks/${webhook.id}/test`)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(201));
    expect(statuses.at(-1)).toBe(429);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect((await another.post(`/webhooks/${unknownId('we')}/test`)).status).toBe(404);
    const [sent] = answers.filter(({ status }) => status === 201);
    const path = `/deliveries/${sent?.body.data.id}/redeliver`;
    const again = await Promise.all(Array.from({ length: 30 }, () => another.post(path)));
    expect(again.map(({ status }) => status)).toContain(429);
  });

  test('with an Idempotency-Key it is queued once and sent once', async () => {
    const webhook = await delivering.subscribe(receiver.url());
    const send = () =>
      delivering.client.post(`/webhooks/${webhook.id}/test`, {}, { 'idempotency-key': 'once' });
    const first = await send();
    expect(first.body.data).toMatchObject({ status: 'pending', kind: 'test' });
    expect((await send()).text).toBe(first.text);
    expect(await delivering.finished(first.body.data.id)).toMatchObject({ status: 'succeeded' });
    expect(receiver.received.length).toBe(1);
  });
});
