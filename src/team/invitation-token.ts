import type { SecretBox } from '../secret-box.ts';

/*
 * The token in an invitation's link is the invitation's id with a tag that only the holder of SECRET_KEY can
 * make. So nothing that opens a door is stored, not even a hash, and the link can be shown again. It is
 * used up with the invitation.
 */

const uuidBytes = 16;
/** 16 + 14 bytes are exactly 40 characters: no spare bits that could be changed unnoticed. */
const tagBytes = 14;

export function writeToken(id: string, secrets: SecretBox): string {
  const uuid = Buffer.from(id.replaceAll('-', ''), 'hex');
  return Buffer.concat([uuid, secrets.tag(tagged(id), tagBytes)]).toString('base64url');
}

/** The invitation's id, or null where the token is not one of ours. */
export function readToken(token: string, secrets: SecretBox): string | null {
  if (!/^[\w-]{40}$/.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const hex = bytes.subarray(0, uuidBytes).toString('hex');
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return secrets.tagMatches(tagged(id), bytes.subarray(uuidBytes)) ? id : null;
}

const tagged = (id: string): string => `invitation ${id}`;
