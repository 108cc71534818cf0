import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Delivering, testDelivering } from '../../../test/support/delivering.ts';
import { freePort } from '../../../test/support/process.ts';
import { answerWith, type Receiver, startReceiver } from '../../../test/support/receiver.ts';
import { make } from '../../../test/support/records.ts';
import { formatId } from '../../ids.ts';
import { serveMetrics } from '../../system/metrics.ts';

let delivering: Delivering;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  delivering = await testDelivering({}, { workers: 0 });
});
afterEach(async () => {
  await delivering.close();
  await receiver.close();
});

test('one wide log line per attempt, and no secret in any of them', async () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  delivering.service.app.log = pino({ level: 'trace' }, sink);
  delivering.addWorker();
  const webhook = await delivering.subscribe(receiver.url());
  receiver.answer(
    (_received, response) => void response.writeHead(receiver.received.length === 1 ? 503 : 200).end(),
  );
  await make.tenant(delivering.client);
  const { id, event_id } = await delivering.finished((await delivering.deliveryTo(webhook.id)).id);
  const attempts = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'delivery attempt');
  const common = {
    account: formatId('acct', delivering.client.accountId),
    endpoint: webhook.id,
    delivery: id,
    event: 'tenant.created',
    event_id,
    kind: 'event',
    ms: expect.any(Number),
  };
  expect(attempts).toMatchObject([
    {
      ...common,
      attempt: 1,
      outcome: 'throttled',
      status: 503,
      delivery_status: 'pending',
      next_attempt_at: expect.any(String),
    },
    {
      ...common,
      attempt: 2,
      outcome: 'success',
      status: 200,
      delivery_status: 'succeeded',
      next_attempt_at: null,
    },
  ]);
  expect(lines.join('')).not.toContain(webhook.secret.slice(6));
});

test('metrics: queue depth, oldest due age, attempts by outcome, claim and settle time', async () => {
  const port = await freePort();
  const stop = await serveMetrics(delivering.service.app, port, '127.0.0.1');
  const webhook = await delivering.subscribe(receiver.url());
  await delivering.enqueue(3, [webhook.id]);
  const worker = delivering.addWorker();
  receiver.answer(answerWith(500));
  await delivering.finished((await delivering.deliveryTo(webhook.id)).id);
  await worker.stop();
  await delivering.enqueue(2, [webhook.id]);
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  expect(value('tenure_delivery_queue_depth')).toBeGreaterThanOrEqual(2);
  expect(value('tenure_delivery_oldest_due_seconds')).toBeGreaterThan(0);
  expect(value('tenure_delivery_attempts_total\\{outcome="http_error"\\}')).toBeGreaterThanOrEqual(5);
  expect(value('tenure_delivery_claim_seconds_count')).toBeGreaterThan(0);
  expect(value('tenure_delivery_settle_seconds_count')).toBeGreaterThan(0);
  expect((await fetch(`http://127.0.0.1:${port}/else`)).status).toBe(404);
  await stop();
});
