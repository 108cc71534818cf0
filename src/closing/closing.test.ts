import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, type Person, password, signUp, signUpAs, tokenOf } from '../../test/support/browser.ts';
import { tenure, until, withinASecond } from '../../test/support/process.ts';
import { dumpOf, expectError, expectInvalid, make, queueOf } from '../../test/support/records.ts';
import { populate, settings } from '../../test/support/route-driver.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { thorough } from '../../test/support/thorough.ts';
import { KeyRing } from '../api-keys/key-ring.ts';
import { operator } from '../caller.ts';
import { days } from '../clock.ts';
import { findDue } from '../days/days.store.ts';
import type { Database } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import { formatId, parseId } from '../ids.ts';
import { createLog } from '../log.ts';
import { closeAccount, reopenAccount } from './closing.ts';
import { eraseAccount, eraseClosed } from './erase-accounts.ts';

let service: Service;
beforeAll(async () => {
  service = await testService({ ...settings, SIGN_UP: 'open' });
});
afterAll(() => service.close());

const log = createLog('silent');
const now = () => new Date();
const ago = (count: number) => new Date(Date.now() - days(count));
const accountOf = async (person: Pick<Person, 'get'>): Promise<string> =>
  parseId('acct', (await person.get('/session')).body.data.account.id) ?? '';
const nameOf = async (person: Person) => (await person.get('/session')).body.data.account.name;
const close = (accountId: string, at = now()) =>
  closeAccount(service.database.db, { accountId, actor: operator }, at);

test('an owner closes the account by its name and their password; nobody gets in, and others notice nothing', async () => {
  const owner = await signUp(service);
  const accountId = await accountOf(owner);
  const client = await service.client({ accountId });
  const neighbour = await service.client();
  await populate(neighbour);
  const theirs = await dumpOf(service, neighbour.accountId);
  const [manager, second] = [
    await signUpAs(service, owner, 'manager'),
    await signUpAs(service, owner, 'owner'),
  ];
  const link = (await owner.post('/team/invitations', { email: 'late@example.com', role: 'viewer' })).body
    .data.link;
  const webhook = await make.webhook(client);
  await make.tenant(client);
  expect(await queueOf(service, client)).toHaveLength(1);
  const name = await nameOf(owner);

  expectError(await manager.post('/account/close', { name, password }), 403, 'Forbidden');
  expectError(await client.post('/account/close', { name, password }), 404, 'Not found');
  expectInvalid(await owner.post('/account/close', { name: `${name} Ltd`, password }), 'name');
  expectInvalid(await owner.post('/account/close', { name, password: 'something else' }), 'password');
  expectInvalid(await owner.post('/account/close', { name }), 'password');
  expect((await client.get('/account')).status).toBe(200);

  for (const person of [manager, second]) expect((await person.get('/home')).status).toBe(200);
  const answer = await owner.post('/account/close', { name, password });
  expect(answer.status, answer.text).toBe(200);
  // It works at once, although both people had just been recognised.
  for (const person of [owner, manager, second]) expectError(await person.get('/home'), 403, 'Forbidden');
  expect(answer.body.data).toMatchObject({
    signed_in: true,
    account: null,
    accounts: [],
    can_create_accounts: true,
  });
  expectError(await client.get('/tenants'), 401, 'Unauthorized');
  for (const person of [owner, manager, second])
    expectError(await person.post('/tenants', { first_name: 'Ada', last_name: 'Lee' }), 403, 'Forbidden');
  const again = { account_id: formatId('acct', accountId) };
  expectInvalid(await owner.post('/account/switch', again), 'account_id');
  expect((await openBrowser(service).get(`/invitations/${tokenOf(link)}`)).status).toBe(404);

  const { db } = service.database;
  const [endpoint] = await db.query(sql`
    select status from webhook_endpoints where account_id = ${accountId} and id = ${parseId('we', webhook.id)}`);
  expect(endpoint).toEqual({ status: 'disabled' });
  expect(await queueOf(service, client)).toEqual([]);
  expect(await findDue(db, new Date(Date.now() + days(400)), [], 10_000)).not.toContain(accountId);
  const [entry] = await db.query(sql`
    select actor_type from audit_log where account_id = ${accountId} and action = 'account.closed'`);
  expect(entry).toEqual({ actor_type: 'person' });
  expect(await dumpOf(service, neighbour.accountId)).toBe(theirs);
  expect((await neighbour.get('/tenants')).status).toBe(200);
});

test('after closing their only account, an owner can open another even where others cannot; a removed member cannot', async () => {
  const owner = await signUp(service);
  const guest = await signUpAs(service, owner, 'manager');
  const name = await nameOf(owner);
  const { config } = service.app;
  Object.assign(config, { SIGN_UP: 'closed' });
  try {
    expectError(
      await owner.post('/accounts', { name: 'Second' }),
      403,
      'Further accounts cannot be opened here.',
    );
    expect((await owner.post('/account/close', { name, password })).status).toBe(200);
    expectError(
      await guest.post('/accounts', { name: 'Mine' }),
      403,
      'Further accounts cannot be opened here.',
    );
    const opened = await owner.post('/accounts', { name: 'Second' });
    expect(opened.body.data).toMatchObject({
      account: { name: 'Second' },
      role: 'owner',
      can_create_accounts: false,
    });
  } finally {
    Object.assign(config, { SIGN_UP: 'open' });
  }
});

test('a process that knows the key already refuses it within a second', async () => {
  const client = await service.client();
  const elsewhere = new KeyRing(service.database.db);
  expect(await elsewhere.find(client.key, now())).not.toBeNull();
  await close(client.accountId);
  await withinASecond(async () => (await elsewhere.find(client.key, now())) === null);
});

