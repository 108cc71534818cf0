import type { Event } from './api.ts';
import { TenureSignatureError } from './errors.ts';

/** The event of this name: `EventOf<'payment.created'>`. */
export type EventOf<Name extends Event['event']> = Extract<Event, { event: Name }>;

export interface ReceivedWebhook {
  /** The raw body as it arrived. JSON that was parsed and written again differs. */
  body: string | Uint8Array | ArrayBuffer;
  /** The request's headers, as fetch or Node has them; or only the value of `X-Service-Signature`. */
  headers: Headers | Record<string, string | string[] | undefined> | string;
  /** The endpoint's secret, `whsec_…`; several while you change it. */
  secret: string | readonly string[];
  /** How old or how far ahead its timestamp may be. Default: 300. */
  toleranceSeconds?: number;
  /** In milliseconds. Default: the machine's clock. */
  now?: number;
}

/**
 * Returns the event that Tenure sent, or throws a `TenureSignatureError`. Needs Web Crypto, which Node, browsers and
 * workers have.
 */
export async function verifyWebhook({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
  now = Date.now(),
}: ReceivedWebhook): Promise<Event> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const { timestamp, signatures } = partsOf(signatureIn(headers));
  if (Math.abs(Math.floor(now / 1000) - Number(timestamp)) > toleranceSeconds)
    throw new TenureSignatureError('The timestamp is too far from now.');
  const prefix = new TextEncoder().encode(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + bytes.length);
  signed.set(prefix);
  signed.set(bytes, prefix.length);
  for (const each of [secret].flat())
    if (await isSigned(each, signatures, signed)) return JSON.parse(new TextDecoder().decode(bytes)) as Event;
  throw new TenureSignatureError('The signature does not fit the body and the secret.');
}

function signatureIn(headers: ReceivedWebhook['headers']): string {
  if (typeof headers === 'string') return headers;
  const name = 'x-service-signature';
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? '';
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return [found].flat()[0] ?? '';
}

/** `t=<seconds>,v1=<hex>`, with a `v1` for each valid secret. */
function partsOf(header: string): { timestamp: string; signatures: Uint8Array<ArrayBuffer>[] } {
  const parts = header.split(',').map((part) => part.trim());
  const timestamp = parts.find((part) => /^t=\d{1,12}$/.test(part))?.slice(2);
  const signatures = parts
    .filter((part) => /^v1=[0-9a-f]{64}$/.test(part))
    .map((part) => bytesOf(part.slice(3)));
  if (timestamp === undefined || signatures.length === 0)
    throw new TenureSignatureError('The header X-Service-Signature is missing or has another form.');
  return { timestamp, signatures };
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

async function isSigned(
  secret: string,
  signatures: Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'verify',
  ]);
  // `verify` takes the same time whatever the difference is.
  for (const signature of signatures)
    if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
  return false;
}
