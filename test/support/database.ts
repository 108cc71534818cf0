import pg from 'pg';
import { inject } from 'vitest';
import { lockAccount } from '../../src/db/account-lock.ts';
import { connect, type Database, type Db } from '../../src/db/connect.ts';
import { distribute } from '../../src/db/distributed/distribute.ts';
import { migrate } from '../../src/db/migrate.ts';
import { sql } from '../../src/db/sql.ts';
import { type Node, template } from './global-setup.ts';
import { until } from './process.ts';

let count = 0;

/** A busy machine may delay the work for which a test holds a lock. */
const patientMs = 60_000;

type Contents = 'migrated' | 'undistributed' | 'empty' | 'joined';

export interface TestDatabase {
  db: Database;
  /** The URL, for processes of their own. */
  url: string;
  connection: pg.ClientConfig & { host: string };
  drop(): Promise<void>;
}

/**
 * A migrated database of the test file's own, cloned from a template (in about a tenth of a second). Or an empty one.
 * On a cluster that is one without its extension, or `joined` to the nodes. Or `undistributed`: migrated, and only on
 * the coordinator, for tests about the plans and the catalog of one PostgreSQL.
 */
export async function testDatabase(
  contents: Contents = 'migrated',
  timeoutMs = patientMs,
): Promise<TestDatabase> {
  if (contents === 'undistributed' && !isCluster()) return testDatabase('migrated', timeoutMs);
  const name = `test_${process.pid}_${process.hrtime.bigint()}_${++count}`;
  await asAdmin(async (admin) => {
    if (contents === 'migrated') await makeTemplate(admin);
    // The files are copied. Through the write-ahead log, as Postgres would do it, it takes half as long again.
    const copy = `create database ${name} template ${template} strategy file_copy`;
    if (contents === 'migrated') await onEveryNode(admin, copy);
    else if (contents === 'joined') await onEveryNode(admin, `create database ${name}`);
    else await admin.query(`create database ${name}`);
  });
  const connection = { ...inject('postgres'), database: name };
  const db = open(name, timeoutMs);
  if (contents === 'joined') await joinNodes(db, name);
  if (contents === 'undistributed') await migrate(db);
  return {
    db,
    connection,
    url: `postgres://${connection.user}@/${name}?host=${encodeURIComponent(connection.host)}&port=${connection.port}`,
    async drop() {
      await db.close();
      await asAdmin((admin) => onEveryNode(admin, `drop database if exists ${name} with (force)`, 5));
    },
  };
}

async function makeTemplate(admin: pg.Client): Promise<void> {
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [template]);
  if (rowCount) return;
  const made = `${template}_new`;
  await onEveryNode(admin, `create database ${made}`);
  const db = open(made);
  await joinNodes(db, made);
  await migrate(db);
  if (isCluster()) await distribute(db);
  await db.close();
  // A cluster keeps connections to each of its databases, and opens new ones.
  if (isCluster())
    for (const statement of [
      `alter database ${made} allow_connections false`,
      `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${made}'`,
    ])
      await onEveryNode(admin, statement);
  await onEveryNode(admin, `alter database ${made} rename to ${template}`);
}

/** How many statements wait for a lock, on any node. */
export async function countLockWaits({ pool }: Pick<Database, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::integer from ${isCluster() ? 'citus_stat_activity' : 'pg_stat_activity'}
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.count ?? 0;
}

/** Takes the lock of an account. The returned function gives it back. */
export async function holdAccount(db: Db, accountId: string): Promise<() => Promise<void>> {
  const taken = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const work = db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    taken.resolve();
    await over.promise;
  });
  await Promise.race([taken.promise, work]);
  return () => {
    over.resolve();
    return work;
  };
}

/**
 * Waits until lists by changes and the feed of events show everything that was written so far. They wait for older
 * transactions of the whole server, even those of other tests.
 */
export async function untilSettled(db: Db): Promise<void> {
  // Each node counts its own transactions, and its rows have its numbers.
  const snapshot = 'select pg_current_snapshot()';
  const ask = () =>
    isCluster()
      ? sql`select result::pg_snapshot as at from run_command_on_all_nodes(${snapshot}) order by nodeid`
      : sql`select pg_current_snapshot() as at`;
  const read = async () => {
    const rows = await db.query<{ next: string; oldest: string }>(
      sql`select pg_snapshot_xmax(at)::text as next, pg_snapshot_xmin(at)::text as oldest from (${ask()}) nodes`,
    );
    return rows.map(({ next, oldest }) => ({ next: BigInt(next), oldest: BigInt(oldest) }));
  };
  const before = await read();
  await until(async () => (await read()).every(({ oldest }, n) => oldest >= (before[n]?.next ?? 0n)));
}

export const isCluster = (): boolean => inject('nodes').length > 0;

/** Joins the databases with this name on all nodes into one that is distributed over them. */
async function joinNodes(db: Database, database: string): Promise<void> {
  const nodes = inject('nodes');
  for (const node of nodes) await onNode(node, database, 'create extension citus');
  for (const { host, port, isCoordinator } of nodes)
    await db.pool.query(
      `select ${isCoordinator ? 'citus_set_coordinator_host' : 'citus_add_node'}('${host}', ${port})`,
    );
}

/**
 * Runs a statement on each node, since databases are made and dropped on each one separately. One PostgreSQL is a
 * single node.
 */
async function onEveryNode(admin: pg.Client, statement: string, tries = 1): Promise<void> {
  const others = inject('nodes').filter(({ isCoordinator }) => !isCoordinator);
  try {
    await Promise.all([admin.query(statement), ...others.map((node) => onNode(node, 'postgres', statement))]);
  } catch (error) {
    // Nodes connect to each other's databases all the time, so one that is to be dropped may just be in use again.
    if (!isCluster() || tries === 1 || (error as pg.DatabaseError).code !== '55006') throw error;
    await onEveryNode(admin, statement, tries - 1);
  }
}

/** Changes the database's settings on each node. */
export const onEveryNodeOf = ({ connection }: TestDatabase, setting: string): Promise<void> =>
  asAdmin((admin) => onEveryNode(admin, `alter database ${connection.database} ${setting}`));

async function onNode({ host, port }: Node, database: string, statement: string): Promise<void> {
  const client = new pg.Client({ ...inject('postgres'), host, port, database });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** A template cannot be cloned while somebody else is cloning or making it. */
function asAdmin<Result>(work: (admin: pg.Client) => Promise<Result>): Promise<Result> {
  return inTurn('test databases', work);
}

/** Runs this work for one test file at a time. */
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
