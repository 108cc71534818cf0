import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Encrypter } from 'age-encryption';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { backUp } from '../src/backup/backup.ts';
import { ask, passphraseToDecrypt, passphraseToEncrypt } from '../src/backup/passphrase.ts';
import { restore } from '../src/backup/restore.ts';
import { tableKinds } from '../src/backup/tables.ts';
import { loadConfig } from '../src/config.ts';
import type { Database } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { era } from '../src/db/records/written-in.ts';
import { raw, sql } from '../src/db/sql.ts';
import { checkSecretKeys } from '../src/secret-keys/secret-keys.ts';
import { createSecretBox } from '../src/secrets/secret-box.ts';
import { openBrowser, type Person, password, signUp } from './support/browser.ts';
import { testDatabase } from './support/database.ts';
import { tenure, until } from './support/process.ts';
import { make } from './support/records.ts';
import { type Client, type Service, testService } from './support/service.ts';
import { thorough } from './support/thorough.ts';

/* A backup restored elsewhere has the same rows and the same answers, and the service goes on from there. */

const folder = mkdtempSync(join(tmpdir(), 'tenure-backup-'));
let files = 0;
const freshFile = () => join(folder, `${++files}.backup`);
const drafts = () => readdirSync(folder).filter((name) => name.includes('unfinished'));

const anyKey = { check: () => undefined, keep: () => undefined };
const now = new Date();
const passphrase = 'five words that nobody guesses';
const given = () => Promise.resolve(passphrase);
const noneNeeded = () => Promise.reject(new Error('It is not encrypted.'));

let service: Service;
let client: Client;
let person: Person;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  client = await service.client();
  person = await signUp(service);
  // This makes more than one piece of 64 KiB, which is what is encrypted at a time.
  for (let n = 0; n < 20; n++) await make.tenant(client, { notes: randomBytes(3600).toString('base64') });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Every row of every table, as text. A restore reduces all numbers of transactions by the same amount, and here they
 * are as they were before.
 */
async function contents(db: Database): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const name of (await tableNames(db)).filter((each) => tableKinds[each] !== 'nothing')) {
    const [numbered] = await db.query(
      sql`select from pg_attribute where attrelid = ${name}::regclass and attname = 'written_in'`,
    );
    const row = numbered
      ? sql`jsonb_set(to_jsonb(t), '{written_in}', to_jsonb((t.written_in + ${era}::bigint) % ${era}::bigint))`
      : sql`t`;
    const found = await db.query<{ row: string }>(
      sql`select ${row}::text as row from ${raw(name)} t order by 1`,
    );
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}

async function tableNames(db: Database): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  return tables.map(({ name }) => name);
}

test('for every table it is decided whether a backup has it', async () => {
  const undecided = (await tableNames(service.database.db)).filter((name) => !(name in tableKinds));
  expect(undecided, 'name these in src/backup/tables.ts').toEqual([]);
});

