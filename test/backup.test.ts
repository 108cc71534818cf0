import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { backUp } from '../src/backup/backup.ts';
import { restore } from '../src/backup/restore.ts';
import type { Database } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { raw, sql } from '../src/db/sql.ts';
import { testDatabase } from './support/database.ts';
import { expectGoesOn, fillInstallation, localTargets } from './support/installation.ts';
import { tenure, until } from './support/process.ts';
import { startReceiver } from './support/receiver.ts';
import { make } from './support/records.ts';
import { ownSettings } from './support/servers.ts';
import { testService } from './support/service.ts';

/* A backup restored elsewhere: the same rows, the same answers, and a service that goes on where it was. */

const folder = mkdtempSync(join(tmpdir(), 'tenure-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const freshFile = () => join(folder, `${++files}.backup`);
const drafts = () => readdirSync(folder).filter((name) => name.includes('unfinished'));

const anyKey = { check: () => undefined, keep: () => undefined };
const options = { keyFile: () => null, now: new Date() };

/** Every row of every table, as text. */
async function contents(db: Database): Promise<Record<string, string[]>> {
  const tables = await db.query<{ name: string }>(
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables.filter((table) => !/^(workers|schema_migrations)$/.test(table.name))) {
    const found = await db.query<{ row: string }>(sql`select t::text as row from ${raw(name)} t order by 1`);
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}

test('every row of every table comes back as it was, whatever is in it', async () => {
  const service = await testService();
  const elsewhere = await testDatabase('empty');
  const client = await service.client();
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

  const file = freshFile();
  const before = await contents(service.database.db);
  const made = await backUp(service.database.db, file, options);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await restore(elsewhere.db, file, anyKey)).toMatchObject({ rows: made.rows });
  const [since, after] = [await contents(service.database.db), await contents(elsewhere.db)];
  // When the key was last used is written down some seconds later: it may be before or after the backup.
  expect(after).toEqual(String(after.api_keys) === String(before.api_keys) ? before : since);
  expect(Object.values(after).flat()).toHaveLength(made.rows);
  for (const table of [
    'tenants',
    'leases',
    'payments',
    'events',
    'delivery_queue',
    'idempotency_keys',
    'api_keys',
  ])
    expect(after[table]?.length, table).toBeGreaterThan(0);

  await expect(restore(elsewhere.db, file, anyKey)).rejects.toThrow('The database already has data');
  await expect(backUp(service.database.db, file, options)).rejects.toThrow('already exists');
  await service.close();
  await elsewhere.drop();
});

test('a backup is of one moment, while others go on writing', async () => {
  const service = await testService();
  const elsewhere = await testDatabase('empty');
  const client = await service.client();
  let stop = false;
  let written = 0;
  const writing = (async () => {
    for (; !stop; written++) await make.payment(client);
  })();
  await vi.waitUntil(() => written > 20, { timeout: 10_000 });
  const file = freshFile();
  await backUp(service.database.db, file, options);
  stop = true;
  await writing;
  await restore(elsewhere.db, file, anyKey);
  // Each payment has its tenant and its event, or neither is there.
  const [row] = await elsewhere.db.query<{ payments: number; events: number }>(
    sql`select (select count(*)::integer from payments) as payments,
      (select count(*)::integer from events where event = 'payment.created') as events`,
  );
  expect(row?.payments).toBeGreaterThan(20);
  expect(row?.events).toBe(row?.payments);
  await service.close();
  await elsewhere.drop();
});

test('of two backups to one name at once, one is complete, the other is refused, and nothing else is left', async () => {
  const service = await testService();
  const client = await service.client();
  for (let n = 0; n < 20; n++) await make.tenant(client);
  const elsewhere = await testDatabase('empty');
  const file = freshFile();
  const results = await Promise.allSettled([1, 2].map(() => backUp(service.database.db, file, options)));
  const [told, ...more] = results.filter((result) => result.status === 'rejected');
  expect(more).toEqual([]);
  expect(told?.reason.message).toBe(`${file} already exists; choose another name.`);
  await restore(elsewhere.db, file, anyKey);
  expect((await contents(elsewhere.db)).tenants).toEqual((await contents(service.database.db)).tenants);
  expect(drafts()).toEqual([]);

  // Nor is a draft left where it went wrong on the way.
  const failing = { ...service.database.db, connect: () => failingClient(service.database.db) };
  await expect(backUp(failing, freshFile(), options)).rejects.toThrow('the connection is lost');
  expect(readdirSync(folder).filter((name) => name.startsWith(`${files}.`))).toEqual([]);
  await service.close();
  await elsewhere.drop();
});

/** Fails when it has some rows. */
async function failingClient(db: Database) {
  const client = await db.connect();
  let fetched = 0;
  const query = (text: string) =>
    text.startsWith('fetch') && ++fetched > 3
      ? Promise.reject(new Error('the connection is lost'))
      : client.query(text);
  return Object.assign(Object.create(client), { query }) as typeof client;
}

test('a backup of an older schema is restored as it was and then migrated; one of a newer release is refused', async () => {
  const older = await testDatabase('empty');
  const elsewhere = await testDatabase('empty');
  await migrate(older.db, 2);
  await older.db.query(sql`insert into accounts (id, name, slug) values (gen_random_uuid(), 'Old', 'old')`);
  const file = freshFile();
  await backUp(older.db, file, options);
  await restore(elsewhere.db, file, anyKey);
  expect(await migrate(elsewhere.db)).toEqual([]);
  await migrate(older.db);
  expect((await contents(elsewhere.db)).accounts).toEqual((await contents(older.db)).accounts);

  const started = await testDatabase('migrated');
  await expect(restore(started.db, file, anyKey)).rejects.toThrow('restore into a new database');

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
  await expect(restore(empty.db, newer, anyKey)).rejects.toThrow('knows only up to');
  for (const database of [older, elsewhere, started, empty]) await database.drop();
});

test('a backup during which the schema changes fails, and leaves no file', async () => {
  const database = await testDatabase('empty');
  await migrate(database.db, 6);
  const upgrade = await database.db.connect();
  await upgrade.query('begin; lock table deliveries in access exclusive mode');
  const file = freshFile();
  const backedUp = backUp(database.db, file, options);
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
  await database.drop();
});

test('half a file, a damaged one and another kind of file are refused, and leave nothing behind', async () => {
  const service = await testService();
  const elsewhere = await testDatabase('empty');
  await make.tenant(await service.client());
  const file = freshFile();
  await backUp(service.database.db, file, options);
  truncateSync(file, statSync(file).size - 40);
  await expect(restore(elsewhere.db, file, anyKey)).rejects.toThrow('is incomplete');
  writeFileSync(file, gzipSync('{"tenure_backup":7}\n'));
  await expect(restore(elsewhere.db, file, anyKey)).rejects.toThrow('not a backup that this version');
  writeFileSync(file, 'hello');
  await expect(restore(elsewhere.db, file, anyKey)).rejects.toThrow('is not a Tenure backup');
  await expect(restore(elsewhere.db, '/nonexistent', anyKey)).rejects.toThrow('There is no file');
  expect(Object.values(await contents(elsewhere.db)).flat()).toEqual([]);
  await service.close();
  await elsewhere.drop();
});

test('an embedded installation, backed up while it serves and restored into another folder, goes on there', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const [here, there] = [await ownSettings(localTargets), await ownSettings(localTargets)];
  const filled = await fillInstallation(here, receiver);
  onTestFinished(async () => {
    filled.server.kill('SIGTERM');
    await filled.server.ended;
  });
  const file = freshFile();
  const made = await tenure<{ rows: number; holds_key: boolean }>(here, 'backup', file);
  expect(made.holds_key).toBe(true);
  expect(made.rows).toBeGreaterThan(5000);
  expect(drafts()).toEqual([]);

  await tenure(there, 'restore', file);
  const keysOf = ({ DATA_DIR }: typeof here) =>
    readFileSync(join(DATA_DIR, 'secret.key'), 'utf8').split('\n');
  expect(keysOf(there)).toEqual(keysOf(here));

  // The key is rotated by one command, which does not do it under a running server's feet.
  await expect(tenure(here, 'secrets', 'rotate')).rejects.toThrow(/is in use by "tenure start"/);
  expect(await tenure(there, 'secrets', 'rotate')).toMatchObject({ ok: true, renewed: 1 });
  const [key, rotated] = keysOf(there);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(rotated).toMatch(new RegExp(`^${keysOf(here)[0]} until 20`));
  await expectGoesOn(there, filled, receiver);
});
