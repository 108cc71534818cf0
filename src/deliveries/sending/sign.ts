import { LRUCache } from 'lru-cache';
import { type HmacKey, hmac, hmacKey } from './hmac.ts';

interface ToSign {
  /** Newest first. */
  secrets: readonly string[];
  /** Unix seconds. */
  timestamp: number;
  body: string | Uint8Array;
}

/**
 * The value of `X-Service-Signature`: `t=<seconds>,v1=<hex>`, with one `v1` per valid secret, the
 * newest first. The key is the whole secret as UTF-8, prefix included.
 */
export function sign({ secrets, timestamp, body }: ToSign): string {
  const bytes = asBytes(body);
  let header = `t=${timestamp}`;
  for (const secret of secrets)
    header += `,v1=${hmac(keys.memo(secret).whole, `${timestamp}.`, bytes, 'hex')}`;
  return header;
}

/**
 * The value of `webhook-signature` as Standard Webhooks defines it: `v1,<base64>`, one per valid secret, separated by
 * blanks. There the key is what follows `whsec_`, read as base64. Our 64 hexadecimal digits are also base64, of 48
 * bytes, so the libraries of Standard Webhooks take the secret as it is.
 */
export function signStandard({ secrets, timestamp, body, id }: ToSign & { id: string }): string {
  const bytes = asBytes(body);
  return secrets
    .map((secret) => `v1,${hmac(keys.memo(secret).decoded, `${id}.${timestamp}.`, bytes, 'base64')}`)
    .join(' ');
}

interface Keys {
  whole: HmacKey;
  decoded: HmacKey;
}

const keys = new LRUCache<string, Keys>({
  max: 10_000,
  memoMethod: (secret) => ({
    whole: hmacKey(Buffer.from(secret)),
    decoded: hmacKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')),
  }),
});

const asBytes = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? Buffer.from(body) : body;
