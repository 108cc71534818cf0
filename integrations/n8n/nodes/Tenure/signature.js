const { createHmac, timingSafeEqual } = require('node:crypto');

const toleranceMs = 300_000;

/**
 * Whether a request is from the Tenure that knows the secret, and new: by the headers of Standard Webhooks. While a
 * secret is rotated there are several signatures, and one that fits is enough.
 */
function isGenuine(rawBody, headers, secret, nowMs) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (!secret || !rawBody || !id || !/^\d{1,15}$/.test(timestamp ?? '') || !signatures) return false;
  if (Math.abs(nowMs - Number(timestamp) * 1000) > toleranceMs) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest();
  return String(signatures)
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice('v1,'.length), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

module.exports = { isGenuine };
