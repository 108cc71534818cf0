import type pg from 'pg';
import { type Database, inLongTransaction, liftLimits, withoutLimit } from '../db/connect.ts';
import { migrate, NewerDatabase, schemaVersion } from '../db/migrate.ts';
import { era } from '../db/records/written-in.ts';
import { type Head, type Line, readBackup, WrongBackup } from './backup-file.ts';
import { quoted, readTables, type Table } from './tables.ts';

interface Restored {
  createdAt: string;
  rows: number;
}

/** What to do with the secret key. */
export interface KeyOfBackup {
  /** Throws if the backup's secrets could not be read here. */
  check(head: Head): void;
  /** Called when all data is in, just before the commit. */
  keep(head: Head): void;
}

/** The settings with which the values were written. */
const asWritten = "set local timezone = 'UTC'; set local datestyle = 'ISO'";

/** How many rows to insert at a time, and how many characters they may have together. */
const batch = { rows: 1000, characters: 4_000_000 };

/**
 * Restores a backup into an empty database, all or nothing: the schema as it was then, the data, and then the
 * migrations that came later.
 */
export function restore(
  db: Database,
  file: string,
  key: KeyOfBackup,
  passphrase: () => Promise<string>,
): Promise<Restored> {
  return readBackup(file, passphrase, async (head, lines) => {
    key.check(head);
    await migrateTo(db, head.schema);
    const rows = await inLongTransaction(db, { settings: asWritten }, async (client) => {
      const tables = await readTables(client, { secrets: true });
      await refuseData(client, tables);
      const loaded = await load(client, tables, lines);
      key.keep(head);
      return loaded;
    });
    await migrate(db);
    // The data is in. Analyzing may take as long as it needs.
    await db.pool.query(withoutLimit(`begin; ${liftLimits}; analyze; commit`));
    return { createdAt: head.created_at, rows };
  });
}

async function migrateTo(db: Database, schema: number): Promise<void> {
  const { found, known } = await schemaVersion(db);
  if (schema > known) throw new NewerDatabase(schema, known);
  if (found > schema) {
    throw new Error(
      `The backup has schema version ${schema}, but the database is already at ${found}: restore into a new database.`,
    );
  }
  await migrate(db, schema);
}

/** Starting Tenure registers its key even in an empty database. Any other row is somebody's data. */
async function refuseData(client: pg.PoolClient, tables: Table[]): Promise<void> {
  for (const { name } of tables.filter((table) => table.name !== keysTable)) {
    const { rowCount } = await client.query(`/* across accounts */ select from ${quoted(name)} limit 1`);
    if (rowCount) throw new Error('The database already has data: restore into a new, empty one.');
  }
  if (tables.some(({ name }) => name === keysTable)) await client.query(`delete from ${keysTable}`);
}

const keysTable = 'secret_keys';

async function load(client: pg.PoolClient, tables: Table[], lines: AsyncIterable<Line>): Promise<number> {
  let into: Table | undefined;
  let waiting: string[] = [];
  let characters = 0;
  let total = 0;
  const flush = async () => {
    if (into && waiting.length > 0) await insert(client, into, waiting);
    total += waiting.length;
    waiting = [];
    characters = 0;
  };
  for await (const line of lines) {
    if (typeof line === 'string') {
      waiting.push(line);
      characters += line.length;
      if (waiting.length >= batch.rows || characters >= batch.characters) await flush();
    } else if ('table' in line) {
      await flush();
      into = target(tables, line);
    }
  }
  await flush();
  return total;
}

function target(tables: Table[], { table, columns }: { table: string; columns: string[] }): Table {
  const found = tables.find(({ name }) => name === table);
  if (!found || found.columns.join() !== columns.join())
    throw new WrongBackup(`The backup's table ${table} does not match the schema.`);
  return found;
}

async function insert(client: pg.PoolClient, { name, stored }: Table, rows: string[]): Promise<void> {
  const columns = stored.map(quoted).join(', ');
  // Another cluster has its own transaction numbers.
  const values = stored
    .map((column) => quoted(column) + (column === 'written_in' ? ` - ${era}` : ''))
    .join(', ');
  await client.query(
    `insert into ${quoted(name)} (${columns}) select ${values} from unnest($1::${quoted(name)}[])`,
    [rows],
  );
}
