import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { isLong } from '../abuse/fuzz/settings.ts';
import { appCode } from '../support/authenticator.ts';
import { openBrowser } from '../support/browser.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { type Issuer, startIssuer, visitIssuer } from '../support/issuer.ts';
import { preparedFolder } from '../support/prepared-folder.ts';
import {
  dataFolder,
  type Environment,
  freePort,
  ready,
  removeFolder,
  type ServerProcess,
  spawnServer,
  until,
} from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Answer } from '../support/service.ts';

/*
 * Real servers that log as much as they can, and commands beside them, do everything that handles a secret. Nothing
 * that was printed, logged by Postgres or reported to Prometheus may contain a secret that was made on the way. A
 * command that is there to show a secret shows that one and no other.
 */

let environment: Environment;
let folder: string;
let server: ServerProcess;
let receiver: Receiver;
let issuer: Issuer;
beforeAll(async () => {
  ({ folder } = await preparedFolder());
  receiver = await startReceiver(({ path }, response) => {
    response.writeHead(path.includes('failing') ? 500 : 200).end('thanks');
  });
  issuer = await startIssuer();
  const port = String(await freePort());
  environment = {
    PORT: port,
    METRICS_PORT: String(await freePort()),
    DATA_DIR: folder,
    SECRET_KEY: newKey(),
    SECRET_KEYS_ACCEPTED: [newKey(), newKey()].join(', '),
    SIGN_UP: 'open',
    ...issuer.settings,
    OIDC_CLIENT_SECRET: newKey(),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    LOG_LEVEL: 'trace',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_TARGETS: new URL(receiver.url()).host,
    WEBHOOK_RETRY_DELAYS_MS: '10,10,10,10',
  };
  server = spawnServer(environment);
  await ready(server);
});
afterAll(async () => {
  server.kill('SIGKILL');
  await receiver.close();
  await issuer.close();
  await removeFolder(folder);
});

/** Every secret of the run. */
const secrets = new Set<string>();
function secret<Text extends string>(text: Text): Text {
  expect(text.length).toBeGreaterThanOrEqual(10);
  secrets.add(text);
  return text;
}
const newKey = () => secret(randomBytes(32).toString('hex'));
const password = (name: string) => secret(`${name}-${randomBytes(9).toString('base64url')}-ü"\\`);

async function request(
  method: string,
  path: string,
  {
    key,
    body,
    raw,
    headers = {},
  }: { key?: string; body?: unknown; raw?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(path.startsWith('http') ? path : `${server.url}/api/v1${path}`, {
    method,
    headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
    body: (raw as string | undefined) ?? (body === undefined ? null : JSON.stringify(body)),
  });
  for (const cookie of response.headers.getSetCookie()) {
    const value = /=([^;]*)/.exec(cookie)?.[1] ?? '';
    if (value) secret(value);
  }
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text ? JSON.parse(text) : undefined,
  };
}
const browser = () => openBrowser({ url: server.url, request });

const backup = () => join(folder, 'all.backup');
const passphrase = password('backup');

/** What was printed, with the secrets that it was meant to show. */
interface Printed {
  text: string;
  shows: string[];
}
const printed: Printed[] = [];
const keep = (...texts: string[]) => printed.push(...texts.map((text) => ({ text, shows: [] })));

/** Runs a command as a process. Everything that it prints is searched at the end. */
async function run(
  args: string[],
  { env = environment, input = '' }: { env?: Environment; input?: string } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/cli.ts', ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
  });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    once(child, 'close'),
  ]);
  keep(stderr);
  return { code, stdout, stderr };
}

/** How often each command has been run so far. */
const times = new Map<string, number>();

/**
 * Runs a command that shows no secret, for a person and for a program, and expects both to end as they should. In `npm
 * test` a command takes turns between the two.
 */
async function tenure(args: string[], { env = environment, code = 0 } = {}): Promise<void> {
  const forms = [args, [...args, '--json']];
  const [name = ''] = args;
  const time = times.get(name) ?? 0;
  times.set(name, time + 1);
  for (const form of forms.filter((_, n) => isLong || n === time % 2)) {
    const done = await run(form, { env });
    expect(done.code, `${form.join(' ')}: ${done.stderr}`).toBe(code);
    keep(done.stdout);
  }
}

