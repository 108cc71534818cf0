import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { changingSchema, type Database, inLongTransaction, withoutLimit } from './connect.ts';
import { distributeNew } from './distributed/distribute.ts';
import { checkServerVersion } from './server-version.ts';

const folder = new URL('../../db/migrations/', import.meta.url);

interface Migration {
  version: number;
  name: string;
  text: string;
}

/** The database belongs to a newer Tenure. Running older code on it could damage it. */
export class NewerDatabase extends Error {
  constructor(found: number, known: number) {
    super(
      `The database is at schema version ${found}, but this version of Tenure knows only up to ${known}. ` +
        'Run the newer Tenure, or restore a backup made before the upgrade.',
    );
  }
}

/**
 * Brings the database up to date and returns what it applied. Several processes may start at once: a transaction lock
 * lets one of them work while the others wait and then find nothing left to do. `upTo` stops at an older schema, which
 * a backup may need.
 */
export async function migrate(database: Database, upTo = newestKnown()): Promise<string[]> {
  const applied = await applyAll(database, upTo);
  // Even if nothing was applied, because an earlier process may have ended in between.
  await distributeNew(database);
  return applied;
}

async function applyAll(database: Database, upTo: number): Promise<string[]> {
  const migrations = readMigrations().filter(({ version }) => version <= upTo);
  return inLongTransaction(database, { settings: changingSchema }, async (client) => {
    await checkServerVersion(client);
    return applyPending(client, migrations);
  });
}

async function applyPending(client: pg.PoolClient, migrations: Migration[]): Promise<string[]> {
  await client.query(
    'create table if not exists schema_migrations (version integer primary key, name text not null, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ version: number }>(
    'select coalesce(max(version), 0) as version from schema_migrations',
  );
  const current = rows[0]?.version ?? 0;
  const known = newestKnown();
  if (current > known) throw new NewerDatabase(current, known);

  const pending = migrations.filter((migration) => migration.version > current);
  for (const { version, name, text } of pending) {
    await client.query(withoutLimit(text));
    await client.query('insert into schema_migrations (version, name) values ($1, $2)', [version, name]);
  }
  return pending.map(({ name }) => name);
}

/**
 * Whether this code can work on the database. For a running process, a newer schema will do: a migration leaves the
 * previous release working, so that processes can be upgraded one by one. Cheap, because /readyz asks it.
 */
export async function isMigrated(database: Database): Promise<boolean> {
  const { found, known } = await schemaVersion(database);
  return found >= known;
}

/** The newest migration in the database, and the newest that this code knows. */
export async function schemaVersion(database: Database): Promise<{ found: number; known: number }> {
  const known = newestKnown();
  const { rows: tables } = await database.pool.query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  );
  if (!tables[0]?.exists) return { found: 0, known };
  const { rows } = await database.pool.query<{ version: number }>(
    'select coalesce(max(version), 0) as version from schema_migrations',
  );
  return { found: rows[0]?.version ?? 0, known };
}

const newestKnown = (): number => readMigrations().at(-1)?.version ?? 0;

let cached: Migration[] | undefined;

function readMigrations(): Migration[] {
  cached ??= readdirSync(folder)
    .filter((name) => /^\d{4}_.+\.sql$/.test(name))
    .sort()
    .map((name) => ({
      version: Number(name.slice(0, 4)),
      name: name.replace(/\.sql$/, ''),
      text: readFileSync(new URL(name, folder), 'utf8'),
    }));
  return cached;
}
