import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countLockWaits } from '../../test/support/database.ts';
import { tenure, until } from '../../test/support/process.ts';
import { dumpOf, expectError, make } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { thorough } from '../../test/support/thorough.ts';
import { operator } from '../caller.ts';
import { days } from '../clock.ts';
import { closeAccount, reopenAccount } from '../closing/closing.ts';
import { eraseClosed } from '../closing/erase-accounts.ts';
import { sql } from '../db/sql.ts';
import { formatId } from '../ids.ts';
import { emptyUnused } from './empty-unused.ts';
import { resetTestAccount } from './reset.ts';
import { testAccountOf } from './test-accounts.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

async function both(): Promise<{ live: Client; trial: Client }> {
  const live = await service.client();
  return { live, trial: await service.trialOf(live) };
}

const ago = (count: number) => new Date(Date.now() - days(count));
const lastUsed = (accountId: string, at: Date) =>
  service.database.db.query(sql`update accounts set test_used_at = ${at} where id = ${accountId}`);
async function usedAt(accountId: string): Promise<Date> {
  const [row] = await service.database.db.query<{ at: Date }>(
    sql`select test_used_at as at from accounts where id = ${accountId}`,
  );
  return row?.at ?? new Date(0);
}
const propertiesOf = async (client: Client) => (await client.get('/properties')).body.count;

/** Makes the test account look as if it was closed long ago, and erases it. */
async function erase(accountId: string): Promise<void> {
  const { db } = service.database;
  await db.query(sql`update accounts set closed_at = now() - interval '1 hour' where id = ${accountId}`);
  await eraseClosed(db, new Date(), 30, service.app.log);
}

async function isGone(accountId: string): Promise<boolean> {
  const accounts = await service.database.db.query(sql`select from accounts where id = ${accountId}`);
  const left = (await dumpOf(service, accountId)).split('\n').filter((line) => !line.endsWith(': []'));
  return accounts.length + left.length === 0;
}

test('what nobody has used for 90 days is emptied, once; what somebody used, and real records, stay', async () => {
  const [unused, used] = [await both(), await both()];
  for (const { live, trial } of [unused, used])
    for (const client of [live, trial]) await make.property(client);
  await lastUsed(unused.trial.accountId, ago(91));
  await lastUsed(used.trial.accountId, ago(89));
  const real = await dumpOf(service, unused.live.accountId);
  const { db } = service.database;
  // Two workers may look at the same time.
  const emptied = await Promise.all([emptyUnused(db, new Date(), 90), emptyUnused(db, new Date(), 90)]);
  expect(await emptyUnused(db, new Date(), 90)).toEqual([]);
  expect(emptied.flat()).toEqual([unused.trial.accountId]);
  expect(await propertiesOf(used.trial)).toBe(1);
  // The key still works, now in the new account.
  expect(await propertiesOf(unused.trial)).toBe(0);
  expect(await dumpOf(service, unused.live.accountId)).toBe(real);
  await erase(unused.trial.accountId);
  expect(await isGone(unused.trial.accountId)).toBe(true);
  expect(await propertiesOf(unused.trial)).toBe(0);
});

test('using it postpones that', async () => {
  const { trial } = await both();
  await make.property(trial);
  await lastUsed(trial.accountId, ago(89));
  await trial.get('/properties');
  expect(await emptyUnused(service.database.db, new Date(Date.now() + days(2)), 90)).toEqual([]);
  expect((await usedAt(trial.accountId)).getTime()).toBeGreaterThan(ago(1).getTime());
});

test('using it while it is being emptied keeps it', async () => {
  const { trial } = await both();
  await make.property(trial);
  await lastUsed(trial.accountId, ago(91));
  const { db } = service.database;
  const emptying = await db.transaction(async (tx) => {
    await tx.query(sql`select from account_clocks where account_id = ${trial.accountId} for update`);
    const result = emptyUnused(service.app.db, new Date(), 90);
    await until(async () => (await countWaiting()) === 1);
    expect(await propertiesOf(trial)).toBe(1);
    return { result };
  });
  expect(await emptying.result).toEqual([]);
  expect(await propertiesOf(trial)).toBe(1);
});

const countWaiting = () => countLockWaits(service.database.db);

test('closing the account closes its test mode for good; opened again, it begins anew', async () => {
  const { live, trial } = await both();
  for (const client of [live, trial]) await make.property(client);
  const { db } = service.database;
  const doer = { accountId: live.accountId, actor: operator };
  await closeAccount(db, doer, new Date());
  service.app.keys.lookAgain(live.accountId);
  expectError(await live.get('/properties'), 401, 'Unauthorized');
  expectError(await trial.get('/properties'), 401, 'Unauthorized');
  expectError(await trial.post('/properties', { name: 'Late' }), 401, 'Unauthorized');
  await erase(trial.accountId);
  expect(await isGone(trial.accountId)).toBe(true);
  await reopenAccount(db, doer);
  const { accountId } = await testAccountOf(db, live.accountId, new Date());
  expect(accountId).not.toBe(trial.accountId);
  expect(await propertiesOf(await service.client({ accountId }))).toBe(0);
  service.app.keys.lookAgain(live.accountId);
  expect(await propertiesOf(live)).toBe(1);
});

