import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { describe, expect, it, test } from 'vitest';
import vectors from '../../../docs/signature-vectors.json' with { type: 'json' };
import { codePoint } from '../../../test/support/code-points.ts';
import { sign, signingKey, signStandard } from './sign.ts';

// An implementation of the same scheme by others. If it accepts our header, so do receivers.
const { webhooks, errors } = Stripe;
const secret = `whsec_${'0123456789abcdef'.repeat(4)}`;
const oldSecret = `whsec_${'fedcba9876543210'.repeat(4)}`;
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('the test vectors, computed once by another implementation', () => {
  test.each(vectors)('$name', ({ secrets, timestamp, body, header }) => {
    expect(sign({ keys: secrets.map(signingKey), timestamp, body })).toBe(header);
    expect(sign({ keys: secrets.map(signingKey), timestamp, body: Buffer.from(body) })).toBe(header);
    for (const each of secrets) {
      const tolerance = nowSeconds() - timestamp + 300;
      expect(webhooks.constructEvent(body, header, each, Math.max(tolerance, 300))).toEqual(JSON.parse(body));
    }
  });
});

describe('an independent verifier', () => {
  it('accepts a fresh signature and refuses another body, secret or an old time', () => {
    const body = '{"id":"evt_1","event":"payment.created"}';
    const header = sign({ keys: [signingKey(secret)], timestamp: nowSeconds(), body });
    expect(webhooks.constructEvent(body, header, secret)).toMatchObject({ id: 'evt_1' });
    const refused = errors.StripeSignatureVerificationError;
    expect(() => webhooks.constructEvent(`${body} `, header, secret)).toThrow(refused);
    expect(() => webhooks.constructEvent(body, header, oldSecret)).toThrow(refused);
    const stale = sign({ keys: [signingKey(secret)], timestamp: nowSeconds() - 301, body });
    expect(() => webhooks.constructEvent(body, stale, secret, 300)).toThrow(refused);
  });

  it('accepts either secret during a rotation', () => {
    const body = '{}';
    const header = sign({ keys: [secret, oldSecret].map(signingKey), timestamp: nowSeconds(), body });
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect(webhooks.constructEvent(body, header, secret)).toEqual({});
    expect(webhooks.constructEvent(body, header, oldSecret)).toEqual({});
  });

  it('agrees for any secret', () => {
    // The verifier accepts no secret that consists of spaces alone.
    const secrets = fc
      .string({ minLength: 1, maxLength: 200, unit: codePoint })
      .filter((text) => /\S/.test(text));
    fc.assert(
      fc.property(secrets, (anySecret) => {
        const header = sign({ keys: [signingKey(anySecret)], timestamp: nowSeconds(), body: '{}' });
        expect(webhooks.signature?.verifyHeader('{}', header, anySecret, 300)).toBe(true);
      }),
    );
  });

  it('agrees for any body', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (body) => {
        const header = sign({ keys: [signingKey(secret)], timestamp: nowSeconds(), body });
        expect(webhooks.signature?.verifyHeader(body, header, secret, 300)).toBe(true);
      }),
    );
  });
});

describe('the verifier of Standard Webhooks', () => {
  it('agrees for any secret of ours and any body', () => {
    const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(secrets, fc.json({ stringUnit: 'binary' }), (bytes, body) => {
        const anySecret = `whsec_${Buffer.from(bytes).toString('hex')}`;
        const timestamp = nowSeconds();
        const header = signStandard({ keys: [signingKey(anySecret)], timestamp, body, id: 'evt_1' });
        expect(header).toBe(new Webhook(anySecret).sign('evt_1', new Date(timestamp * 1000), body));
      }),
    );
  });

  it('accepts either secret during a rotation, and refuses another id, body or secret', () => {
    const body = '{"id":"evt_1"}';
    const timestamp = nowSeconds();
    const signature = signStandard({
      keys: [secret, oldSecret].map(signingKey),
      timestamp,
      body,
      id: 'evt_1',
    });
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    };
    expect(signature).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
    for (const each of [secret, oldSecret])
      expect(new Webhook(each).verify(body, headers)).toEqual({ id: 'evt_1' });
    const refused = 'No matching signature';
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow(refused);
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow(refused);
    expect(() => new Webhook(`whsec_${'0'.repeat(64)}`).verify(body, headers)).toThrow(refused);
  });
});
