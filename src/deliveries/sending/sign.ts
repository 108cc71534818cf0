import { LRUCache } from 'lru-cache';
import { type HmacKey, hmacHex, hmacKey } from './hmac.ts';

const keys = new LRUCache<string, HmacKey>({ max: 10_000, memoMethod: hmacKey });

/**
 * The value of `X-Service-Signature`: `t=<seconds>,v1=<hex>`, with one `v1` per valid secret, the
 * newest first. The key is the whole secret as UTF-8, prefix included.
 */
export function sign(input: {
  secrets: readonly string[];
  timestamp: number;
  body: string | Uint8Array;
}): string {
  const body = typeof input.body === 'string' ? Buffer.from(input.body) : input.body;
  let header = `t=${input.timestamp}`;
  for (const secret of input.secrets)
    header += `,v1=${hmacHex(keys.memo(secret), `${input.timestamp}.`, body)}`;
  return header;
}
