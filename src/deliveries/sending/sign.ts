import { createHmac } from 'node:crypto';

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
    const hmac = createHmac('sha256', secret).update(`${input.timestamp}.`).update(input.body);
    header += `,v1=${hmac.digest('hex')}`;
  }
  return header;
}
