import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from './connect.ts';
import { explainConnection } from './connection-problem.ts';
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

async function failureAt(address: string): Promise<unknown> {
  const connection = { connectionString: `postgres://me@${address}` };
  const db = connect({ connection, poolSize: 1, onError: () => undefined });
  onTestFinished(() => db.close());
  return db.query(sql`select 1`).catch((error) => error);
}

test.each(['127.0.0.1:1', 'localhost:1', 'nobody.invalid', 'x?host=/nobody'])(
  'a database that does not answer at %s is explained in the error',
  async (address) => {
    expect(explainConnection(await failureAt(address))).toMatch(
      /^The database cannot be reached \((connect|getaddrinfo) E[A-Z_]+ .+\)\. Is it running, and is its address in DATABASE_URL right\?$/,
    );
  },
);

test('other errors need no explanation of the connection', () => {
  expect(explainConnection(Object.assign(new Error('ENOENT'), { syscall: 'open' }))).toBeNull();
  expect(explainConnection(new AggregateError([new Error('first')]))).toBeNull();
  expect(explainConnection(undefined)).toBeNull();
});

test('a private certificate authority is explained in the error, and accepted once it is named', async () => {
  const port = await startPostgres();
  const failure = (options: string) => failureAt(`localhost:${port}/tenure?${options}`);
  expect(explainConnection(await failure('sslmode=verify-full'))).toBe(
    "The database's certificate comes from an authority that this machine does not know (DEPTH_ZERO_SELF_SIGNED_CERT). Name the " +
      'certificate of its authority in DATABASE_URL: …?sslmode=verify-full&sslrootcert=/path/ca.pem.',
  );
  const named = await failure(`sslmode=verify-full&sslrootcert=${fixture('receiver.crt')}`);
  expect(named).toBeInstanceOf(Error);
  expect(explainConnection(named)).toBeNull();
});