test('after a reset in another process, nothing is written into what was thrown away', async () => {
  const { trial } = await both();
  await make.property(trial);
  const caller = {
    ...(await testAccountOf(service.app.db, (await liveOf(trial.accountId)) ?? '', new Date())),
    permission: 'write',
    source: 'api',
    actor: operator,
  } as const;
  // This process knows the key and does not learn of the reset.
  const { account } = await resetTestAccount(service.database.db, caller, { now: new Date(), demo: false });
  const { id } = await make.property(trial);
  expect((await trial.get('/properties')).body.data.map((each: { id: string }) => each.id)).toEqual([id]);
  expect((await trial.get('/account')).body.data.id).toBe(formatId('acct', account.accountId));
});

test('a request that was let in before a reset and writes after it has to be sent again', async () => {
  const { trial } = await both();
  const made = await make.property(trial);
  await lastUsed(trial.accountId, ago(2));
  const body = JSON.stringify({ name: 'Late' });
  const sent = httpRequest(`${service.url}/api/v1/properties`, {
    method: 'POST',
    headers: { authorization: `Bearer ${trial.key}`, 'content-length': body.length },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.flushHeaders();
  await until(async () => (await usedAt(trial.accountId)) > ago(1));
  expect((await trial.post('/test/reset', {})).status).toBe(200);
  sent.end(body);
  const [answer] = await answered;
  expect(answer.statusCode).toBe(409);
  expect(await json(answer)).toMatchObject({ error: { type: 'test_mode_reset' } });
  const written = await service.database.db.query<{ id: string }>(
    sql`select id from properties where account_id = ${trial.accountId}`,
  );
  expect(written.map(({ id }) => formatId('prop', id))).toEqual([made.id]);
  await make.property(trial);
  expect(await propertiesOf(trial)).toBe(1);
});

test('a reset waits for what is being written, and then nothing of it is left', async () => {
  const { trial } = await both();
  const { id } = await make.property(trial);
  const { db } = service.database;
  const { patched, reset } = await db.transaction(async (tx) => {
    await tx.query(sql`select from properties where account_id = ${trial.accountId} for update`);
    const patched = trial.patch(`/properties/${id}`, { name: 'Elm' });
    await until(async () => (await countWaiting()) === 1);
    const reset = trial.post('/test/reset', {});
    await until(async () => (await countWaiting()) === 2);
    return { patched, reset };
  });
  expect([(await patched).status, (await reset).status]).toEqual([200, 200]);
  expect(await propertiesOf(trial)).toBe(0);
});

async function liveOf(accountId: string): Promise<string | undefined> {
  const [row] = await service.database.db.query<{ id: string }>(
    sql`select test_of as id from accounts where id = ${accountId}`,
  );
  return row?.id;
}

test.runIf(thorough)('the command line makes test keys, moves the clock and resets', async () => {
  const live = await service.client();
  const account = formatId('acct', live.accountId);
  const run = <Result>(...args: string[]) =>
    tenure<Result>(
      { DATABASE_URL: service.database.url, SECRET_KEY: service.secretKey },
      ...[...args.slice(0, 2), '--account', account, ...args.slice(2)],
    );
  const { key } = await run<{ key: string }>(
    'keys',
    'create',
    '--name',
    'CI',
    '--permission',
    'write',
    '--test',
  );
  expect(key).toMatch(/^svc_test_/);
  expect(await run('keys', 'list', '--test')).toMatchObject({ count: 1 });
  const ask = async (path: string) => (await service.request('GET', path, { key })).body;
  const made = await service.request('POST', '/properties', { key, body: { name: 'Tried' } });
  expect(made.status, made.text).toBe(201);

  const to = `${new Date(Date.now() + days(40)).toISOString().slice(0, 10)}T12:00:00Z`;
  expect(await run('test', 'advance', '--to', to)).toMatchObject({ today: to.slice(0, 10), told: {} });
  expect((await ask('/test/clock')).data.today).toBe(to.slice(0, 10));
  await expect(run('test', 'advance', '--to', to)).rejects.toThrow(/Must be later than the test clock/);
  await expect(run('test', 'advance', '--to', 'tomorrow')).rejects.toThrow('--to: ');
  const far = new Date(Date.now() + days(800)).toISOString();
  await expect(run('test', 'advance', '--to', far)).rejects.toThrow(/at most 2 years ahead/);

  expect(await run('test', 'reset')).toEqual({ reset: true, made: {} });
  expect((await ask('/properties')).count).toBe(0);
  expect(Date.parse((await ask('/test/clock')).data.now)).toBeLessThanOrEqual(Date.now());
  expect(await propertiesOf(live)).toBe(0);
});