test('the command line closes an account and opens it again, and its missed days are caught up', async () => {
  const environment = { DATABASE_URL: service.database.url, SECRET_KEY: service.secretKey };
  const client = await service.client();
  await make.webhook(client);
  const { db } = service.database;
  await db.query(sql`
    update account_clocks set through_day = current_date - 3 where account_id = ${client.accountId}`);
  const id = formatId('acct', client.accountId);
  expect(await tenure(environment, 'accounts', 'close', '--account', id)).toEqual({
    account_id: id,
    closed: true,
    kept_days: 30,
  });
  await until(async () => (await client.get('/tenants')).status === 401);
  const makeKey = () =>
    tenure(environment, 'keys', 'create', '--account', id, '--name', 'x', '--permission', 'read');
  await expect(makeKey()).rejects.toThrow('is closed; `tenure accounts reopen` opens it again');
  await eraseClosed(db, now(), 30, log);

  expect(await tenure(environment, 'accounts', 'reopen', '--account', id)).toEqual({
    account_id: id,
    closed: false,
  });
  await until(async () => (await client.get('/tenants')).status === 200);
  expect((await client.get('/webhooks')).body.data).toMatchObject([{ status: 'disabled' }]);
  expect(await findDue(db, now(), [], 10_000)).toContain(client.accountId);
  const actions = await db.query(sql`
    select action from audit_log where account_id = ${client.accountId} and action like 'account.%' order by id`);
  expect(actions).toEqual([{ action: 'account.closed' }, { action: 'account.reopened' }]);
  await expect(reopenAccount(db, { accountId: client.accountId, actor: operator })).rejects.toThrow(
    'is not closed',
  );
});

/** Says whether nothing at all is left of an account. */
async function isGone(accountId: string): Promise<boolean> {
  const { db } = service.database;
  const accounts = await db.query(sql`select from accounts where id = ${accountId}`);
  const looking = await db.query(sql`select from sessions where active_account_id = ${accountId}`);
  const left = (await dumpOf(service, accountId)).split('\n').filter((line) => !line.endsWith(': []'));
  return accounts.length + looking.length + left.length === 0;
}

test('a closed account is kept for the configured time, and then erased with everything in it', async () => {
  const owner = await signUp(service);
  await populate(owner);
  const accountId = await accountOf(owner);
  const neighbour = await service.client();
  await populate(neighbour);
  const { db } = service.database;
  // More rows than one batch deletes.
  await db.query(sql`
    insert into tenants (account_id, id, first_name, last_name, created_at, updated_at)
    select ${accountId}, gen_random_uuid(), 'Tenant', n::text, now(), now() from generate_series(1, 1200) n`);
  const theirs = await dumpOf(service, neighbour.accountId);
  await close(accountId, ago(29));
  const before = await dumpOf(service, accountId);
  await eraseClosed(db, now(), 30, log);
  expect(await dumpOf(service, accountId)).toBe(before);
  await eraseClosed(db, new Date(Date.now() + days(2)), 30, log);
  expect(await isGone(accountId)).toBe(false);
  // Neither this machine's clock nor that of the database decides alone.
  await db.query(sql`update accounts set closed_at = ${ago(31)} where id = ${accountId}`);
  await eraseClosed(db, now(), 30, log);
  expect(await isGone(accountId)).toBe(true);
  expect(await dumpOf(service, neighbour.accountId)).toBe(theirs);
  // The person still exists.
  const back = openBrowser(service);
  const { status, body } = await back.post('/sign-in', { email: owner.email, password });
  expect([status, body.data.account]).toEqual([200, null]);
  expect((await back.post('/accounts', { name: 'Anew' })).status).toBe(201);
});

/** Behaves like a process that is killed in the middle of its nth batch: what it has not committed is undone. */
function killedInBatch(db: Database, nth: number): Database {
  let batches = 0;
  return {
    ...db,
    transaction: (work, who) =>
      db.transaction(async (tx) => {
        const result = await work(tx);
        if (++batches === nth) throw new Error('killed');
        return result;
      }, who),
  };
}

test.runIf(thorough)(
  'whenever the process is killed, the next one continues, and a half-erased account is never opened',
  async () => {
    const { db } = service.database;
    const client: Client = await service.client();
    await populate(client);
    const neighbour = await service.client();
    await populate(neighbour);
    const theirs = await dumpOf(service, neighbour.accountId);
    const { accountId } = client;
    await close(accountId, ago(1));
    // A key is remembered for less than a second.
    await until(async () => (await client.get('/tenants')).status === 401);
    let kills = 0;
    // Each run gets one batch further, so that every step is the one that is cut short.
    for (let nth = 1; !(await isGone(accountId)); nth++) {
      const erased = await eraseAccount(killedInBatch(db, nth), accountId, now()).catch((error: Error) => {
        expect(error.message).toBe('killed');
        return 'killed';
      });
      if (erased !== 'killed') break;
      kills++;
      await expect(reopenAccount(db, { accountId, actor: operator })).rejects.toThrow('being erased');
      expectError(await client.get('/tenants'), 401, 'Unauthorized');
    }
    expect(await dumpOf(service, neighbour.accountId)).toBe(theirs);
    expect(kills).toBeGreaterThan(20);
    expect(await isGone(accountId)).toBe(true);
  },
);

test("two workers can erase the same account without getting in each other's way", async () => {
  const { db } = service.database;
  const client = await service.client();
  await populate(client);
  await close(client.accountId, ago(1));
  await Promise.all([eraseClosed(db, now(), 0, log), eraseClosed(db, now(), 0, log)]);
  await eraseClosed(db, now(), 0, log);
  expect(await isGone(client.accountId)).toBe(true);
});
