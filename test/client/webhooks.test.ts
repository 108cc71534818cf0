import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  type EventOf,
  type Payment,
  TenureSignatureError,
  verifyWebhook,
} from '../../clients/typescript/src/index.ts';
import vectors from '../../docs/signature-vectors.json' with { type: 'json' };
import { sign, signingKey } from '../../src/deliveries/sending/sign.ts';

const secret = `whsec_${'5f2c8e1d9b7a4063'.repeat(4)}`;
const body = JSON.stringify({
  id: 'evt_1',
  event: 'payment.created',
  data: { payment: { amount_cents: 5 } },
});
const seconds = 1_763_199_000;
const header = sign({ keys: [signingKey(secret)], timestamp: seconds, body });
const received = { body, headers: { 'X-Service-Signature': header }, secret, now: seconds * 1000 };

test('a webhook is verified in every form in which servers have it, and its event has a type', async () => {
  const bytes = new TextEncoder().encode(body);
  for (const each of [body, bytes, bytes.buffer, Buffer.from(body)])
    for (const headers of [received.headers, new Headers(received.headers), header])
      expect(await verifyWebhook({ ...received, body: each, headers })).toMatchObject({ id: 'evt_1' });
  const event = await verifyWebhook(received);
  if (event.event === 'payment.created') expectTypeOf(event.data.payment).toEqualTypeOf<Payment>();
  expectTypeOf<EventOf<'payment.created'>['data']['payment']>().toEqualTypeOf<Payment>();
});

test.each([
  ['another body', { body: `${body} ` }],
  ['another secret', { secret: `${secret}0` }],
  ['an old one', { now: (seconds + 301) * 1000 }],
  ['one from the future', { now: (seconds - 301) * 1000 }],
  ['no header', { headers: {} }],
  ['a header of another form', { headers: `t=${seconds},v1=,v0=${header.slice(-64)}` }],
  ['another time', { headers: header.replace(`${seconds}`, `${seconds + 1}`) }],
])('%s is refused', async (_, change) => {
  await expect(verifyWebhook({ ...received, ...change })).rejects.toThrow(TenureSignatureError);
});

test('while a secret is changed, either will do', async () => {
  const secrets = ['whsec_old', secret];
  expect(await verifyWebhook({ ...received, secret: secrets })).toMatchObject({ id: 'evt_1' });
});

describe('the published vectors', () => {
  test.each(vectors)('$header', async ({ secrets, timestamp, body, header }) => {
    const found = () => verifyWebhook({ body, headers: header, secret: secrets, now: timestamp * 1000 });
    // Not all of their bodies are JSON, but none is refused because of its signature.
    await found().catch((error) => expect(error).toBeInstanceOf(SyntaxError));
  });
});