/** Runs a command that is there to show one secret, once. */
async function shown(
  field: string,
  args: string[],
  given: { env?: Environment; input?: string } = {},
): Promise<string> {
  const { code, stdout, stderr } = await run([...args, '--json'], given);
  expect(code, stderr).toBe(0);
  const value = secret(JSON.parse(stdout)[field]);
  printed.push({ text: stdout, shows: [value] });
  return value;
}

/** All forms that a secret can have in a line of text. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const inside = (encoded: string) => encoded.replace(/=+$/, '').slice(0, -2);
  return [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    decodeURIComponent(text),
    inside(bytes.toString('base64')),
    inside(bytes.toString('base64url')),
    bytes.toString('hex'),
    // The part of a key, or of a webhook's secret, after its prefix.
    ...(/^(svc_live_|whsec_)/.test(text) ? [text.replace(/^[a-z]+_(live_)?/, '')] : []),
  ];
}

async function handleSecrets(): Promise<void> {
  const email = 'ada@example.com';
  const first = password('first');

  // People.
  const owner = browser();
  expect((await owner.post('/sign-up', { name: 'Ada', email, password: first })).status).toBe(201);
  expect((await browser().post('/sign-in', { email, password: password('wrong') })).status).toBe(401);
  const misplaced = { email: password('as-the-address'), password: password('with-it') };
  expect((await browser().post('/sign-in', misplaced)).status).toBe(400);
  expect((await browser().post('/sign-in', { email, password: first })).status).toBe(200);
  const torn = `{"email":"${email}","password":"${password('torn').slice(0, -3)}`;
  expect((await request('POST', `${server.url}/internal/v1/sign-in`, { raw: torn })).status).toBe(400);
  const changed = { current_password: first, new_password: password('second') };
  expect((await owner.post('/password', changed)).status).toBe(200);
  const setUp = await owner.post('/two-factor/set-up', { password: changed.new_password });
  const appSecret = secret(setUp.body.data.secret);
  const codes = await owner.post('/two-factor/enable', { code: appCode(appSecret) });
  const recoveryCodes: string[] = codes.body.data.recovery_codes.map(secret);
  const half = browser();
  expect((await half.post('/sign-in', { email, password: changed.new_password })).status).toBe(200);
  expect((await half.post('/sign-in/code', { code: 'abcd-efgh-jkmn-pqrs' })).status).toBe(400);
  const recovered = { code: recoveryCodes[0], trust_device: true };
  expect((await half.post('/sign-in/code', recovered)).status).toBe(200);
  const { link } = (await owner.post('/team/invitations', { email: 'guest@example.com', role: 'viewer' }))
    .body.data;
  const invitation = secret(String(link).split('/').at(-1) ?? '');
  const guest = browser();
  expect((await guest.get(`/invitations/${invitation}`)).status).toBe(200);
  const joining = { name: 'Guest', email: 'guest@example.com', password: password('guest'), invitation };
  expect((await guest.post('/sign-up', joining)).status).toBe(201);
  expect((await guest.post('/sign-out')).status).toBe(200);

  // The issuer, which gets the client's secret: first it vouches for somebody, then it refuses.
  for (const [status, claims] of [
    [200, { sub: 'grace', email: 'grace@example.com', email_verified: true, name: 'Grace' }],
    [403, { sub: 'nobody' }],
  ] as const) {
    const visitor = browser();
    const begun = await visitor.post('/sign-in/openid', {});
    const returned = await visitIssuer(begun.body.data.url, claims);
    secret(returned.code ?? '');
    expect((await visitor.post('/sign-in/openid/finish', returned)).status).toBe(status);
  }

  // Keys, where they belong and where they do not.
  const key = secret((await owner.post('/api-keys', { name: 'first', permission: 'write' })).body.data.key);
  const wrongKey = secret(`svc_live_${randomBytes(33).toString('base64url').slice(0, 43)}`);
  expect((await request('GET', '/tenants', { key: wrongKey })).status).toBe(401);
  expect((await request('GET', `/tenants?api_key=${key}`)).status).toBe(401);
  expect((await request('GET', `/tenants/${key}`, { key })).status).toBe(404);
  expect((await request('GET', `/${key}`, { key })).status).toBe(404);
  expect((await fetch(`${server.url}/${key}`)).status).toBeLessThan(600);
  await request('GET', '/tenants', {
    headers: { authorization: `Basic ${key}`, 'x-api-key': key, cookie: `k=${key}` },
  });

  // Webhooks: secrets, signatures, addresses that contain a token, deliveries that succeed and that fail.
  const token = secret(randomBytes(16).toString('hex'));
  const subscribe = async (path: string) => {
    const body = { url: `${receiver.url(path)}?token=${token}`, events: ['tenant.created'] };
    const headers = { 'idempotency-key': `subscribe-${path}` };
    const answer = await request('POST', '/webhooks', { key, body, headers });
    expect(answer.status, answer.text).toBe(201);
    secret(answer.body.data.secret);
    expect((await request('POST', '/webhooks', { key, body, headers })).text).toBe(answer.text);
    return answer.body.data.id as string;
  };
  const webhook = await subscribe(`/${token}`);
  await subscribe(`/failing/${token}`);
  const rotated = await request('POST', `/webhooks/${webhook}/rotate-secret`, { key });
  secret(rotated.body.data.secret);
  const unsafe = { url: `https://user:${token}@127.0.0.1/${token}`, events: ['tenant.created'] };
  expect((await request('POST', '/webhooks', { key, body: unsafe })).status).toBe(400);
  expect((await request('POST', '/tenants', { key, body: { first_name: 'A', last_name: 'B' } })).status).toBe(
    201,
  );
  expect((await request('POST', `/webhooks/${webhook}/test`, { key })).status).toBe(201);
  for (const { headers } of await receiver.count(7)) {
    for (const [, signature] of (headers['x-service-signature'] ?? '').matchAll(/v1=([0-9a-f]{64})/g))
      secret(signature ?? '');
  }

  // Assistants and imports.
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'create_webhook', arguments: unsafe },
  };
  expect((await request('POST', `${server.url}/mcp`, { key, body: call })).status).toBe(200);
  const wrongCall = { ...call, params: { name: key, arguments: { key } } };
  await request('POST', `${server.url}/mcp`, { key, body: wrongCall });
  const form = new FormData();
  form.set('tenants', new File(['first_name,last_name\nAda,Lee\n'], `${token}.csv`));
  form.set('options', '{}');
  const cookie = owner.cookies();
  const imported = await request('POST', `${server.url}/internal/v1/imports/apply`, {
    raw: form,
    headers: { cookie, origin: server.url },
  });
  expect(imported.status, imported.text).toBe(200);

  // The command line, while the server runs.
  const bob = ['--email', 'bob@example.com'];
  const input = `${password('cli')}\n`;
  // A person who gives a password already knows it.
  const given = ['--password-stdin', '--json'];
  keep((await run(['accounts', 'create', ...bob, '--name', 'Bob', ...given], { input })).stdout);
  const forKey = ['--account', email, '--name', 'cli', '--permission', 'read'];
  const cliKey = await shown('key', ['keys', 'create', ...forKey]);
  await shown('password', ['users', 'reset-password', ...bob]);
  const asked = `${password('asked')}\n`;
  await tenure(['keys', 'list', '--account', email]);
  keep((await run(['users', 'reset-password', ...bob, ...given], { input: asked })).stdout);
  await tenure(['users', 'reset-second-factor', '--email', email]);
  await tenure(['doctor']);
  await tenure(['secrets', 'rotate']);
  await tenure(['secrets', 'rotate', '--now'], { code: 1 });
  const backedUp = await run(['backup', backup()], {
    env: { ...environment, BACKUP_PASSPHRASE: passphrase },
  });
  expect(backedUp.code, backedUp.stderr).toBe(0);
  keep(backedUp.stdout);
  const keyAsAddress = await run(['mcp'], { env: { TENURE_URL: cliKey, TENURE_API_KEY: wrongKey } });
  expect(keyAsAddress.code).toBe(1);
  keep(keyAsAddress.stdout);
  for (const each of [cliKey, wrongKey]) await askTools({ TENURE_URL: server.url, TENURE_API_KEY: each });

  // A fault in the middle of all this: the database dies.
  const pidFile = join(folder, 'postgres/cluster/postmaster.pid');
  process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL');
  const [, , , second] = await Promise.all([
    browser().post('/sign-in', { email, password: changed.new_password }),
    browser().post('/sign-up', { name: 'Eve', email: 'eve@example.com', password: password('eve') }),
    owner.post('/password', { current_password: changed.new_password, new_password: password('third') }),
    owner.post('/api-keys', { name: 'second', permission: 'write' }),
    request('GET', '/tenants', { key: wrongKey }),
    request('POST', '/webhooks', {
      key,
      body: { url: receiver.url(`/${token}`), events: ['tenant.created'] },
    }),
  ]);
  // The database may have been back in time to answer this.
  if (second.body.data?.key) secret(second.body.data.key);
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 200);

  const metrics = await fetch(`http://127.0.0.1:${environment.METRICS_PORT}/metrics`);
  keep(await metrics.text(), readFileSync(join(folder, 'postgres/postgres.log'), 'utf8'));
}

/** Runs `tenure mcp` as an assistant would. */
async function askTools(env: Environment): Promise<void> {
  const message = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const input = [
    message(1, 'initialize', client),
    message(2, 'tools/list', {}),
    message(3, 'tools/call', { name: 'list_tenants', arguments: {} }),
    'no JSON\n',
  ].join('');
  const { code, stdout, stderr } = await run(['mcp'], { env, input });
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('"id":3');
  keep(stdout);
}

