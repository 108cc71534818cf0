import fc from 'fast-check';
import Stripe from 'stripe';
import { describe, expect, it, test } from 'vitest';
import vectors from '../../../docs/signature-vectors.json' with { type: 'json' };
import { sign } from './sign.ts';

// The same scheme, written by others: if it accepts our header, so do receivers.
const { webhooks, errors } = Stripe;
const secret = `whsec_${'0123456789abcdef'.repeat(4)}`;
const oldSecret = `whsec_${'fedcba9876543210'.repeat(4)}`;
const nowSeconds = () => Math.floor(Date.now() / 1000);

describe('the test vectors, computed once by another implementation', () => {
  test.each(vectors)('$name', ({ secrets, timestamp, body, header }) => {
    expect(sign({ secrets, timestamp, body })).toBe(header);
    expect(sign({ secrets, timestamp, body: Buffer.from(body) })).toBe(header);
    for (const each of secrets) {
      const tolerance = nowSeconds() - timestamp + 300;
      expect(webhooks.constructEvent(body, header, each, Math.max(tolerance, 300))).toEqual(JSON.parse(body));
    }
  });
});

describe('an independent verifier', () => {
  it('accepts a fresh signature and refuses another body, secret or an old time', () => {
    const body = '{"id":"evt_1","event":"payment.created"}';
    const header = sign({ secrets: [secret], timestamp: nowSeconds(), body });
    expect(webhooks.constructEvent(body, header, secret)).toMatchObject({ id: 'evt_1' });
    const refused = errors.StripeSignatureVerificationError;
    expect(() => webhooks.constructEvent(`${body} `, header, secret)).toThrow(refused);
    expect(() => webhooks.constructEvent(body, header, oldSecret)).toThrow(refused);
    const stale = sign({ secrets: [secret], timestamp: nowSeconds() - 301, body });
    expect(() => webhooks.constructEvent(body, stale, secret, 300)).toThrow(refused);
  });

  it('accepts either secret during a rotation', () => {
    const body = '{}';
    const header = sign({ secrets: [secret, oldSecret], timestamp: nowSeconds(), body });
    expect(header).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect(webhooks.constructEvent(body, header, secret)).toEqual({});
    expect(webhooks.constructEvent(body, header, oldSecret)).toEqual({});
  });

  it('agrees for any secret', () => {
    // The verifier takes none of blanks alone.
    const secrets = fc
      .string({ minLength: 1, maxLength: 200, unit: 'binary' })
      .filter((text) => /\S/.test(text));
    fc.assert(
      fc.property(secrets, (anySecret) => {
        const header = sign({ secrets: [anySecret], timestamp: nowSeconds(), body: '{}' });
        expect(webhooks.signature?.verifyHeader('{}', header, anySecret, 300)).toBe(true);
      }),
    );
  });

  it('agrees for any body', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (body) => {
        const header = sign({ secrets: [secret], timestamp: nowSeconds(), body });
        expect(webhooks.signature?.verifyHeader(body, header, secret, 300)).toBe(true);
      }),
    );
  });
});
