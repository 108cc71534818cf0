import { createHash, randomInt } from 'node:crypto';

/** Letters and digits that nobody confuses. Sixteen of them carry 79 bits. */
const readable = '23456789abcdefghjkmnpqrstuvwxyz';
const howMany = 10;

/** For example `k3vd-9x2p-mm4q-7hte`. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: howMany }, () => Array.from({ length: 4 }, fourLetters).join('-'));

const fourLetters = () => Array.from({ length: 4 }, () => readable[randomInt(readable.length)]).join('');

/**
 * What is kept of a recovery code. Nobody finds 79 random bits by trying, so a plain hash is enough. It needs no key,
 * so it stays readable whatever happens to SECRET_KEY.
 */
export const hashRecoveryCode = (typed: string): string =>
  createHash('sha256')
    .update(typed.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('base64url');
