import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SecretBox } from '../secrets/secret-box.ts';
import { secretConfig } from '../sessions/secret-versions.ts';

const stepMs = 30_000;

/**
 * The time step (RFC 6238) that this code belongs to, or null. better-auth says only whether a code is right, but to
 * refuse one that was used before we need to know which it was. Phones may be half a minute off either way, and a step
 * may end between better-auth's look and ours.
 */
export async function stepOfCode(
  secrets: SecretBox,
  encrypted: string,
  code: string,
  now: Date,
): Promise<number | null> {
  const { symmetricDecrypt } = await loadCrypto();
  const secret = await symmetricDecrypt({ key: secretConfig(secrets), data: encrypted });
  const current = Math.floor(now.getTime() / stepMs);
  const given = Buffer.from(code);
  const fits = (step: number) => {
    const right = Buffer.from(codeOf(secret, step));
    return right.length === given.length && timingSafeEqual(right, given);
  };
  return [current + 1, current, current - 1, current - 2].find(fits) ?? null;
}

/** HOTP (RFC 4226), six digits. */
function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const number = mac.readUInt32BE(mac.readUInt8(mac.length - 1) & 0xf) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** The same secret encrypted with the current key; null if it already is. Throws if none of the keys can read it. */
export async function renewAppSecret(secrets: SecretBox, encrypted: string): Promise<string | null> {
  const { parseEnvelope, symmetricDecrypt, symmetricEncrypt } = await loadCrypto();
  const key = secretConfig(secrets);
  const data = await symmetricDecrypt({ key, data: encrypted });
  return parseEnvelope(encrypted)?.version === key.currentVersion ? null : symmetricEncrypt({ key, data });
}

/** It loads a hundred modules, and most commands need no codes. */
const loadCrypto = () => import('better-auth/crypto');
