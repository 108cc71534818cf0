import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/* What a person has at hand: an app that shows codes, and a device that keeps passkeys. */

/** The code that an app shows, now or some steps of 30 seconds later (RFC 6238). The secret is in base 32. */
export function appCode(secret: string, stepsLater = 0): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsLater));
  const mac = createHmac('sha1', key).update(counter).digest();
  const at = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

export interface Passkey {
  /** The answer of navigator.credentials.create(), as JSON. */
  create(options: Options, how?: How): Credential;
  /** The answer of navigator.credentials.get(), as JSON. */
  get(options: Options, how?: How): Credential;
  id: string;
  /** In the form of COSE. */
  publicKey: Buffer;
}
interface Options {
  challenge: string;
}
interface How {
  origin?: string;
  /** Whether the device asked for a finger or a PIN. */
  verified?: boolean;
  id?: string;
}
interface Credential {
  id: string;
  rawId: string;
  type: 'public-key';
  response: Record<string, string>;
}

/** A device with one passkey, for pages of this origin. */
export function makePasskey(pageOrigin: string, host = 'localhost'): Passkey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const ownId = randomBytes(32);
  let counter = 0;

  const authenticatorData = (verified: boolean, attested: Buffer) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    const flags = 0x01 | (verified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0);
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.of(flags), count, attested]);
  };
  const clientData = (type: string, { challenge }: Options, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const credential = (id: string, response: Record<string, Buffer>): Credential => ({
    id,
    rawId: id,
    type: 'public-key',
    response: Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]),
    ),
  });

  // EC2, ES256, P-256.
  const coseKey = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);

  return {
    id: ownId.toString('base64url'),
    publicKey: coseKey,
    create(options, { origin = pageOrigin, verified = true } = {}) {
      const idLength = Buffer.of(0, ownId.length);
      const data = authenticatorData(verified, Buffer.concat([Buffer.alloc(16), idLength, ownId, coseKey]));
      // {"fmt": "none", "attStmt": {}, "authData": data} in CBOR.
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.of(data.length),
        data,
      ]);
      return credential(ownId.toString('base64url'), {
        clientDataJSON: clientData('webauthn.create', options, origin),
        attestationObject,
      });
    },
    get(options, { origin = pageOrigin, verified = true, id = ownId.toString('base64url') } = {}) {
      const data = authenticatorData(verified, Buffer.alloc(0));
      const clientDataJSON = clientData('webauthn.get', options, origin);
      const signed = Buffer.concat([data, createHash('sha256').update(clientDataJSON).digest()]);
      const signature = sign('sha256', signed, privateKey);
      return credential(id, { clientDataJSON, authenticatorData: data, signature });
    },
  };
}
