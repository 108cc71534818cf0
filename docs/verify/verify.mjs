// Verifies a Tenure webhook in Node.js, with nothing but its standard library.
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * @param {string | Buffer} rawBody the request body exactly as it came, before any JSON parsing
 * @param {string | undefined} header the value of X-Service-Signature
 * @param {string} secret the endpoint's secret, `whsec_` included
 * @param {number} [now] Unix time in seconds
 */
export function verifyWebhook(rawBody, header, secret, now = Date.now() / 1000) {
  const parts = (header ?? '').split(',').map((part) => part.split(/=(.*)/s, 2));
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,15}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
  // While a secret is being rotated there are two signatures: one valid one is enough.
  return parts.some(([name, value = '']) => {
    const given = name === 'v1' && /^[0-9a-f]{64}$/.test(value) ? Buffer.from(value, 'hex') : null;
    return given !== null && timingSafeEqual(given, expected);
  });
}
