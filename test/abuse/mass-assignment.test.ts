import { createHmac } from 'node:crypto';
import { symmetricEncrypt } from 'better-auth/crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../../src/config.ts';
import { join, raw, sql } from '../../src/db/sql.ts';
import { SchemaBook } from '../../src/http/openapi/schemas.ts';
import type { Route } from '../../src/http/routes/route.ts';
import { routes, sessionRoutes } from '../../src/http/routes/routes.ts';
import { formatId, idPrefixes, newId, parseId } from '../../src/ids.ts';
import { ImportOptions } from '../../src/imports/imports.schema.ts';
import { createOpenId } from '../../src/sessions/openid.ts';
import { secretConfig } from '../../src/sessions/secret-versions.ts';
import { appCode, makePasskey, type Passkey } from '../support/authenticator.ts';
import { type Browser, internal, openBrowser, password, signUp, tokenOf } from '../support/browser.ts';
import { type Delivering, testDelivering } from '../support/delivering.ts';
import { type Issuer, startIssuer, visitIssuer } from '../support/issuer.ts';
import { holdDeposit } from '../support/ledger.ts';
import { until } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { dumpOf, make } from '../support/records.ts';
import {
  bodyIds,
  fullPath,
  type Ids,
  idOf,
  populate,
  populateDashboard,
  recordsIn,
  settings,
  validBody,
} from '../support/route-driver.ts';
import { type Answer, type Client, newAccount, type Service } from '../support/service.ts';
import { thorough } from '../support/thorough.ts';
import { isLong } from './fuzz/settings.ts';

/*
 * Every route that writes gets a valid body, which it must accept, and then the same body with every field that it does
 * not know: all fields of its answer, and every column of every table. Each time a new caller asks, in a situation like
 * the first one, so that the answer and the rows in the database must be the same afterwards. In `npm run test:fuzz`
 * the body comes with every kind of value in all of these fields. In `npm test` it comes once, and the kind of value in
 * each field changes from route to route.
 */

let delivering: Delivering;
let service: Service;
let receiver: Receiver;
let issuer: Issuer;
let columns: Column[];
let tables: string[];
let passwordHash: string;
let neighbour: { accountId: string; ids: Ids; dump: string };
beforeAll(async () => {
  receiver = await startReceiver();
  issuer = await startIssuer();
  delivering = await testDelivering({
    SIGN_UP: 'open',
    // Each attempt comes from an address of its own, since the limits of one address are not what is tested here.
    TRUST_PROXY: 'true',
    WEBHOOK_ALLOWED_TARGETS: `${settings.WEBHOOK_ALLOWED_TARGETS},127.0.0.0/8`,
  });
  service = delivering.service;
  const { app } = service;
  app.auth.openid = createOpenId(loadConfig(issuer.settings, '/nonexistent'), app.db, app.secrets, app.log);
  columns = await readColumns();
  tables = [...new Set(columns.map(({ table }) => table))];
  neighbour = await makeNeighbour();
  passwordHash = await readPasswordHash();
});
afterAll(async () => {
  await delivering.close();
  await receiver.close();
  await issuer.close();
});

interface Column {
  table: string;
  column: string;
  type: string;
  /** The texts that a check constraint allows. */
  choices: string[];
}

async function readColumns(): Promise<Column[]> {
  const rows = await service.database.db.query<Omit<Column, 'choices'> & { check: string | null }>(sql`
    select c.table_name as table, c.column_name as column, c.data_type as type,
      (select pg_get_constraintdef(k.oid) from pg_constraint k
        join pg_attribute a on a.attrelid = k.conrelid and k.conkey = array[a.attnum]
        where k.contype = 'c' and k.conrelid = c.table_name::regclass and a.attname = c.column_name limit 1) as check
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'`);
  return rows.map(({ check, ...column }) => ({
    ...column,
    choices: [...(check ?? '').matchAll(/'([a-z_]+)'::text/g)].map(([, choice = '']) => choice),
  }));
}

/** Makes another account with one record of each kind. */
async function makeNeighbour() {
  const owner = await signUp(service);
  const { user, account } = (await owner.get('/session')).body.data;
  const accountId = parseId('acct', account.id) ?? '';
  const records = await populate(await service.client({ accountId }));
  const ids: Ids = { ...records, ...(await populateDashboard(owner, service.url)), usr: user.id };
  return { accountId, ids, dump: await dumpOf(service, accountId) };
}

