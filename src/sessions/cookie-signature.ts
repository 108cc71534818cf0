import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The Cookie header. If another accepted secret signed its session cookie, the cookie is signed with the first secret
 * instead: better-auth knows only one, and rotating SECRET_KEY must not sign everybody out. The browser gets a newly
 * signed cookie when the session is prolonged, which happens once a day.
 */
export function renewSignature(
  header: string,
  cookieName: string,
  [current, ...accepted]: readonly [string, ...string[]],
): string {
  if (accepted.length === 0) return header;
  return header
    .split(';')
    .map((part) => {
      const cookie = part.trimStart();
      if (!cookie.startsWith(`${cookieName}=`)) return part;
      const value = cookie.slice(cookieName.length + 1);
      const [, token, signature = ''] = /^(.+)\.([^.]+)$/.exec(decoded(value)) ?? [];
      if (token === undefined || !accepted.some((secret) => fits(signature, sign(token, secret))))
        return part;
      const lead = part.slice(0, part.length - cookie.length);
      return `${lead}${cookieName}=${encodeURIComponent(`${token}.${sign(token, current)}`)}`;
    })
    .join(';');
}

/** The value of a signed cookie; null if there is none, or it was not signed with this secret. */
export function readSigned(header: string, cookieName: string, secret: string): string | null {
  const cookie = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${cookieName}=`));
  const value = decoded(cookie?.slice(cookieName.length + 1) ?? '');
  const [, token, signature = ''] = /^(.+)\.([^.]+)$/.exec(value) ?? [];
  return token !== undefined && fits(signature, sign(token, secret)) ? token : null;
}

/** Signs like better-auth signs its cookies. */
const sign = (token: string, secret: string): string =>
  createHmac('sha256', secret).update(token).digest('base64');

function fits(signature: string, expected: string): boolean {
  const [left, right] = [Buffer.from(signature), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
