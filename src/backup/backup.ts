import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import type pg from 'pg';
import { type Database, inLongTransaction } from '../db/connect.ts';
import { NewerDatabase, schemaVersion } from '../db/migrate.ts';
import { placeNew } from '../system/files.ts';
import { version } from '../system/version.ts';
import { type Head, type Line, writeBackup } from './backup-file.ts';
import { quoted, readTables, secretColumns, type Table } from './tables.ts';

interface BackedUp {
  tables: number;
  rows: number;
  /** Whether it contains the secret key. */
  holdsKey: boolean;
}

interface BackupOptions {
  now: Date;
  /** Without it the backup is not encrypted. */
  passphrase?: string | null;
  /**
   * Asks for what lets people in: sessions and the secret key. Returns the lines of secret.key that hold the keys in
   * use when the backup is made, or null if the key is kept elsewhere.
   */
  secrets?: (inUse: readonly string[]) => string[] | null;
}

/** Rows to fetch at a time: a few megabytes at most. A chunk of a file is half a megabyte as text. */
const batchOf = (table: string): number => ({ file_chunks: 8, file_contents: 50 })[table] ?? 1000;

/**
 * Writes all data as of one moment, while others keep writing. It needs only a connection, so it works with the
 * embedded Postgres, which has no pg_dump, and across versions of Postgres.
 */
export async function backUp(
  db: Database,
  file: string,
  { now, passphrase = null, secrets }: BackupOptions,
): Promise<BackedUp> {
  if (existsSync(file)) throw taken(file);
  const { found, known } = await schemaVersion(db);
  // A newer release may have tables that we do not know.
  if (found > known) throw new NewerDatabase(found, known);
  if (found === 0) throw new Error('There is nothing to back up: the database is empty.');
  // A unique name: otherwise two backups to the same file would write into each other's draft.
  const draft = `${file}.${randomBytes(4).toString('hex')}.unfinished`;
  try {
    const done = await inLongTransaction(db, snapshot, async (client) => {
      const inUse = await fingerprints(client);
      const keys = secrets?.(inUse) ?? null;
      const counted: BackedUp = { tables: 0, rows: 0, holdsKey: keys !== null };
      const head: Head = {
        tenure_backup: 1,
        version,
        schema: found,
        created_at: now.toISOString(),
        fingerprints: inUse,
        key_file: keys,
      };
      const lines = linesOf(client, head, counted, secrets !== undefined);
      await writeBackup(draft, lines, passphrase);
      return counted;
    });
    // A snapshot does not cover columns: a table has the columns it has when it is read.
    if ((await schemaVersion(db)).found !== found)
      throw new Error('The database was upgraded while the backup was made; make it again.');
    giveName(draft, file);
    return done;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

const taken = (file: string) => new Error(`${file} already exists; choose another name.`);

/** Another backup may have taken the name since we checked. */
function giveName(draft: string, file: string): void {
  try {
    placeNew(draft, file);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST' ? taken(file) : error;
  }
}

/**
 * Shows all data as of one moment, with values in a form that does not depend on the server's settings.
 *
 * The first two settings are for a distributed database, and plain PostgreSQL ignores them: each node then writes its
 * rows with the settings that follow, and over one connection, so that all of an account's rows are of one moment.
 */
const snapshot = {
  isolation: 'isolation level repeatable read, read only',
  settings: `set local citus.propagate_set_commands = 'local'; set local citus.max_adaptive_executor_pool_size = 1;
    set local timezone = 'UTC'; set local datestyle = 'ISO'; set local bytea_output = 'hex';
    set local extra_float_digits = 1; set local intervalstyle = 'iso_8601'`,
};

async function fingerprints(client: pg.PoolClient): Promise<string[]> {
  const { rows: tables } = await client.query<{ exists: boolean }>(
    "select to_regclass('secret_keys') is not null as exists",
  );
  if (!tables[0]?.exists) return [];
  const { rows } = await client.query<{ fingerprint: string }>('select fingerprint from secret_keys');
  return rows.map(({ fingerprint }) => fingerprint);
}

async function* linesOf(
  client: pg.PoolClient,
  head: Head,
  counted: BackedUp,
  secrets: boolean,
): AsyncGenerator<Head | Line> {
  yield head;
  for (const table of await readTables(client, { secrets })) {
    yield { table: table.name, columns: table.columns };
    for await (const row of rowsOf(client, table, secrets ? [] : (secretColumns[table.name] ?? []))) {
      counted.rows += 1;
      yield row;
    }
    counted.tables += 1;
  }
  yield { rows: counted.rows };
}

async function* rowsOf(
  client: pg.PoolClient,
  { name, columns }: Table,
  blank: readonly string[],
): AsyncGenerator<string> {
  const values = columns.map((column) => (blank.includes(column) ? 'null' : quoted(column))).join(', ');
  const batch = batchOf(name);
  await client.query(
    `/* across accounts */ declare backup no scroll cursor for select row(${values})::text as row from ${quoted(name)}`,
  );
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${batch} from backup`);
    for (const { row } of rows) yield row;
    if (rows.length < batch) break;
  }
  await client.query('close backup');
}