/** The hash of everybody's password. */
async function readPasswordHash(): Promise<string> {
  const [row] = await service.database.db.query<{ password: string }>(sql`select password from credentials`);
  return row?.password ?? '';
}

/* What is planted */

/** Values that can be found again wherever they are stored. */
const planted = {
  text: `planted-${crypto.randomUUID()}`,
  number: 987_654_321,
  time: '2001-02-03T04:05:06.789Z',
};

/** By the name of a field, the value that is planted there. */
type Seed = (name: string) => unknown;

const seeds: [string, Seed][] = [
  ...Object.entries(planted).map(([kind, value]): [string, Seed] => [kind, () => value]),
  ['what its column would take', plausible],
];

/** Everything that is planted for a route, one after the other. `prefixes` are those of the other account's ids. */
function sownFor(route: Route, prefixes = Object.keys(neighbour.ids)): [string, Seed][] {
  if (isLong) return [...seeds, ...theirs(prefixes)];
  const names = foreignNames(route);
  const position = [...routes, ...sessionRoutes].indexOf(route);
  const kinds = [...seeds.map(([, seed]) => seed), null];
  const other = (index: number) => prefixes[Math.floor(index / kinds.length) % prefixes.length] ?? '';
  const mixed = (name: string) => {
    const index = names.indexOf(name) + position;
    const seed = kinds[index % kinds.length];
    return seed ? seed(name) : idOf(neighbour.ids, kindOf(name) ?? other(index));
  };
  return [['mixed', mixed]];
}

/** A value that the database would accept in a column with this name. */
function plausible(name: string): unknown {
  const column = columns.find((each) => each.column === name || camel(each.column) === name);
  if (column?.choices.length) return column.choices.at(0);
  if (column?.type === 'boolean') return true;
  if (column?.type === 'uuid') return neighbour.accountId;
  if (column?.type === 'ARRAY') return ['payment.created'];
  if (column?.type === 'jsonb') return {};
  if (column?.type === 'date') return planted.time.slice(0, 10);
  if (column?.type.startsWith('timestamp')) return planted.time;
  return /int|numeric|double/.test(column?.type ?? '') ? 7 : planted.text;
}

/** The other account's ids, each under every name that the route does not know. */
const theirs = (prefixes: string[]): [string, Seed][] =>
  prefixes.map((prefix) => [`their ${prefix}`, () => idOf(neighbour.ids, prefix)]);

/** The prefix of the ids that belong under a name, if it names a noun. */
function kindOf(name: string): string | undefined {
  const names = (noun: string) => camel(name).toLowerCase().includes(noun.toLowerCase());
  const known = Object.entries(idPrefixes).filter(([, prefix]) => prefix in neighbour.ids);
  return known.findLast(([noun]) => names(noun))?.[1];
}

const more = [
  'account',
  'is_admin',
  'admin',
  'permission',
  'role',
  'key',
  'secret',
  'hash',
  'password',
  'verified',
  'organizationId',
  'activeOrganizationId',
];

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function foreignNames(route: Route): string[] {
  const names = columns.map(({ column }) => column);
  return [...new Set([...names, ...names.map(camel), ...answerFields(route), ...more])];
}

/** The fields of a route's answer: those of its record. */
function answerFields(route: Route): string[] {
  const book = new SchemaBook();
  const names: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { properties } = node as { properties?: object };
    if (properties) names.push(...Object.keys(properties));
    for (const inner of Object.values(node)) visit(inner);
  };
  visit(book.schema(route.response));
  visit(book.definitions);
  return names;
}

/** The body with a value under every name that its schema does not have, in the body and in the objects inside it. */
function plant(body: unknown, schema: z.core.$ZodType | undefined, names: string[], seed: Seed): unknown {
  if (Array.isArray(body)) {
    const element = schema instanceof z.ZodArray ? bare(schema.element) : undefined;
    return body.map((each) => plant(each, element, names, seed));
  }
  // In a map, such as the headers of a file, every name is allowed.
  if (typeof body !== 'object' || body === null || schema instanceof z.ZodRecord) return body;
  const shape: Record<string, z.core.$ZodType> = schema instanceof z.ZodObject ? schema.shape : {};
  const own = Object.entries(body).map(([name, value]) => [
    name,
    shape[name] ? plant(value, bare(shape[name]), names, seed) : value,
  ]);
  const foreign = names.filter((name) => !(name in shape)).map((name) => [name, seed(name)]);
  return Object.fromEntries([...foreign, ...own]);
}

