import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { type Person, signUp } from '../support/browser.ts';
import { countLockWaits, isCluster } from '../support/database.ts';
import { type Client, type Service, testService } from '../support/service.ts';

/* Whatever one account asks for, another one gets its connections to the database. */

let service: Service;
let person: Person;
/** A client with a key for that person's account. */
let busy: Client;
let quiet: Client;
/** Makes statements slow, since they wait for what it locks. */
let holder: pg.Client;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  person = await signUp(service);
  const [member] = await service.database.db.query<{ account_id: string }>(sql`
    select m.account_id from members m join users u on u.id = m.user_id where u.email = ${person.email}`);
  busy = await service.client({ accountId: member?.account_id ?? '' });
  quiet = await service.client();
  holder = new pg.Client(service.database.connection);
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await service.close();
});

const slowOnes = () => countLockWaits(service.database.db);

test('an account is served while another has twenty slow requests, in the dashboard and by API, under way', async () => {
  const { body } = await busy.post('/tenants', { first_name: 'Ada', last_name: 'Okafor' });
  const path = `/tenants/${body.data.id}`;
  // By now the account has earned all that quick requests can earn it.
  for (let n = 0; n < 20; n++) expect((await busy.get('/tenants')).status).toBe(200);

  await holder.query('begin; lock table tenants in share mode');
  let answered = 0;
  const slow = Array.from({ length: 20 }, async (_, n) => {
    const { status } = await (n % 2 ? person : busy).patch(path, { notes: `Note ${n}` });
    answered += 1;
    return status;
  });
  try {
    await vi.waitUntil(async () => (await slowOnes()) > 0, { timeout: 10_000 });
    // The quick ones are asked before the slow ones that wait for a connection are refused, after five seconds. On a
    // cluster, fewer are possible in that time.
    for (let n = 0; n < (isCluster() ? 10 : 50); n++) {
      expect((await quiet.get('/tenants')).status).toBe(200);
      expect((await quiet.post('/properties', { name: `House ${n}` })).status).toBe(201);
    }
    expect(await slowOnes()).toBeLessThanOrEqual(8);
    expect(answered).toBe(0);
  } finally {
    await holder.query('rollback');
  }
  for (const status of await Promise.all(slow)) expect(status).toBe(200);
});