/** Output that was searched is not kept for the next time, which has its own secrets. */
function expectNothingTold(): void {
  const looked = printed.splice(0);
  expect(looked.length).toBeGreaterThan(0);
  const found = [...secrets].flatMap((each) =>
    formsOf(each).filter((form) =>
      looked.some(({ text, shows }) => !shows.includes(each) && text.includes(form)),
    ),
  );
  expect(found).toEqual([]);
}

test('no secret is printed, logged or counted', async () => {
  await handleSecrets();
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  const output = server.output();
  // All of it went through this log, so the log is not clean because it is empty.
  expect(output.match(/"msg":"request"/g)?.length).toBeGreaterThan(30);
  expect(output).toContain('"level":50');
  expect(output).toContain('attempt');
  keep(output);

  // Everything is restored elsewhere: without the key, with a wrong passphrase, and with both.
  const other = await dataFolder();
  const elsewhere: Environment = { ...environment, DATA_DIR: other, BACKUP_PASSPHRASE: passphrase };
  try {
    const { SECRET_KEY, SECRET_KEYS_ACCEPTED, ...keyless } = elsewhere;
    expect((await run(['restore', backup()], { env: keyless })).stderr).toContain(
      'Set SECRET_KEY to that key',
    );
    const mistaken = { ...elsewhere, BACKUP_PASSPHRASE: password('another') };
    expect((await run(['restore', backup()], { env: mistaken })).stderr).toContain(
      'The passphrase does not open',
    );
    const restored = await run(['restore', backup()], { env: elsewhere });
    expect(restored.code, restored.stderr).toBe(0);
    keep(restored.stdout);
  } finally {
    await removeFolder(other);
  }

  expect(secrets.size).toBeGreaterThan(25);
  expectNothingTold();
});