/** The schema without what makes it optional, nullable and so on. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType, in: inside } = (schema._zod as unknown as { def: Record<string, z.core.$ZodType> }).def;
  const inner = innerType ?? inside;
  return inner ? bare(inner) : schema;
}

/* What came of it */

/** Whose rows are compared: those of the account, and of people with addresses there, with their other accounts. */
interface Scope {
  accountId: string;
  domain: string;
}

async function rowsOf({ accountId, domain }: Scope): Promise<string[]> {
  const { db } = service.database;
  const users = await db.query<{ id: string }>(sql`
    select id from users where email like ${`%@${domain}`}
    union select user_id from members where account_id = ${accountId}`);
  const userIds = users.map(({ id }) => id);
  const accounts = await db.query<{ id: string }>(sql`
    select account_id as id from members where user_id = any(${userIds})
    union select ${accountId}`);
  const has = (table: string, name: string) =>
    columns.some((each) => each.table === table && each.column === name);
  const accountIds = accounts.map(({ id }) => id);
  // The rows are found by an index, since each table has the rows of hundreds of accounts.
  const looks = tables.flatMap((table) => {
    const row = raw(`select '${table} ' || (to_jsonb(t) - 'last_used_at')::text as row from ${table} t`);
    if (has(table, 'account_id')) return [sql`${row} where t.account_id = any(${accountIds}::uuid[])`];
    if (has(table, 'user_id')) return [sql`${row} where t.user_id = any(${userIds}::uuid[])`];
    if (table === 'accounts') return [sql`${row} where t.id = any(${accountIds}::uuid[])`];
    if (table === 'users') return [sql`${row} where t.id = any(${userIds}::uuid[])`];
    return [];
  });
  const rows = await db.query<{ row: string }>(sql`${join(looks, ' union all ')} order by row`);
  return rows.map(({ row }) => row);
}

/** These values differ each time, so it is only compared whether they have changed. */
const random = new Set([
  ...['token', 'password', 'hash', 'prefix', 'secret', 'previous_secret', 'key', 'link', 'slug'],
  ...['email', 'ip_address', 'provider_account_id'],
  ...['uri', 'recovery_codes', 'backup_codes', 'public_key'],
]);
/** Values that depend on a receiver and on the clock. */
const ofTheMoment = new Set([
  ...['signature', 'duration_ms', 'response_headers', 'request', 'headers'],
  ...['last_step', 'written_in'],
]);

/**
 * Replaces ids by the first, the second and so on, and times by the word. What is left is the same in two situations
 * that are alike.
 */
function comparable(rows: string[], before: string): string[] {
  const ids = new Map<string, number>();
  const name = (id: string) => {
    const known = id.replaceAll('-', '');
    if (!ids.has(known)) ids.set(known, ids.size + 1);
    return `id ${ids.get(known)}`;
  };
  const plain = (text: string) =>
    text
      .replace(/(?<![0-9a-f])(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f])/g, name)
      .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-]\d\d:\d\d)/g, 'a time')
      .replace(/(state|nonce|code_challenge)=[\w-]+/g, '$1=new')
      .replace(/\S+@[\w.-]+/g, 'an address')
      // These are 32 random bytes, such as a challenge or the id of a passkey.
      .replace(/"[\w-]{43}"/g, '"random"');
  return rows.map((row) => {
    const [, table = '', json = ''] = /^(\w+) (.*)$/s.exec(row) ?? [];
    const shown = JSON.stringify(JSON.parse(json), (field, value: unknown) => {
      if (ofTheMoment.has(field)) return typeof value;
      if (!random.has(field) || value === null) return value;
      return before.includes(JSON.stringify(value)) ? 'as it was' : 'new';
    });
    return `${table} ${plain(shown)}`;
  });
}

