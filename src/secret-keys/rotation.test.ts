import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/support/database.ts';
import { tenure, until } from '../../test/support/process.ts';
import { type Receiver, startReceiver } from '../../test/support/receiver.ts';
import { newKeyIn } from '../../test/support/service.ts';
import { thorough } from '../../test/support/thorough.ts';
import { loadConfig } from '../config.ts';
import { sql } from '../db/sql.ts';
import { sign, signingKey } from '../deliveries/sending/sign.ts';
import { createSecretBox } from '../secrets/secret-box.ts';
import { type Running, start } from '../start.ts';
import * as store from './secret-keys.store.ts';
import { rotateSecretKey } from './secret-keys.ts';

/* SECRET_KEY is rotated while two processes are serving, step by step as docs/operating.md describes. */

// Servers are started one after the other, and commands as processes of their own.

const [oldKey, newOne] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
let database: TestDatabase;
let receiver: Receiver;
const running = new Set<Running>();
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
afterEach(async () => {
  await Promise.all([...running].map((server) => server.stop()));
  running.clear();
  await database.drop();
});

type Keys = [current: string, ...accepted: string[]];
const environment = ([current, ...accepted]: Keys) => ({
  DATABASE_URL: database.url,
  SECRET_KEY: current,
  SECRET_KEYS_ACCEPTED: accepted.join(','),
});

