import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** What SECRET_KEY is used for. Each use has a key of its own, derived from it. */
export interface SecretBox {
  encrypt(plaintext: string): Buffer;
  /** Throws when the text was made with another key or was changed. */
  decrypt(box: Buffer): string;
  /** A short authentication tag, for things handed out and taken back (cursors). */
  tag(text: string, length: number): Buffer;
  tagMatches(text: string, tag: Buffer): boolean;
  /** The secret that better-auth signs sessions with. */
  sessionSecret: string;
}

const version = 1;
const ivLength = 12;
const authTagLength = 16;

export function createSecretBox(secretKey: string): SecretBox {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', secretKey, '', `tenure ${use}`, 32));
  const encryptionKey = derive('webhook secrets');
  const tagKey = derive('tags');

  const tag = (text: string, length: number) =>
    createHmac('sha256', tagKey).update(text).digest().subarray(0, length);

  return {
    encrypt(plaintext) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv);
      const encrypted = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), iv, cipher.getAuthTag(), encrypted]);
    },
    decrypt(box) {
      if (box[0] !== version) throw new Error('This secret was encrypted by an unknown version of Tenure.');
      const iv = box.subarray(1, 1 + ivLength);
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, iv);
      decipher.setAuthTag(box.subarray(1 + ivLength, 1 + ivLength + authTagLength));
      const encrypted = box.subarray(1 + ivLength + authTagLength);
      return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8');
    },
    tag,
    tagMatches: (text, given) => timingSafeEqual(tag(text, given.length), given),
    sessionSecret: derive('sessions').toString('hex'),
  };
}