/** The rows that contain a planted value, whoever's they are, each after the name of its table. */
async function findPlanted(): Promise<string[]> {
  const values = [planted.text, String(planted.number), planted.time.slice(0, 10)];
  const patterns = values.map((value) => `%${value}%`);
  const looks = tables.map((table) => {
    const row = raw(`select '${table} ' || to_jsonb(t)::text as row from ${table} t`);
    return sql`${row} where to_jsonb(t)::text like any(${patterns}::text[])`;
  });
  const rows = await service.database.db.query<{ row: string }>(join(looks, ' union all '));
  return rows.map(({ row }) => row);
}

/** Turns a valid body into the one that is sent. */
type Spoil = (body: unknown, schema?: z.ZodObject) => unknown;

/** Everything that a request needs to succeed. */
interface Situation extends Scope {
  send(spoil: Spoil): Promise<Answer>;
}

const asItIs: Spoil = (body) => body;

async function expectOnlyOwnFields(
  route: Route,
  arrange: () => Promise<Situation>,
  sown: [string, Seed][],
): Promise<void> {
  const parts = inParts(foreignNames(route), route);
  const attempt = async (spoil: Spoil) => {
    const situation = await arrange();
    const before = (await rowsOf(situation)).join('\n');
    const answer = await situation.send(spoil);
    expect(answer.status, answer.text.slice(0, 2_000)).toBe(route.creates ? 201 : route.success);
    await until(() => isDelivered(situation.accountId));
    const rows = await rowsOf(situation);
    return { text: answer.text, outcome: comparable([`answer ${answer.text}`, ...rows], before) };
  };

  const plain = await attempt(asItIs);
  const attempts = sown.flatMap(([kind, seed]) => parts.map((names) => ({ kind, seed, names })));
  await fewAtOnce(attempts, async ({ kind, seed, names }) => {
    const { text, outcome } = await attempt((body, schema) => plant(body ?? {}, schema, names, seed));
    expect(outcome, kind).toEqual(plain.outcome);
    for (const value of [...Object.values(planted), ...Object.values(neighbour.ids)])
      expect(text, kind).not.toContain(String(value));
  });
}

/**
 * A busy machine reads the rows of all tables slowly. If all were read at once, the last would wait too long for a
 * connection.
 */
async function fewAtOnce<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}

/** Strangers may send 16 KiB, so not all names fit into one request. */
function inParts(names: string[], { access, body }: Route): string[][] {
  const size = access === 'anyone' ? Math.floor(150 / Math.max(1, objectsIn(body))) : names.length;
  return Array.from({ length: Math.ceil(names.length / size) }, (_, n) =>
    names.slice(n * size, (n + 1) * size),
  );
}

/** How many objects the names are planted into. */
const objectsIn = (schema: z.core.$ZodType | undefined): number =>
  schema instanceof z.ZodObject
    ? Object.values(schema.shape).reduce((sum: number, inner) => sum + objectsIn(bare(inner as z.ZodType)), 1)
    : 0;

/** Whether nothing is running that would change rows while they are read. */
async function isDelivered(accountId: string): Promise<boolean> {
  const rows = await service.database.db.query(
    sql`select from delivery_queue where account_id = ${accountId} limit 1`,
  );
  return rows.length === 0;
}

/* The API */

/** The body of an upload is a file, and anything in it is its content. */
const inApi = routes.filter(({ permission, upload }) => permission === 'write' && !upload);

test.each(inApi.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s takes only its own fields',
  (_name, route) => expectOnlyOwnFields(route, () => withKey(route), sownFor(route)),
);

async function withKey(route: Route): Promise<Situation> {
  const client = await service.client();
  const needed = new Set([route.id, ...bodyIds(route).map(({ prefix }) => prefix)]);
  const ids = await recordsFor(client, needed);
  const path = fullPath(route, route.id ? idOf(ids, route.id) : '');
  if (route.path.endsWith('/deposit-refunds')) await holdDeposit(client, idOf(ids, 'lease'), '2026-01-01');
  return {
    accountId: client.accountId,
    domain: 'nobody.invalid',
    send: (spoil) =>
      service.request(route.method, path, {
        key: client.key,
        body: spoil(sameBody(route, ids), route.body),
      }),
  };
}

