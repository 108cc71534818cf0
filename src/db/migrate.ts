import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import type { Database } from './connect.ts';

const folder = new URL('../../db/migrations/', import.meta.url);

interface Migration {
  version: number;
  name: string;
  text: string;
}

/** The database was made by a newer Tenure: running older code on it could damage it. */
export class NewerDatabase extends Error {
  constructor(found: number, known: number) {
    super(
      `The database is at schema version ${found}, but this version of Tenure knows only up to ${known}. ` +
        'Run the newer Tenure, or restore a backup made before the upgrade.',
    );
  }
}

/**
 * Brings the database up to date and returns what it applied. Safe when several processes start at once:
 * a transaction lock lets one of them work while the others wait and then find nothing left to do.
 */
export async function migrate(database: Database): Promise<string[]> {
  const migrations = readMigrations();
  const client = await database.connect();
  // A connection lost between two statements would otherwise end the process.
  client.on('error', ignore);
  try {
    await client.query('begin');
    await client.query("select pg_advisory_xact_lock(hashtext('tenure migrations'))");
    const applied = await applyPending(client, migrations);
    await client.query('commit');
    return applied;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.removeListener('error', ignore);
    client.release();
  }
}

const ignore = () => undefined;

async function applyPending(client: pg.PoolClient, migrations: Migration[]): Promise<string[]> {
  await client.query(
    'create table if not exists schema_migrations (version integer primary key, name text not null, applied_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ version: number }>(
    'select coalesce(max(version), 0) as version from schema_migrations',
  );
  const current = rows[0]?.version ?? 0;
  const known = migrations.at(-1)?.version ?? 0;
  if (current > known) throw new NewerDatabase(current, known);

  const pending = migrations.filter((migration) => migration.version > current);
  for (const { version, name, text } of pending) {
    await client.query(text);
    await client.query('insert into schema_migrations (version, name) values ($1, $2)', [version, name]);
  }
  return pending.map(({ name }) => name);
}

/** Whether the database has exactly the schema this code expects. Cheap: /readyz asks it. */
export async function isMigrated(database: Database): Promise<boolean> {
  const { rows } = await database.pool.query<{ exists: boolean }>(
    "select to_regclass('schema_migrations') is not null as exists",
  );
  if (!rows[0]?.exists) return false;
  const { rows: found } = await database.pool.query<{ version: number }>(
    'select coalesce(max(version), 0) as version from schema_migrations',
  );
  return found[0]?.version === readMigrations().at(-1)?.version;
}

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
