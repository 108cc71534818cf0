import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { explainCertificate } from './certificate.ts';
import { connect } from './connect.ts';
import { sql } from './sql.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../../test/fixtures/tls/${name}`, import.meta.url));

/** Does what a Postgres with TLS does before anybody signs in, and then hangs up. */
async function startPostgres(): Promise<number> {
  const [cert, key] = ['receiver.crt', 'receiver.key'].map((name) => readFileSync(fixture(name)));
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () => {
        socket.write('S');
        const secure = new TLSSocket(socket, { isServer: true, cert, key });
        secure.on('error', () => undefined).once('data', () => secure.destroy());
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('a private certificate authority is explained in the error, and accepted once it is named', async () => {
  const port = await startPostgres();
  const failure = async (options: string) => {
    const connection = { connectionString: `postgres://me@localhost:${port}/tenure?${options}` };
    const db = connect({ connection, poolSize: 1, onError: () => undefined });
    onTestFinished(() => db.close());
    return db.query(sql`select 1`).catch((error) => error);
  };
  expect(explainCertificate(await failure('sslmode=verify-full'))).toBe(
    "The database's certificate comes from an authority that this machine does not know (DEPTH_ZERO_SELF_SIGNED_CERT). Name the " +
      'certificate of its authority in DATABASE_URL: …?sslmode=verify-full&sslrootcert=/path/ca.pem.',
  );
  const named = await failure(`sslmode=verify-full&sslrootcert=${fixture('receiver.crt')}`);
  expect(named).toBeInstanceOf(Error);
  expect(explainCertificate(named)).toBeNull();
});