/** A body that is the same for every account, since the results are compared. */
function sameBody(route: Route, ids: Ids): Record<string, unknown> | undefined {
  const body = validBody(route, ids);
  for (const each of recordsIn(body ?? {})) each.external_id = 'crm-1042';
  return body;
}

/** One record of each kind that is needed, such that they fit together. */
async function recordsFor(client: Client, needed: Set<string | undefined>): Promise<Ids> {
  const ids: Ids = {};
  const add = (prefix: string, { id }: { id: string }) => {
    ids[prefix] = id;
  };
  const onLease = ['lease', 'chg', 'crd', 'rec', 'ref'];
  if (['prop', 'unit', 'mnt', 'file', ...onLease].some((each) => needed.has(each)))
    add('prop', await make.property(client));
  if (['unit', ...onLease].some((each) => needed.has(each)))
    add('unit', await make.unit(client, { property_id: ids.prop, name: '1A' }));
  if (['ten', 'pay', ...onLease].some((each) => needed.has(each))) add('ten', await make.tenant(client));
  if (onLease.some((each) => needed.has(each))) {
    const terms = { unit_id: ids.unit, tenant_ids: [ids.ten], ledger_from: '2026-01-01' };
    add('lease', await make.lease(client, terms));
  }
  if (needed.has('pay')) add('pay', await make.payment(client, { tenant_id: ids.ten }));
  if (needed.has('chg')) {
    const { body } = await client.get(`/charges?lease_id=${ids.lease}&limit=1`);
    add('chg', body.data[0]);
  }
  const entry = { lease_id: ids.lease, amount_cents: 1 };
  if (needed.has('crd'))
    add('crd', (await client.post('/credits', { ...entry, reason: 'concession' })).body.data);
  if (needed.has('rec'))
    add(
      'rec',
      (await client.post('/recurring-charges', { ...entry, kind: 'pet', starts_on: '2026-11-01' })).body.data,
    );
  if (needed.has('ref')) {
    await holdDeposit(client, idOf(ids, 'lease'), '2026-01-01');
    add('ref', (await client.post(`/leases/${ids.lease}/deposit-refunds`, { amount_cents: 1 })).body.data);
  }
  if (needed.has('mnt')) add('mnt', await make.maintenance(client, { property_id: ids.prop }));
  if (needed.has('file'))
    add('file', (await client.post(`/files?record=${ids.prop}&name=notes.txt`, { note: 'Key' })).body.data);
  if (needed.has('we') || needed.has('dlv'))
    add('we', await make.webhook(client, { url: receiver.url(), events: ['lease.ended'] }));
  if (needed.has('dlv')) {
    const tested = await client.post(`/webhooks/${ids.we}/test`);
    expect(tested.body.data.status, tested.text).toBe('succeeded');
    add('dlv', tested.body.data);
  }
  if (needed.has('evt')) {
    await make.tenant(client);
    add('evt', (await client.get('/events?limit=1')).body.data[0]);
  }
  return ids;
}

/* The dashboard */

let sites = 0;

/** A site with its own address and domain, and an account whose owner is signed in there. */
async function newSite() {
  sites += 1;
  const domain = `site-${sites}-${process.hrtime.bigint()}.example.com`;
  const address = `10.${sites >> 16}.${(sites >> 8) & 255}.${sites & 255}`;
  const open = (cookie = ''): Browser => {
    const browser = openBrowser({
      url: service.url,
      request: (method, path, options = {}) =>
        service.request(method, path, {
          ...options,
          headers: { 'x-forwarded-for': address, ...(cookie ? { cookie } : {}), ...options.headers },
        }),
    });
    return { ...browser, cookies: () => browser.cookies() || cookie };
  };
  const accountId = await newAccount(service.database);
  const owner = open(await signedIn(`owner@${domain}`, accountId, 'owner'));
  return { domain, accountId, owner, open };
}
type Site = Awaited<ReturnType<typeof newSite>>;

/**
 * A new person's cookie. It is written into the database, since signing up hundreds of people would hash passwords for
 * a minute.
 */