test('every row comes back as it was, except what lets people in', async () => {
  const elsewhere = await testDatabase('empty');
  await make.webhook(client, { events: ['tenant.created', 'payment.created'] });
  await make.lease(client, { end_date: '2026-12-31' });
  for (const notes of [
    'quotes "\'" and \\ and (a,b)',
    'two\nlines\r\n\ttab',
    '🏠 ü \u2028',
    '{"a":"\\u0000"}',
    ',,()',
    'NULL',
    '\\N',
  ])
    await make.tenant(client, { notes });
  await make.payment(client, { memo: '\\.' }); // the end of the data, to a COPY
  await make.maintenance(client);
  await client.post('/properties', { name: 'Once' }, { 'idempotency-key': 'k' });
  const { db } = service.database;
  // There are more rows than are read and written at a time.
  await db.query(sql`insert into import_keys (account_id, kind, key, record_id)
    select ${client.accountId}, 'tenant', 'row ' || n, gen_random_uuid() from generate_series(1, 2500) n`);
  const before = await contents(db);
  await db.query(sql`insert into verifications (id, identifier, value, expires_at)
    values (gen_random_uuid(), 'somebody', 'half signed in', now() + interval '1 hour')`);
  await db.query(
    sql`update credentials set access_token = 'of elsewhere', refresh_token = 'r', id_token = 'i'`,
  );

  const [file, whole] = [freshFile(), freshFile()];
  const made = await backUp(db, file, { now });
  await backUp(db, whole, { now, secrets: () => ['the lines of secret.key'] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { rows } = await db.pool.query<{ token: string }>('select token from sessions limit 1');
  const letsIn = [rows[0]?.token ?? '?', 'half signed in', 'of elsewhere', 'the lines of secret.key'];
  const textOf = (path: string) => gunzipSync(readFileSync(path)).toString();
  expect(letsIn.filter((secret) => textOf(file).includes(secret))).toEqual([]);
  expect(letsIn.filter((secret) => textOf(whole).includes(secret))).toEqual(letsIn);

  expect(await restore(elsewhere.db, file, anyKey, noneNeeded)).toMatchObject({ rows: made.rows });
  const { api_keys: keysAfter, ...after } = await contents(elsewhere.db);
  const { api_keys: keysBefore, ...expected } = before;
  expect(expected.sessions?.length).toBeGreaterThan(0);
  expect(after).toEqual({ ...expected, sessions: [] });
  // The time at which the key was last used is recorded some seconds later, before the backup or after it.
  expect([keysBefore, (await contents(db)).api_keys]).toContainEqual(keysAfter);
  for (const table of ['tenants', 'leases', 'payments', 'events', 'delivery_queue', 'idempotency_keys'])
    expect(after[table]?.length, table).toBeGreaterThan(0);

  await expect(restore(elsewhere.db, file, anyKey, noneNeeded)).rejects.toThrow(
    'The database already has data',
  );
  await expect(backUp(db, file, { now })).rejects.toThrow('already exists');

  // On the restored database nobody is signed in. Keys and passwords are the same as before.
  const restored = await testService({}, elsewhere);
  const asBefore = (path: string) =>
    fetch(`${restored.url}${path}`, { headers: { cookie: person.cookies() } });
  expect((await person.get('/team')).status).toBe(200);
  expect((await asBefore('/internal/v1/team')).status).toBe(401);
  const browser = openBrowser(restored);
  expect((await browser.post('/sign-in', { email: person.email, password })).status).toBe(200);
  expect((await browser.get('/team')).status).toBe(200);
  expect((await restored.request('GET', '/tenants', { key: client.key })).body.count).toBeGreaterThan(20);
  await restored.close();
});

test.runIf(thorough)(
  'a backup is encrypted on the command line, opened by age, and restored although its key is lost',
  async () => {
    const [file, plain, secretFile] = [freshFile(), freshFile(), freshFile()];
    const { id } = await make.webhook(client);
    const { db, url } = service.database;
    const here = { DATABASE_URL: url, SECRET_KEY: service.secretKey };
    await checkSecretKeys(db, createSecretBox(service.secretKey), now);
    const made = await tenure<object>({ ...here, BACKUP_PASSPHRASE: passphrase }, 'backup', file);
    expect(made).toMatchObject({ encrypted: true, with_secrets: false, holds_key: false });
    expect(readFileSync(file, 'latin1')).toMatch(/^age-encryption\.org\/v1\n/);
    if (hasAge()) {
      // The program reads the passphrase only from a terminal, which `script` gives it.
      const command = `age --decrypt --output ${plain} ${file}`;
      execFileSync('script', ['-qec', command, '/dev/null'], { input: `${passphrase}\n`, timeout: 60_000 });
      expect(gunzipSync(readFileSync(plain)).toString()).toMatch(
        /^{"tenure_backup":1,[\s\S]*\n{"rows":\d+}\n$/,
      );
    }

    const elsewhere = await testDatabase('empty');
    const there = { DATABASE_URL: elsewhere.url, SECRET_KEY: 'x'.repeat(40) };
    writeFileSync(secretFile, `${passphrase}\n`);
    const restoring = ['restore', file, '--passphrase-file', secretFile];
    await expect(tenure(there, ...restoring)).rejects.toThrow('is not the key that the backup was made with');
    const restored = await tenure<{ unreadable_webhooks: string[] }>(there, ...restoring, '--lost-key');
    expect(restored.unreadable_webhooks).toContain(id);
    // The service starts with the new key, and owners are notified.
    await checkSecretKeys(elsewhere.db, createSecretBox(there.SECRET_KEY), now);
    const told = await elsewhere.db.query(sql`select l.actor_type, l.subject from accounts a
    left join audit_log l on l.account_id = a.id and l.action = 'account.restored'`);
    expect(told.length).toBeGreaterThan(1);
    for (const entry of told)
      expect(entry).toEqual({ actor_type: 'operator', subject: expect.stringMatching(/^20.*Z$/) });
    await elsewhere.drop();
  },
);

function hasAge(): boolean {
  try {
    for (const program of ['age', 'script']) execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test('a passphrase comes from a file, the settings or the terminal, which does not show it', async () => {
  const set = loadConfig({ BACKUP_PASSPHRASE: passphrase }, '/nonexistent');
  const unset = loadConfig({}, '/nonexistent');
  const file = freshFile();
  writeFileSync(file, 'from the file\nnot this\n');
  expect(await passphraseToEncrypt(set, {})).toBe(passphrase);
  expect(await passphraseToEncrypt(set, { passphraseFile: file })).toBe('from the file');
  expect(await passphraseToEncrypt(unset, {})).toBeNull();
  expect(await passphraseToDecrypt(unset, { passphraseFile: file })).toBe('from the file');
  writeFileSync(file, 'too short\n');
  await expect(passphraseToEncrypt(unset, { passphraseFile: file })).rejects.toThrow(
    'at least 12 characters',
  );
  expect(() => loadConfig({ BACKUP_PASSPHRASE: 'too short' }, '/nonexistent')).toThrow(
    /^BACKUP_PASSPHRASE must have at least 12 characters\.$/,
  );

  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = new PassThrough();
  const answer = ask('Passphrase: ', { input, output });
  input.write(`${passphrase}\r`);
  expect(await answer).toBe(passphrase);
  const givenUp = ask('Again: ', { input, output });
  input.end();
  await expect(givenUp).rejects.toThrow('No passphrase was given.');
  output.end();
  expect(await text(output)).toBe('Passphrase: \nAgain: \n');
  const pipe = { input: new PassThrough(), output: new PassThrough() };
  await expect(ask('Passphrase: ', pipe)).rejects.toThrow('There is no terminal');
});

test.runIf(thorough)(
  'a backup is of one moment, while others write; of two to one name at once, one is refused',
  async () => {
    const elsewhere = await testDatabase('empty');
    let stop = false;
    let written = 0;
    const writing = (async () => {
      for (; !stop; written++) await make.payment(client);
    })();
    onTestFinished(() => {
      stop = true;
      return writing;
    });
    await until(() => written > 20);
    const file = freshFile();
    const results = await Promise.allSettled([1, 2].map(() => backUp(service.database.db, file, { now })));
    stop = true;
    await writing;
    const [told, ...more] = results.filter((result) => result.status === 'rejected');
    expect(more).toEqual([]);
    expect(told?.reason.message).toBe(`${file} already exists; choose another name.`);
    expect(drafts()).toEqual([]);

    await restore(elsewhere.db, file, anyKey, noneNeeded);
    // Each payment has its tenant and its event, or neither exists.
    const [row] = await elsewhere.db.query<{ payments: number; events: number }>(
      sql`select (select count(*)::integer from payments) as payments,
      (select count(*)::integer from events where event = 'payment.created') as events`,
    );
    expect(row?.payments).toBeGreaterThan(20);
    expect(row?.events).toBe(row?.payments);
    await elsewhere.drop();
  },
);

test('a backup that fails midway leaves no draft', async () => {
  const failing = { ...service.database.db, connect: () => failingClient(service.database.db) };
  await expect(backUp(failing, freshFile(), { now })).rejects.toThrow('the connection is lost');
  expect(drafts()).toEqual([]);
  expect(existsSync(join(folder, `${files}.backup`))).toBe(false);
});

/** A client that fails after some rows. */
async function failingClient(db: Database) {
  const client = await db.connect();
  let fetched = 0;
  const query = (asked: string | { text: string }) =>
    typeof asked === 'string' && asked.startsWith('fetch') && ++fetched > 3
      ? Promise.reject(new Error('the connection is lost'))
      : client.query(asked);
  return Object.assign(Object.create(client), { query }) as typeof client;
}

test('a backup of an older schema is restored as it was and then migrated; one of a newer release is refused', async () => {
  const older = await testDatabase('empty');
  const elsewhere = await testDatabase('empty');
  await migrate(older.db, 2);
  await older.db.query(sql`insert into accounts (id, name, slug) values (gen_random_uuid(), 'Old', 'old')`);
  const file = freshFile();
  await backUp(older.db, file, { now });
  await restore(elsewhere.db, file, anyKey, noneNeeded);
  expect(await migrate(elsewhere.db)).toEqual([]);
  await migrate(older.db);
  expect((await contents(elsewhere.db)).accounts).toEqual((await contents(older.db)).accounts);

  const started = await testDatabase('migrated');
  await expect(restore(started.db, file, anyKey, noneNeeded)).rejects.toThrow('restore into a new database');

  const newer = freshFile();
  const head = {
    tenure_backup: 1,
    version: '9.0.0',
    schema: 9000,
    created_at: '',
    fingerprints: [],
    key_file: null,
  };
  writeFileSync(newer, gzipSync(`${JSON.stringify(head)}\n{"rows":0}\n`));
  const empty = await testDatabase('empty');
  await expect(restore(empty.db, newer, anyKey, noneNeeded)).rejects.toThrow('knows only up to');
  for (const database of [older, elsewhere, started, empty]) await database.drop();
});

test('a backup during which the schema changes fails, and leaves no file', async () => {
  const database = await testDatabase('empty');
  await migrate(database.db, 6);
  const upgrade = await database.db.connect();
  await upgrade.query('begin; lock table deliveries in access exclusive mode');
  const file = freshFile();
  const backedUp = backUp(database.db, file, { now });
  const failed = expect(backedUp).rejects.toThrow('upgraded while the backup was made');
  await until(async () => {
    const waiting = await database.db.query(
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.length > 0;
  });
  await upgrade.query(
    "alter table deliveries add column more text; insert into schema_migrations (version, name) values (7, 'more'); commit",
  );
  upgrade.release();
  await failed;
  expect(existsSync(file)).toBe(false);
  expect(drafts()).toEqual([]);

  // An older release does not know what is in the tables of a newer one.
  await database.db.pool.query("insert into schema_migrations (version, name) values (9000, 'newer')");
  await expect(backUp(database.db, file, { now })).rejects.toThrow('knows only up to');
  await database.drop();
});

test('half a file, a damaged one, another kind of file and a wrong passphrase are refused, and restore nothing', async () => {
  const elsewhere = await testDatabase('empty');
  const file = freshFile();
  await backUp(service.database.db, file, { now });
  const plain = readFileSync(file);
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  // Many passphrases are tried here, so guessing need not be slow.
  encrypter.setScryptWorkFactor(4);
  const encrypted = Buffer.from(await encrypter.encrypt(plain));
  const pieces = encrypted.indexOf('\n', encrypted.indexOf('\n--- ') + 1) + 1 + 16;
  expect(encrypted.length).toBeGreaterThan(pieces + 65_552);
  const changedAt = (at: number) => {
    const copy = Buffer.from(encrypted);
    copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
    return copy;
  };
  const refused = async (bytes: string | Uint8Array, message: string, secret = passphrase) => {
    writeFileSync(file, bytes);
    const restored = restore(elsewhere.db, file, anyKey, () => Promise.resolve(secret));
    await expect(restored).rejects.toThrow(message);
  };

  await refused(plain.subarray(0, -40), 'is incomplete: use another backup');
  // Only the checksum is missing.
  await refused(plain.subarray(0, -4), 'is incomplete: use another backup');
  await refused(gzipSync('{"tenure_backup":7}\n'), 'not a backup that this version');
  await refused('hello', 'is not a Tenure backup');
  await refused(encrypted, `The passphrase does not open ${file}.`, 'another passphrase');
  for (const cut of [-1, -40, -encrypted.length + pieces + 65_552, -encrypted.length + 60])
    await refused(encrypted.subarray(0, cut), 'is incomplete or damaged: use another backup');
  for (const at of [pieces - 30, pieces - 3, pieces + 5, encrypted.length - 1])
    await refused(changedAt(at), 'is incomplete or damaged: use another backup');
  await refused(Buffer.concat([encrypted, Buffer.of(0)]), 'is incomplete or damaged: use another backup');
  await expect(restore(elsewhere.db, '/nonexistent', anyKey, given)).rejects.toThrow('There is no file');
  expect(Object.values(await contents(elsewhere.db)).flat()).toEqual([]);

  writeFileSync(file, encrypted);
  await restore(elsewhere.db, file, anyKey, given);
  const {
    api_keys: _,
    sessions: __,
    verifications: ___,
    credentials: ____,
    ...after
  } = await contents(elsewhere.db);
  expect(await contents(service.database.db)).toMatchObject(after);
  await elsewhere.drop();
});
