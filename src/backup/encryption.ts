import { Decrypter, Encrypter } from 'age-encryption';

/*
 * The format of age (https://age-encryption.org), so `age --decrypt` opens a backup without us. Each 64 KiB is
 * authenticated before it is used, and so is the end: a truncated or altered file is noticed. No more than that is held
 * in memory.
 */

const beginning = Buffer.from('age-encryption.org/v1\n');

export class WrongPassphrase extends Error {}
export class DamagedFile extends Error {}

type Chunks = AsyncIterable<Uint8Array>;

export const encrypting = (passphrase: string) =>
  async function* (chunks: Chunks): AsyncGenerator<Uint8Array> {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(passphrase);
    yield* await encrypter.encrypt(ReadableStream.from(chunks));
  };

/** Decrypts encrypted files. Other files pass unchanged, without asking for a passphrase. */
export const decrypting = (passphrase: () => Promise<string>) =>
  async function* (chunks: Chunks): AsyncGenerator<Uint8Array> {
    const source = chunks[Symbol.asyncIterator]();
    const { value: first = Buffer.alloc(0) } = await source.next();
    const whole = async function* () {
      yield first;
      yield* { [Symbol.asyncIterator]: () => source };
    };
    if (beginning.compare(first.subarray(0, beginning.length)) !== 0) return yield* whole();
    const decrypter = new Decrypter();
    decrypter.addPassphrase(await passphrase());
    try {
      yield* await decrypter.decrypt(ReadableStream.from(whole()));
    } catch (error) {
      throw judged(error);
    }
  };

function judged(error: unknown): unknown {
  // Errors of the disk have a code, and those of the library have none.
  if (!(error instanceof Error) || 'code' in error) return error;
  return error.message.includes('no identity matched') ? new WrongPassphrase() : new DamagedFile();
}
