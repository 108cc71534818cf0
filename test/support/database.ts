import pg from 'pg';
import { inject } from 'vitest';
import { connect, type Database } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { template } from './global-setup.ts';

let count = 0;

/** A busy machine may hold up what a test holds a lock for. */
const patientMs = 60_000;

export interface TestDatabase {
  db: Database;
  /** For processes of their own. */
  url: string;
  connection: pg.ClientConfig & { host: string };
  drop(): Promise<void>;
}

/** A migrated database of the test file's own, cloned from a template (about a tenth of a second). Or an empty one. */
export async function testDatabase(
  contents: 'migrated' | 'empty' = 'migrated',
  timeoutMs = patientMs,
): Promise<TestDatabase> {
  const name = `test_${process.pid}_${process.hrtime.bigint()}_${++count}`;
  await asAdmin(async (admin) => {
    if (contents === 'migrated') await makeTemplate(admin);
    await admin.query(`create database ${name} ${contents === 'migrated' ? `template ${template}` : ''}`);
  });
  const connection = { ...inject('postgres'), database: name };
  const db = open(name, timeoutMs);
  return {
    db,
    connection,
    url: `postgres://${connection.user}@/${name}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`,
    async drop() {
      await db.close();
      await asAdmin((admin) => admin.query(`drop database ${name} with (force)`));
    },
  };
}

async function makeTemplate(admin: pg.Client): Promise<void> {
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [template]);
  if (rowCount) return;
  await admin.query(`create database ${template}_new`);
  const db = open(`${template}_new`);
  await migrate(db);
  await db.close();
  await admin.query(`alter database ${template}_new rename to ${template}`);
}

/** A template cannot be cloned while somebody else is cloning or making it. */
function asAdmin<Result>(work: (admin: pg.Client) => Promise<Result>): Promise<Result> {
  return inTurn('test databases', work);
}

/** One of all test files at a time. */
export async function inTurn<Result>(
  what: string,
  work: (admin: pg.Client) => Promise<Result>,
): Promise<Result> {
  const admin = new pg.Client(inject('postgres'));
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock(hashtext($1))', [what]);
    return await work(admin);
  } finally {
    await admin.end();
  }
}

function open(database: string, timeoutMs = patientMs): Database {
  const connection = { ...inject('postgres'), database };
  return connect({ connection, poolSize: 10, timeoutMs, onError: () => undefined });
}
