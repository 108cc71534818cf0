import { withDashes, withoutDashes } from '../ids.ts';
import type { SecretBox } from './secret-box.ts';

/*
 * An id with a tag that only the holder of SECRET_KEY can make, as 40 characters: for cursors and links, which are
 * handed out and come back. Other text can be tagged too. The tag covers `use`, so that a tag made for another use is
 * refused.
 */

const uuidBytes = 16;
/** 16 + 14 bytes are exactly 40 base64 characters, without spare bits that could be changed unnoticed. */
const tagBytes = 14;

export function writeTaggedId(id: string, use: string, secrets: SecretBox): string {
  const uuid = Buffer.from(withoutDashes(id), 'hex');
  return Buffer.concat([uuid, secrets.tag(`${use} ${id}`, tagBytes)]).toString('base64url');
}

/** The id, or null if we did not write this for this use. */
export function readTaggedId(text: string, use: string, secrets: SecretBox): string | null {
  if (!/^[\w-]{40}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  const id = withDashes(bytes.toString('hex', 0, uuidBytes));
  return secrets.tagMatches(`${use} ${id}`, bytes.subarray(uuidBytes)) ? id : null;
}

export const writeTaggedText = (text: string, use: string, secrets: SecretBox): string =>
  Buffer.concat([secrets.tag(`${use} ${text}`, tagBytes), Buffer.from(text)]).toString('base64url');

/** The text, or null if we did not write this for this use. */
export function readTaggedText(tagged: string, use: string, secrets: SecretBox): string | null {
  const bytes = Buffer.from(tagged, 'base64url');
  // Decoding drops other characters, and spare bits.
  if (bytes.length <= tagBytes || bytes.toString('base64url') !== tagged) return null;
  const text = bytes.toString('utf8', tagBytes);
  return secrets.tagMatches(`${use} ${text}`, bytes.subarray(0, tagBytes)) ? text : null;
}
