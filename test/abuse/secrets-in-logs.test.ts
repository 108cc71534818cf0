import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../browser.ts';
import {
  dataFolder,
  type Environment,
  freePort,
  ready,
  removeFolder,
  type ServerProcess,
  spawnServer,
  until,
} from '../process.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import type { Answer } from '../service.ts';

/*
 * A real server that logs all it can, through everything that handles a secret. Whatever secret was made on the way,
 * nothing that was printed, logged by Postgres or told to Prometheus may contain it.
 */

let environment: Environment;
let folder: string;
let server: ServerProcess;
let receiver: Receiver;
beforeAll(async () => {
  folder = await dataFolder();
  receiver = await startReceiver(({ path }, response) => {
    response.writeHead(path.includes('failing') ? 500 : 200).end('thanks');
  });
  environment = {
    PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
    DATA_DIR: folder,
    SECRET_KEY: secret(randomBytes(32).toString('hex')),
    SIGN_UP: 'open',
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
  await removeFolder(folder);
});

/** Every secret of the run, by what it is. */
const secrets = new Set<string>();
function secret<Text extends string>(text: Text): Text {
  expect(text.length).toBeGreaterThanOrEqual(10);
  secrets.add(text);
  return text;
}
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

/** A command; what it prints on purpose (a new key, a new password) is a secret from then on. */
function tenure(input: string, ...args: string[]): { shown: Record<string, string>; errors: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'src/cli.ts', ...args, '--json'],
    {
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment },
      input,
      encoding: 'utf8',
    },
  );
  expect(status, stderr).toBe(0);
  return { shown: JSON.parse(stdout), errors: stderr };
}

/** All that a secret can look like in a line of text. */
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
    // The part of a key or a webhook's secret behind its prefix.
    ...(/^(svc_live_|whsec_)/.test(text) ? [text.replace(/^[a-z]+_(live_)?/, '')] : []),
  ];
}

async function handleSecrets(): Promise<string[]> {
  const texts: string[] = [];
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
  const { link } = (await owner.post('/team/invitations', { email: 'guest@example.com', role: 'viewer' }))
    .body.data;
  const invitation = secret(String(link).split('/').at(-1) ?? '');
  const guest = browser();
  expect((await guest.get(`/invitations/${invitation}`)).status).toBe(200);
  const joining = { name: 'Guest', email: 'guest@example.com', password: password('guest'), invitation };
  expect((await guest.post('/sign-up', joining)).status).toBe(201);
  expect((await guest.post('/sign-out')).status).toBe(200);

  // Keys, in their place and out of it.
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

  // Webhooks: secrets, signatures, addresses with a token in them; deliveries that succeed and that fail.
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
  const made = tenure(
    `${password('cli')}\n`,
    ...['accounts', 'create', '--email', 'bob@example.com', '--name', 'Bob', '--password-stdin'],
  );
  const cliKey = tenure(
    '',
    ...['keys', 'create', '--account', email, '--name', 'cli', '--permission', 'read'],
  );
  secret(cliKey.shown.key ?? '');
  const reset = tenure('', 'users', 'reset-password', '--email', 'bob@example.com');
  secret(reset.shown.password ?? '');
  const listed = tenure('', 'keys', 'list', '--account', email);
  texts.push(made.errors, cliKey.errors, reset.errors, listed.errors, JSON.stringify(listed.shown));

  // Faults, while all of this is in hand: the database dies.
  const pidFile = join(folder, 'postgres/cluster/postmaster.pid');
  process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL');
  await Promise.all([
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
  await until(async () => (await fetch(`${server.url}/readyz`)).status === 200);

  const metrics = await fetch(`http://127.0.0.1:${environment.METRICS_PORT}/metrics`);
  texts.push(await metrics.text(), readFileSync(join(folder, 'postgres/postgres.log'), 'utf8'));
  return texts;
}

test('no secret is printed, logged or counted', { timeout: 120_000 }, async () => {
  const texts = await handleSecrets();
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  const output = server.output();
  // All of it went through this log: it is not clean because it is empty.
  expect(output.match(/"msg":"request"/g)?.length).toBeGreaterThan(30);
  expect(output).toContain('"level":50');
  expect(output).toContain('attempt');

  expect(secrets.size).toBeGreaterThan(25);
  const found = [...secrets].flatMap((each) =>
    formsOf(each).filter((form) => [output, ...texts].some((text) => text.includes(form))),
  );
  expect(found).toEqual([]);
});
