import pg from 'pg';
import { beforeAll, expect, inject, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { envelope } from '../support/envelope.ts';
import { type Client, type Service, testService } from '../support/service.ts';

// A primary that was replaced becomes one that only reads. Where its connections are not cut, that is how they fail.

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
  return () => service.close();
});

const ada = { first_name: 'Ada', last_name: 'Okafor' };

async function become(mode: 'read-only' | 'writable'): Promise<void> {
  const name = service.database.connection.database;
  const admin = new pg.Client(inject('postgres'));
  await admin.connect();
  await admin.query(
    `alter database ${name} set default_transaction_read_only = ${mode === 'read-only' ? 'on' : 'off'}`,
  );
  await admin.end();
}

/** Opens this many connections of the pool, all of them to the server as it is now. */
async function openConnections(count: number): Promise<void> {
  const { pool } = service.database.db;
  const clients = await Promise.all(Array.from({ length: count }, () => pool.connect()));
  for (const one of clients) one.release(true);
  const again = await Promise.all(Array.from({ length: count }, () => pool.connect()));
  for (const one of again) one.release();
}

test('a write to a read-only server is a 503 to be repeated, and its connections are not used again', async () => {
  await become('read-only');
  await openConnections(10);
  const refused = await client.post('/tenants', ada);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(refused.body).toEqual(envelope(503, 'Service unavailable'));
  const read = await client.get('/tenants');
  expect(read.status).toBe(200);

  await openConnections(10);
  await become('writable');
  // Ten connections to the old server are left. A request meets one of them, and none of the others.
  const answers: number[] = [];
  for (let n = 0; n < 10; n++) answers.push((await client.post('/tenants', ada)).status);
  expect(answers).toEqual([503, ...Array(9).fill(201)]);
});

test('a write with an Idempotency-Key is not even refused', async () => {
  await become('read-only');
  await openConnections(10);
  await become('writable');
  const answer = await client.post('/tenants', ada, { 'idempotency-key': 'failover' });
  expect(answer.status).toBe(201);
});

test('a start that meets a read-only server does not keep its connection', async () => {
  await become('read-only');
  await openConnections(1);
  const { db } = service.database;
  // There is something to apply, so migrating has to write.
  await expect(migrate(db)).rejects.toMatchObject({ code: '25006' });
  await become('writable');
  await expect(migrate(db)).resolves.toEqual([]);
});