test('nor is the key that is kept beside the data', async () => {
  const [{ folder: first }, second] = [await preparedFolder(), await dataFolder()];
  try {
    const { SECRET_KEY, SECRET_KEYS_ACCEPTED, ...others } = environment;
    const env = { ...others, DATA_DIR: first };
    const keyOf = (at: string) => readFileSync(join(at, 'secret.key'), 'utf8').split('\n')[0] ?? '';
    const alone = spawnServer(env);
    await ready(alone);
    const made = secret(keyOf(first));
    expect(made.length).toBe(64);
    await tenure(['doctor'], { env });
    await shown('password', ['accounts', 'create', '--email', 'ada@example.com', '--name', 'Ada'], { env });
    const file = join(first, 'all.backup');
    expect((await run(['backup', file, '--with-secrets'], { env })).code).toBe(0);
    alone.kill('SIGTERM');
    expect(await alone.ended).toBe(0);
    keep(alone.output());

    // The key is rotated twice, and each time there is a new one.
    for (const how of [[], ['--now']]) {
      const before = keyOf(first);
      const done = await run(['secrets', 'rotate', ...how, '--json'], { env });
      expect(done.code, done.stderr).toBe(0);
      keep(done.stdout);
      expect(secret(keyOf(first))).not.toBe(before);
    }
    const elsewhere = { ...env, DATA_DIR: second };
    const restored = await run(['restore', file], { env: elsewhere });
    expect(restored.code, restored.stderr).toBe(0);
    keep(restored.stdout);
    expect(keyOf(second)).toBe(made);
    await tenure(['doctor'], { env: elsewhere });
    // Restoring into a database that is not empty, with another key, from a file that is not a backup, and with half a
    // key.
    await tenure(['restore', file], { env: elsewhere, code: 1 });
    await tenure(['restore', file], { env: { ...elsewhere, SECRET_KEY: newKey() }, code: 1 });
    await tenure(['restore', join(second, 'secret.key')], { env: elsewhere, code: 1 });
    const half = secret(made.slice(0, 20));
    writeFileSync(join(second, 'secret.key'), `${half}\n`);
    await tenure(['doctor'], { env: elsewhere, code: 1 });
    await tenure(['secrets', 'rotate'], { env: elsewhere, code: 1 });
    const broken = spawnServer(elsewhere);
    expect(await broken.ended).toBe(1);
    keep(broken.output());
  } finally {
    await removeFolder(first);
    await removeFolder(second);
  }
  expectNothingTold();
});