async function signedIn(email: string, accountId: string, role: string): Promise<string> {
  const [userId, token] = [newId(), crypto.randomUUID()];
  await service.database.db.query(sql`
    with person as (insert into users (id, name, email) values (${userId}, 'Test', ${email}) returning id),
    member as (
      insert into members (id, account_id, user_id, role) select ${newId()}, ${accountId}, id, ${role} from person),
    credential as (
      insert into credentials (id, user_id, provider_id, provider_account_id, password)
      select ${newId()}, id, 'credential', id, ${passwordHash} from person)
    insert into sessions (id, user_id, token, active_account_id, expires_at)
    select ${newId()}, id, ${token}, ${accountId}, now() + interval '1 day' from person`);
  const signature = createHmac('sha256', service.app.secrets.sessionSecrets[0])
    .update(token)
    .digest('base64');
  return `tenure.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
}

interface Asking {
  as?: Browser;
  /** The id or token. */
  inPath?: string;
  body?: object;
  isForm?: boolean;
}

const invite = async ({ owner, domain }: Site): Promise<{ id: string; token: string }> => {
  const answer = await owner.post('/team/invitations', { email: `guest@${domain}`, role: 'viewer' });
  expect(answer.status, answer.text).toBe(201);
  return { id: answer.body.data.id, token: tokenOf(answer.body.data.link) };
};
/** A viewer in the owner's team. */
const viewerIn = async ({ owner, accountId, domain }: Site): Promise<string> => {
  await signedIn(`guest@${domain}`, accountId, 'viewer');
  const { members } = (await owner.get('/team')).body.data;
  return members.find((each: { role: string }) => each.role === 'viewer').id;
};

const saveView = async ({ owner }: Site): Promise<string> => {
  const answer = await owner.post('/views', { list: 'leases', name: 'Ending', query: 'sort=end_date' });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.id;
};

/** Gives the owner an authenticator app, with the secret of the examples in RFC 6238. */
async function giveApp({ domain }: Site, verified = true): Promise<void> {
  const key = secretConfig(service.app.secrets);
  const secret = await symmetricEncrypt({ key, data: '12345678901234567890' });
  await service.database.db.query(sql`
    with person as (
      update users set two_factor_enabled = ${verified} where email = ${`owner@${domain}`} returning id)
    insert into two_factors (id, user_id, secret, backup_codes, verified)
    select ${newId()}, id, ${secret}, '[]', ${verified} from person`);
}
/** The next code, which is valid for another minute. */
const codeOfApp = () => appCode('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 1);

/** A challenge for the owner's device. */
const beginPasskey = async ({ owner, open }: Site) => {
  const session = owner.cookies();
  const page = open(session);
  const { body } = await page.post('/passkeys/options', { password });
  return { as: open(`${session}; ${page.cookies()}`), asked: body.data };
};
/** A passkey of the owner. It is written into the database, since adding one hashes a password. */
const addPasskey = async ({ domain }: Site): Promise<{ passkey: Passkey; id: string }> => {
  const [passkey, id] = [makePasskey(service.url), newId()];
  await service.database.db.query(sql`
    insert into passkeys
      (id, user_id, name, credential_id, public_key, counter, device_type, backed_up, created_at)
    select ${id}, id, 'Phone', ${passkey.id}, ${passkey.publicKey.toString('base64')}, 0, 'singleDevice', false, now()
    from users where email = ${`owner@${domain}`}`);
  return { passkey, id: formatId('psk', id) };
};

/**
 * What each route of the dashboard needs for a request that succeeds. The owner asks, unless somebody else is named.
 */
const asked: Record<string, (site: Site) => Promise<Asking>> = {
  'POST /sign-up': async ({ open, domain }) => ({
    as: open(),
    body: { name: 'Ada', password, email: `new@${domain}`, account_name: 'Elm Street' },
  }),
  'POST /sign-up (invited)': async (site) => {
    const { token } = await invite(site);
    const body = { name: 'Ada', password, email: `guest@${site.domain}`, invitation: token };
    return { as: site.open(), body };
  },
  'POST /sign-in': async ({ open, domain }) => ({
    as: open(),
    body: { email: `owner@${domain}`, password },
  }),
  'POST /sign-in/code': async (site) => {
    await giveApp(site);
    const as = site.open();
    await as.post('/sign-in', { email: `owner@${site.domain}`, password });
    return { as, body: { code: codeOfApp(), trust_device: false } };
  },
  'POST /sign-in/passkey/options': async ({ open }) => ({ as: open(), body: {} }),
  'POST /sign-in/passkey': async (site) => {
    const { passkey } = await addPasskey(site);
    const as = site.open();
    const { body } = await as.post('/sign-in/passkey/options');
    return { as, body: { credential: passkey.get(body.data) } };
  },
  'POST /sign-in/openid': async ({ open }) => ({
    as: open(),
    body: { next: '/payments', time_zone: 'Europe/Berlin' },
  }),
  'POST /sign-in/openid/finish': async ({ open, domain }) => {
    const as = open();
    const { url } = (await as.post('/sign-in/openid', { next: '/payments' })).body.data;
    const claims = { sub: domain, email: `new@${domain}`, email_verified: true, name: 'Ada' };
    return { as, body: await visitIssuer(url, claims) };
  },
  'POST /sign-out': async () => ({}),
  'POST /two-factor/set-up': async () => ({ body: { password } }),
  'POST /two-factor/enable': async (site) => {
    await giveApp(site, false);
    return { body: { code: codeOfApp() } };
  },
  'POST /two-factor/recovery-codes': async (site) => {
    await giveApp(site);
    return { body: { password, code: codeOfApp() } };
  },
  'POST /two-factor/disable': async (site) => {
    await giveApp(site);
    return { body: { password, code: codeOfApp() } };
  },
  'POST /passkeys/options': async () => ({ body: { password } }),
  'POST /passkeys': async (site) => {
    const { as, asked } = await beginPasskey(site);
    return { as, body: { name: 'Phone', credential: makePasskey(service.url).create(asked) } };
  },
  'PATCH /passkeys/:id': async (site) => ({
    inPath: (await addPasskey(site)).id,
    body: { name: 'Laptop' },
  }),
  'DELETE /passkeys/:id': async (site) => ({ inPath: (await addPasskey(site)).id }),
  'POST /password': async () => ({ body: { current_password: password, new_password: `${password} 2` } }),
  'DELETE /sessions': async () => ({}),
  'DELETE /sessions/:id': async ({ owner }) => ({
    inPath: (await owner.get('/sessions')).body.data.sessions[0].id,
  }),
  'POST /accounts/:id/leave': async ({ open, accountId, domain }) => ({
    as: open(await signedIn(`guest@${domain}`, accountId, 'viewer')),
    inPath: formatId('acct', accountId),
    body: { revoke_keys: false },
  }),
  'PATCH /me': async () => ({ body: { name: 'Ada Lee' } }),
  'POST /account/switch': async ({ owner }) => {
    const { account } = (await owner.get('/session')).body.data;
    const opened = await owner.post('/accounts', { name: 'Second' });
    expect(opened.body.data.account.id, opened.text).not.toBe(account.id);
    return { body: { account_id: account.id } };
  },
  'POST /account/close': async () => ({ body: { name: 'Test', password } }),
  'POST /accounts': async () => ({ body: { name: 'Second', currency: 'EUR' } }),
  'POST /team/invitations': async ({ domain }) => ({ body: { email: `guest@${domain}`, role: 'viewer' } }),
  'DELETE /team/invitations/:id': async (site) => ({ inPath: (await invite(site)).id }),
  'PATCH /team/members/:id': async (site) => ({ inPath: await viewerIn(site), body: { role: 'manager' } }),
  'DELETE /team/members/:id': async (site) => ({ inPath: await viewerIn(site) }),
  'POST /invitations/:token/accept': async (site) => {
    const elsewhere = await newAccount(service.database);
    const cookie = await signedIn(`guest@${site.domain}`, elsewhere, 'owner');
    return { as: site.open(cookie), inPath: (await invite(site)).token, body: {} };
  },
  'POST /api-keys': async () => ({ body: { name: 'First', permission: 'read', expires_in_days: 7 } }),
  'DELETE /api-keys/:id': async ({ owner }) => {
    const made = await owner.post('/api-keys', { name: 'First', permission: 'read' });
    return { inPath: made.body.data.id };
  },
  'POST /views': async () => ({ body: { list: 'leases', name: 'Ending', query: 'sort=end_date' } }),
  'PATCH /views/:id': async (site) => ({ inPath: await saveView(site), body: { name: 'Ending soon' } }),
  'DELETE /views/:id': async (site) => ({ inPath: await saveView(site) }),
  'POST /imports/preview': async () => ({ isForm: true }),
  'POST /imports/apply': async () => ({ isForm: true }),
};

/** The kinds of ids that the dashboard's own routes use. */
const ofPeople = ['acct', 'usr', 'mem', 'inv', 'key', 'ses'];

const inDashboard = sessionRoutes.filter(({ permission }) => permission === 'write');
const nameOf = ({ method, path }: Route) => `${method} ${path}`;

test('every route of the dashboard that writes is asked', () => {
  const covered = new Set(Object.keys(asked).map((name) => name.replace(/ \(.*/, '')));
  expect([...covered].sort()).toEqual(inDashboard.map(nameOf).sort());
});

test.runIf(thorough || isLong).each(Object.keys(asked))(
  'in the dashboard, %s takes only its own fields',
  (name) => {
    const route = inDashboard.find((each) => nameOf(each) === name.replace(/ \(.*/, ''));
    if (!route) throw new Error(`${name} is no route.`);
    const ask = asked[name];
    return expectOnlyOwnFields(route, () => inBrowser(route, ask), sownFor(route, ofPeople));
  },
);

async function inBrowser(
  route: Route,
  ask: ((site: Site) => Promise<Asking>) | undefined,
): Promise<Situation> {
  const site = await newSite();
  const { as = site.owner, inPath = '', body, isForm = false } = (await ask?.(site)) ?? {};
  const path = route.path.replace(/:\w+/, inPath);
  return {
    accountId: site.accountId,
    domain: site.domain,
    send: (spoil) =>
      isForm ? sendForm(as, path, spoil) : as.request(route.method, path, spoil(body, route.body)),
  };
}

/** A form has fields, too, and the JSON in one of them has more. */
async function sendForm(as: Browser, path: string, spoil: Spoil): Promise<Answer> {
  const form = new FormData();
  for (const [name, value] of Object.entries(spoil({}) as object)) form.set(name, String(value));
  form.set('options', JSON.stringify(spoil({ date_format: 'mdy' }, ImportOptions)));
  form.set('tenants', new File(['first_name,last_name\nAda,Lee\n'], 'tenants.csv'));
  // Undici encodes only forms of its own, and which those are depends on what was loaded first.
  const encoded = new Response(form);
  return service.request('POST', `${service.url}${internal}${path}`, {
    raw: new Uint8Array(await encoded.arrayBuffer()),
    headers: {
      cookie: as.cookies(),
      origin: service.url,
      'content-type': encoded.headers.get('content-type') ?? '',
    },
  });
}

/* Afterwards */

test('nothing that was planted is kept anywhere', async () => {
  expect(await findPlanted()).toEqual([]);
});

test('nothing of another account was changed by any of it', async () => {
  expect(await dumpOf(service, neighbour.accountId)).toBe(neighbour.dump);
});

/** An error names the request. */
const withoutRequest = (text: string) => text.replace(/"request_id":"\w+"/, '');

test('whose account it is cannot be asked for either', async () => {
  const key = await service.client();
  const own = await populate(key);
  const { accountId: id } = neighbour;
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    const path = fullPath(route, route.id ? idOf(own, route.id) : '');
    const plain = await key.get(path);
    // The unit has another lease when this one would be renewed.
    expect(plain.status, plain.text).toBe(route.path === '/leases/:id/renew' ? 409 : 200);
    const asked = await key.get(path, { 'x-account': `acct_${id.replaceAll('-', '')}` });
    expect([asked.status, withoutRequest(asked.text)]).toEqual([plain.status, withoutRequest(plain.text)]);
    for (const name of ['account_id', 'account']) {
      const refused = await key.get(`${path}&${name}=acct_${id.replaceAll('-', '')}`);
      expect([refused.status, refused.body.error?.type], refused.text).toEqual([400, 'unknown_parameter']);
      expect(refused.body.error.message.fieldErrors).toHaveProperty(name);
    }
  }
});

test('what is kept would have been found', async () => {
  const key = await service.client();
  await key.post('/tenants', { first_name: 'Ada', last_name: 'Okafor', notes: planted.text });
  const found = (await findPlanted()).map((row) => row.split(' ')[0]);
  expect(found).toEqual(expect.arrayContaining(['events', 'tenants']));
});
