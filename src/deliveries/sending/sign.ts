import { type HmacKey, hmac, hmacKey } from './hmac.ts';

/** A secret, prepared for both signatures. */
export interface SigningKey {
  readonly whole: HmacKey;
  readonly decoded: HmacKey;
}

/**
 * The key of `X-Service-Signature` is the whole secret as UTF-8, prefix included. For Standard Webhooks it is what
 * follows `whsec_`, read as base64. Our 64 hexadecimal digits are base64 too, of 48 bytes, so its libraries take the
 * secret as it is.
 */
export const signingKey = (secret: string): SigningKey => ({
  whole: hmacKey(Buffer.from(secret)),
  decoded: hmacKey(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')),
});

interface ToSign {
  /** Newest first. */
  keys: readonly SigningKey[];
  /** Unix seconds. */
  timestamp: number;
  body: string | Uint8Array;
}

/** The value of `X-Service-Signature`: `t=<seconds>,v1=<hex>`, with one `v1` per valid secret, the newest first. */
export function sign({ keys, timestamp, body }: ToSign): string {
  const bytes = asBytes(body);
  let header = `t=${timestamp}`;
  for (const { whole } of keys) header += `,v1=${hmac(whole, `${timestamp}.`, bytes, 'hex')}`;
  return header;
}

/** The value of `webhook-signature`, as Standard Webhooks has it: `v1,<base64>`, one per valid secret. */
export function signStandard({ keys, timestamp, body, id }: ToSign & { id: string }): string {
  const bytes = asBytes(body);
  return keys.map(({ decoded }) => `v1,${hmac(decoded, `${id}.${timestamp}.`, bytes, 'base64')}`).join(' ');
}

const asBytes = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? Buffer.from(body) : body;