describe('nor is the password in DATABASE_URL', () => {
  let refusing: Server;
  let database: TestDatabase;
  let rounds = 0;
  beforeAll(async () => {
    refusing = createServer(refusePassword).listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    database = await testDatabase();
  });
  afterAll(async () => {
    refusing.close();
    await database.drop();
  });
  const portOf = (listener: Server) => (listener.address() as AddressInfo).port;
  const given = () => encodeURIComponent(password('database'));
  const settings = async (DATABASE_URL: string): Promise<Environment> => ({
    ...environment,
    PORT: String(await freePort()),
    METRICS_PORT: '',
    SECRET_KEY: newKey(),
    SECRET_KEYS_ACCEPTED: newKey(),
    DATABASE_URL,
  });

  test('while it is right', async () => {
    const env = await settings(database.url.replace('@/', `:${given()}@/`));
    const alone = spawnServer(env);
    await ready(alone);
    await tenure(['doctor'], { env });
    await tenure(['migrate'], { env });
    await tenure(['secrets', 'rotate'], { env });
    expect((await run(['backup', join(folder, 'other.backup')], { env })).code).toBe(0);
    // Every connection that it has is cut.
    await database.db.query(
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`,
    );
    await until(async () => (await fetch(`${alone.url}/readyz`)).status === 200);
    alone.kill('SIGTERM');
    expect(await alone.ended).toBe(0);
    keep(alone.output());
    expectNothingTold();
  });

  test.each<[string, () => string | Promise<string>]>([
    ['wrong', () => `postgres://ada:${given()}@127.0.0.1:${portOf(refusing)}/tenure`],
    [
      'for a server that is not there',
      async () => `postgres://ada:${given()}@127.0.0.1:${await freePort()}/x`,
    ],
    ['for a host that is not there', () => `postgres://ada:${given()}@nowhere.invalid/tenure`],
    ['for another kind of database', () => `mysql://ada:${given()}@127.0.0.1/tenure`],
    ['in an address with a wrong port', () => `postgres://ada:${given()}@127.0.0.1:99999/tenure`],
    ['not encoded', () => `postgres://ada:${password('bare')}@127.0.0.1:1/te nure`],
    ['with half a code', () => `postgres://ada:%${newKey()}%zz@127.0.0.1:1/tenure`],
    ['in an address that is cut off', () => `postgres://ada:${newKey()}`],
  ])('nor one that is %s', async (_name, url) => {
    const env = { ...(await settings(await url())), DATABASE_TIMEOUT_MS: '1000' };
    const serve = async () => {
      const alone = spawnServer(env);
      // It ends by itself, or says that it is waiting.
      await Promise.race([alone.ended, until(() => alone.output().includes('database'))]);
      alone.kill('SIGTERM');
      await alone.ended;
      expect(alone.output()).not.toBe('');
      keep(alone.output());
    };
    const fail = (command: string) => () => tenure([command], { env, code: 1 });
    // In `npm test` they take turns: those three first whose address can be dialled, then those that cannot be read.
    const processes = [serve, fail('doctor'), fail('migrate')];
    const round = rounds++ % processes.length;
    await Promise.all(processes.filter((_, n) => isLong || n === round).map((run) => run()));
    expectNothingTold();
  });
});

/** Does what Postgres does: asks for the password, and refuses it. */
function refusePassword(socket: Socket): void {
  const fields = ['SFATAL', 'VFATAL', 'C28P01', 'Mpassword authentication failed for user "ada"', ''];
  const error = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  let asked = false;
  socket.on('error', () => undefined);
  socket.on('data', () => {
    if (asked) socket.end(message('E', error));
    else socket.write(message('R', Buffer.from([0, 0, 0, 3])));
    asked = true;
  });
}

test('what is reported would have been found', () => {
  printed.push({ text: `x ${[...secrets][0]} x`, shows: [] });
  expect(expectNothingTold).toThrow();
});
