import type { AddressInfo } from 'node:net';
import undici, { type Dispatcher } from 'undici';
import { type KeyScope, keyScopes } from '../../src/api-keys/api-keys.schema.ts';
import { createKey } from '../../src/api-keys/api-keys.ts';
import { type App, createApp } from '../../src/app.ts';
import { operator } from '../../src/caller.ts';
import { loadConfig } from '../../src/config.ts';
import type { Db } from '../../src/db/connect.ts';
import { sql } from '../../src/db/sql.ts';
import { Drain } from '../../src/http/server/drain.ts';
import { createServer } from '../../src/http/server/server.ts';
import { newId } from '../../src/ids.ts';
import { startClock } from '../../src/ledger/account-clocks.ts';
import { createLog } from '../../src/log.ts';
import { metricsOf } from '../../src/system/metrics.ts';
import { testAccountOf } from '../../src/test-mode/test-accounts.ts';
import { nonconformity } from './conform.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { watchStatements } from './watch-statements.ts';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  body: any;
}

/** Sends requests to the API with one key. */
export interface Client {
  key: string;
  accountId: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
}

export interface Service {
  /** Tests put other parts into it: a clock, or a database that fails. */
  app: { -readonly [Part in keyof App]: App[Part] };
  url: string;
  database: TestDatabase;
  /** The secret key, for a process of its own on the same database. */
  secretKey: string;
  /** A client with a key for a new account, or with another key for an existing one. */
  client(options?: {
    permission?: 'read' | 'write';
    accountId?: string;
    expiresAt?: Date;
    /** By default all scopes, including those for owners. */
    scopes?: KeyScope[] | null;
    /** The name of the key. */
    name?: string;
  }): Promise<Client>;
  /** A client of the test mode of another client's account. */
  trialOf(live: Client): Promise<Client>;
  request(
    method: string,
    path: string,
    options?: {
      key?: string;
      body?: unknown;
      raw?: string | Uint8Array<ArrayBuffer>;
      headers?: Record<string, string>;
    },
  ): Promise<Answer>;
  /** Stops as a process does: running requests are answered first. `close` must still be called. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

const secretKey = 'a secret key of at least 32 characters';
let people = 0;

/**
 * Starts the real server on a real port and on a database of its own, or on an existing one, which is deleted with it.
 */
export async function testService(
  settings: Record<string, string> = {},
  existing?: TestDatabase,
): Promise<Service> {
  const database =
    existing ?? (await testDatabase('migrated', Number(settings.DATABASE_TIMEOUT_MS) || undefined));
  const config = loadConfig({ LOG_LEVEL: 'silent', SECRET_KEY: secretKey, ...settings }, '/nonexistent');
  const watch = await watchStatements(database.db);
  const app = createApp({ config, db: watch.db, log: createLog(config.LOG_LEVEL), secretKey });
  const drain = new Drain(app);
  const server = createServer(app, { drain });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;

  const request: Service['request'] = async (method, path, { key, body, raw, headers = {} } = {}) => {
    const address = new URL(/^(\/api|http)/.test(path) ? path : `/api/v1${path}`, url);
    // With fetch, tests of routes take 8 % more processor time.
    const response = await undici.request(address, {
      method: method as Dispatcher.HttpMethod,
      headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    });
    const text = await response.body.text();
    const answer = {
      status: response.statusCode,
      headers: headersOf(response.headers),
      text,
      body: text ? parseJson(text) : undefined,
    };
    expectDocumented(method, address.pathname, answer);
    return answer;
  };

  const client: Service['client'] = async ({
    permission = 'write',
    accountId,
    expiresAt = null,
    scopes = [...keyScopes],
    name = 'test',
  } = {}) => {
    const account = accountId ?? (await newAccount(database));
    const { key } = await createKey(database.db, {
      accountId: account,
      by: { actor: operator },
      name,
      permission,
      expiresAt,
      scopes,
    });
    return {
      key,
      accountId: account,
      get: (path, headers = {}) => request('GET', path, { key, headers }),
      post: (path, body, headers = {}) => request('POST', path, { key, body, headers }),
      put: (path, body, headers = {}) => request('PUT', path, { key, body, headers }),
      patch: (path, body, headers = {}) => request('PATCH', path, { key, body, headers }),
      delete: (path, headers = {}) => request('DELETE', path, { key, headers }),
    };
  };

  return {
    app,
    url,
    database,
    secretKey,
    client,
    async trialOf(live) {
      const { accountId } = await testAccountOf(app.db, live.accountId, new Date());
      return client({ accountId });
    },
    request,
    stop: () => drain.stop(server),
    async close() {
      // A test that does not read an answer keeps its connection busy. Closing would wait a minute for it.
      const cutOff = setTimeout(() => server.server.closeAllConnections(), 500);
      await server.close();
      clearTimeout(cutOff);
      await database.drop();
      watch.expectOneAccountEach();
    },
  };
}

/** Whatever a test is about, no response may differ from openapi.json. */
function expectDocumented(method: string, path: string, { status, headers, text, body }: Answer): void {
  if (method === 'HEAD' || !headers.get('content-type')?.startsWith('application/json')) return;
  const wrong = nonconformity(method, path, status, body);
  if (wrong) throw new Error(`${method} ${path} answered ${status} unlike the document: ${wrong}\n${text}`);
  const named = (body as { error?: { request_id?: string } }).error?.request_id;
  // A replay is exactly the first answer, so it contains the id of the first request.
  if (named !== undefined && !headers.has('idempotent-replayed') && named !== headers.get('x-request-id'))
    throw new Error(`${method} ${path} names the request ${named}, unlike its X-Request-Id.\n${text}`);
}

/** The number of requests that the service is working on. */
export async function requestsUnderWay({ app }: Service): Promise<number> {
  const metric = await metricsOf(app).registry.getSingleMetric('tenure_requests_under_way')?.get();
  return metric?.values[0]?.value ?? 0;
}

/** A key that may write, for a new account. */
export async function newKeyIn(db: Db): Promise<string> {
  const { key } = await createKey(db, {
    accountId: await newAccount({ db }),
    by: { actor: operator },
    name: 'test',
    permission: 'write',
    expiresAt: null,
  });
  return key;
}

/** Makes an account with an owner who has no password: hashing one for every test would take most of the time. */
export async function newAccount({ db }: { db: Db }): Promise<string> {
  const [accountId, userId] = [newId(), newId()];
  const email = `person-${process.pid}-${++people}-${process.hrtime.bigint()}@example.com`;
  // A worker starts the clock of an account that has none.
  await db.transaction(async (tx) => {
    await tx.query(sql`
      with account as (insert into accounts (id, name, slug) values (${accountId}, 'Test', ${accountId}) returning id),
      person as (insert into users (id, name, email) values (${userId}, 'Test', ${email}) returning id)
      insert into members (id, account_id, user_id, role)
      select ${newId()}, account.id, person.id, 'owner' from account cross join person`);
    await startClock(tx, accountId, 'UTC', new Date());
  });
  return accountId;
}

function headersOf(given: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(given))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return headers;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
