import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hmac, hmacKey } from './hmac.ts';

test('agrees with OpenSSL for keys and texts of any length', () => {
  const key = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
  const text = fc.string({ unit: 'binary', maxLength: 40_000, size: 'max' });
  fc.assert(
    fc.property(key, fc.nat(), text, fc.boolean(), (secret, lead, body, asBytes) => {
      const expected = createHmac('sha256', secret).update(`${lead}.`).update(body);
      const given = asBytes ? Buffer.from(body) : body;
      expect(hmac(hmacKey(secret), `${lead}.`, given, 'buffer')).toEqual(expected.digest());
    }),
  );
});

test('a key can be used again and again', () => {
  const key = hmacKey(Buffer.from('key'));
  const first = hmac(key, '', 'The quick brown fox jumps over the lazy dog', 'hex');
  hmac(key, '', 'something else', 'hex');
  expect(hmac(key, '', 'The quick brown fox jumps over the lazy dog', 'hex')).toBe(first);
  // RFC 4231 and others have it as an example.
  expect(first).toBe('f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8');
});
