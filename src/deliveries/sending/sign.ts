import { LRUCache } from 'lru-cache';
import { type HmacKey, hmac, hmacKey } from '../../hmac.ts';

const keys = new LRUCache<string, HmacKey>({ max: 10_000 });

/**
 * The value of `X-Service-Signature`: `t=<seconds>,v1=<hex>`, with one `v1` per valid secret, the
 * newest first. The key is the whole secret as UTF-8, prefix included.
 */
export function sign(input: {
  secrets: readonly string[];
  timestamp: number;
  body: string | Uint8Array;
}): string {
  let header = `t=${input.timestamp}`;
  for (const secret of input.secrets) {
    header += `,v1=${hmac(keyOf(secret), `${input.timestamp}.`, input.body, 'hex')}`;
  }
  return header;
}

function keyOf(secret: string): HmacKey {
  let key = keys.get(secret);
  if (key === undefined) {
    key = hmacKey(secret);
    keys.set(secret, key);
  }
  return key;
}