/** A process of the service that can be restarted with other keys. */
async function startProcess(keys: Keys) {
  const open = async (with_: Keys) => {
    const settings = {
      ...environment(with_),
      PORT: '0',
      LOG_LEVEL: 'silent',
      SIGN_UP: 'open',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
      DATABASE_POOL_SIZE: '4',
    };
    const server = await start(loadConfig(settings, '/nonexistent'), 'start');
    running.add(server);
    return server;
  };
  let server = await open(keys);
  const request = async (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    const response = await fetch(`${server.address}${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  };
  return {
    request,
    async restart(with_: Keys) {
      running.delete(server);
      await server.stop();
      server = await open(with_);
    },
  };
}
type Process = Awaited<ReturnType<typeof startProcess>>;

test.runIf(thorough)(
  'SECRET_KEY is rotated under two processes: each reads at every step what the other wrote',
  async () => {
    database = await testDatabase();
    const [a, b] = [await startProcess([oldKey]), await startProcess([oldKey])];
    const key = await newKeyIn(database.db);
    const bearer = { authorization: `Bearer ${key}` };

    /**
     * Subscribes through one process and asks the other one for the same answer. The answer's secret must then sign a
     * delivery.
     */
    const subscribed = async (through: Process, asked: Process, name: string) => {
      const body = { url: receiver.url(`/${name}`), events: ['property.created'] };
      const headers = { ...bearer, 'idempotency-key': name };
      const made = await through.request('POST', '/api/v1/webhooks', headers, body);
      const again = await asked.request('POST', '/api/v1/webhooks', headers, body);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.text).toBe(made.text);
      return { path: `/${name}`, secret: made.body.data.secret as string };
    };
    const delivered = async (through: Process, hooks: { path: string; secret: string }[]) => {
      const before = hooks.map(({ path }) => receiver.received.filter((each) => each.path === path).length);
      await through.request('POST', '/api/v1/properties', bearer, { name: 'Maple Court' });
      for (const [index, { path, secret }] of hooks.entries()) {
        const got = await receiver.count((before[index] ?? 0) + 1, path);
        const body = got.at(-1)?.body ?? '';
        const header = got.at(-1)?.headers['x-service-signature'] ?? '';
        const timestamp = Number(/^t=(\d+)/.exec(header)?.[1]);
        expect(header).toBe(sign({ keys: [signingKey(secret)], timestamp, body }));
      }
    };
    const nextPage = async (process: Process) => {
      const { headers } = await process.request('GET', '/api/v1/events?limit=1', bearer);
      return /<http:\/\/[^/]+([^>]+)>/.exec(headers.get('link') ?? '')?.[1] ?? '';
    };
    const isSignedIn = async (process: Process, cookie: string) =>
      (await process.request('GET', '/internal/v1/session', { cookie })).body.data?.user != null;

    const hooks = [await subscribed(a, b, 'before')];
    const person = { name: 'Ada', email: 'ada@example.com', password: 'correct horse battery' };
    const signUp = await a.request('POST', '/internal/v1/sign-up', {}, person);
    const oldCookie = signUp.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    await delivered(a, hooks);
    await delivered(b, hooks);

    // 1. Every process learns to read the new key, and keeps writing with the old one.
    await a.restart([oldKey, newOne]);
    hooks.push(await subscribed(a, b, 'first'));
    await b.restart([oldKey, newOne]);

    // 2. One after the other, they begin to write with the new key.
    await a.restart([newOne, oldKey]);
    hooks.push(await subscribed(a, b, 'second'), await subscribed(b, a, 'third'));
    await delivered(a, hooks);
    expect((await b.request('GET', await nextPage(a), bearer)).status).toBe(200);
    expect((await a.request('GET', await nextPage(b), bearer)).status).toBe(200);
    const signIn = await a.request('POST', '/internal/v1/sign-in', {}, person);
    const newCookie = signIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    for (const process of [a, b])
      for (const cookie of [oldCookie, newCookie]) expect(await isSignedIn(process, cookie)).toBe(true);
    expect(await isSignedIn(a, `${newCookie.slice(0, -6)}AAAAA%3D`)).toBe(false);
    await b.restart([newOne, oldKey]);
    // A session in use is prolonged once a day, and its cookie is then signed with the new key.
    const [ends] = await database.db.query<{ sooner: string }>(
      sql`select (min(expires_at) - interval '2 days')::text as sooner from sessions`,
    );
    await database.db.query(sql`update sessions set expires_at = ${ends?.sooner}::timestamptz`);
    const prolonged = await b.request('GET', '/internal/v1/session', { cookie: oldCookie });
    const renewedCookie = prolonged.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';

    // 3. Everything stored is encrypted again. A second run finds nothing to do.
    const rotate = () =>
      tenure<{ ok: boolean; renewed: number }>(environment([newOne, oldKey]), 'secrets', 'rotate');
    expect(await rotate()).toMatchObject({ ok: true, renewed: 6 });
    expect(await rotate()).toMatchObject({ ok: true, renewed: 0 });

    // 4. The old key is no longer needed.
    await a.restart([newOne]);
    await b.restart([newOne]);
    await delivered(b, hooks);
    for (const cookie of [newCookie, renewedCookie]) expect(await isSignedIn(b, cookie)).toBe(true);
    expect(await isSignedIn(b, oldCookie)).toBe(false);
    await expect(startProcess([oldKey])).rejects.toThrow(
      'is not the key that this database was encrypted with',
    );
    const doctor = await tenure<{ findings: { name: string; message: string }[] }>(
      environment([newOne]),
      'doctor',
    );
    expect(doctor.findings.find(({ name }) => name === 'secret')?.message).toBe('SECRET_KEY fits the data');
  },
);

test('a process that lacks one of the keys in use does not start', async () => {
  database = await testDatabase();
  await startProcess([oldKey]);
  await expect(startProcess([newOne])).rejects.toThrow(
    'SECRET_KEY (or secret.key in DATA_DIR) is not the key',
  );
  await startProcess([newOne, oldKey]);
  // It is found even if nothing is encrypted yet that would show it.
  const { code, stdout } = await command([newOne, oldKey], 'doctor');
  expect(stdout).toContain('a rotation is not finished: run `tenure secrets rotate`');
  expect(code).toBe(0);
  await expect(startProcess([oldKey])).rejects.toThrow('SECRET_KEY is being rotated');
  await startProcess([oldKey, newOne]);
});

/** An endpoint and an answer that is kept for a day, encrypted with this key, with no record of the key. */
async function encryptedWith(key: string, count = 1): Promise<void> {
  const box = createSecretBox(key);
  for (let n = 0; n < count; n++) {
    await database.db.query(sql`
      with a as (insert into accounts (id, name, slug) values (gen_random_uuid(), 'Test', gen_random_uuid()::text) returning id),
      k as (insert into idempotency_keys (account_id, key, request_hash, status, body, created_at)
        select id, 'k', decode('00', 'hex'), 201, ${box.encrypt('answer')}, now() from a)
      insert into webhook_endpoints (account_id, id, url, events, status, source, secret, created_at, updated_at)
      select id, gen_random_uuid(), 'https://example.com', array['x'], 'active', 'api', ${box.encrypt(`whsec_${n}`)}, now(), now() from a`);
  }
}

test('a wrong key is noticed even in a database from before keys were noted', async () => {
  database = await testDatabase();
  await encryptedWith(oldKey);
  await expect(startProcess([newOne])).rejects.toThrow(
    'is not the key that this database was encrypted with',
  );
  await startProcess([oldKey]);
});

test('an interrupted rotation is finished by the next one, page after page', async () => {
  database = await testDatabase();
  await encryptedWith(oldKey, 30);
  await encryptedWith(newOne, 30);
  const secrets = createSecretBox(newOne, [oldKey]);
  const rotation = await rotateSecretKey(database.db, secrets, { lost: false, now: new Date(), batch: 7 });
  expect(rotation).toEqual({
    renewed: 60,
    unreadableEndpoints: [],
    unreadableAnswers: 0,
    unreadableApps: 0,
    disturbed: false,
  });
  const rows = await database.db.query<{ box: Buffer }>(
    sql`select secret as box from webhook_endpoints union all select body from idempotency_keys`,
  );
  const only = createSecretBox(newOne);
  expect(rows.map(({ box }) => only.decrypt(box)).filter((text) => text === 'answer')).toHaveLength(60);
});

test('a secret that its owner changes during a rotation stays the new one', async () => {
  database = await testDatabase();
  await encryptedWith(oldKey);
  const secrets = createSecretBox(newOne, [oldKey]);
  const [stored] = await store.pageOfBoxes(database.db, 'secret', null, 1);
  if (!stored) throw new Error('There is one.');
  const changed = secrets.encrypt('whsec_changed');
  await database.db.query(sql`update webhook_endpoints set secret = ${changed}`);
  const renewed = secrets.renew(stored.box) ?? stored.box;
  await store.replaceBoxes(database.db, 'secret', [{ ...stored, renewed }]);
  const [now] = await store.pageOfBoxes(database.db, 'secret', null, 1);
  expect(secrets.decrypt(now?.box ?? Buffer.of())).toBe('whsec_changed');
});

/** Runs a command with these keys, however it ends. */
const command = (keys: Keys, ...args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const program = ['--disable-warning=ExperimentalWarning', 'src/cli.ts', ...args, '--json'];
    const env = { PATH: process.env.PATH, ...environment(keys) };
    execFile(process.execPath, program, { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

test('a lost key is reported, keeps the rotation from finishing, and can be given up', async () => {
  database = await testDatabase();
  await encryptedWith(newOne);
  await startProcess([newOne]);
  await encryptedWith(oldKey);
  const doctor = await command([newOne], 'doctor');
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toContain('1 webhook secrets cannot be read with it');
  const unfinished = await command([newOne], 'secrets', 'rotate');
  expect(unfinished.code, unfinished.stderr).toBe(1);
  expect(JSON.parse(unfinished.stdout)).toMatchObject({ ok: false, unreadable_answers: 1 });
  const givenUp = await command([newOne], 'secrets', 'rotate', '--lost');
  expect(givenUp.code, givenUp.stderr).toBe(0);
  expect(JSON.parse(givenUp.stdout)).toEqual({
    ok: true,
    renewed: 0,
    unreadable_webhooks: [expect.stringMatching(/^we_/)],
    unreadable_answers: 1,
    unreadable_authenticator_apps: 0,
  });
  const [left] = await database.db.query<{ count: number }>(
    sql`select count(*)::integer as count from idempotency_keys`,
  );
  expect(left?.count).toBe(1);
});

test('an endpoint whose secret is lost is sent nothing until it has a new one, which then signs alone', async () => {
  database = await testDatabase();
  const server = await startProcess([oldKey]);
  const bearer = { authorization: `Bearer ${await newKeyIn(database.db)}` };
  const post = (path: string, body: object = {}) => server.request('POST', `/api/v1${path}`, bearer, body);
  const { body } = await post('/webhooks', { url: receiver.url('/lost'), events: ['property.created'] });
  expect((await command([newOne], 'secrets', 'rotate')).stderr).toContain(
    'is not the key that this database was encrypted with',
  );
  await command([newOne], 'secrets', 'rotate', '--lost');
  await server.restart([newOne]);
  await post('/properties', { name: 'Never signed, never sent' });
  await until(async () => {
    const { body: now } = await server.request('GET', `/api/v1/webhooks/${body.data.id}`, bearer);
    return now.data.failure_count > 0;
  });
  const again = await post(`/webhooks/${body.data.id}/rotate-secret`);
  await post('/properties', { name: 'Signed' });
  const [sent, ...more] = await receiver.count(1, '/lost');
  expect(more).toEqual([]);
  expect(sent?.body).toContain('"name":"Signed"');
  const header = sent?.headers['x-service-signature'] ?? '';
  const timestamp = Number(/^t=(\d+)/.exec(header)?.[1]);
  expect(header).toBe(
    sign({ keys: [signingKey(again.body.data.secret)], timestamp, body: sent?.body ?? '' }),
  );
});
