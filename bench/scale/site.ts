import { readFileSync } from 'node:fs';
import pg from 'pg';
import { connect, type Database } from '../../src/db/connect.ts';
import { distribute } from '../../src/db/distributed/distribute.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openPostgres } from '../lib/postgres.ts';

/** Where the data is: one PostgreSQL, or a coordinator and the nodes behind it, each with its own processor time. */
export interface Site {
  name: string;
  version: string;
  url: string;
  db: Database;
  /** Main processes, for their processor time: what Tenure is connected to, and the nodes that keep accounts. */
  pids: { postgres: number[]; nodes: number[] };
  /** Bytes that were written to all logs together, since ever. */
  walBytes(): Promise<number>;
  /** Writes out what is dirty, so that the next measurement does not pay for the one before. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Servers that somebody else has installed and started on this machine, by URLs of a superuser: a plain PostgreSQL, a
 * coordinator with Citus, and its nodes, separated by commas.
 */
const { BENCH_POSTGRES, BENCH_COORDINATOR, BENCH_NODES } = process.env;
export const given = {
  postgres: BENCH_POSTGRES,
  coordinator: BENCH_COORDINATOR,
  nodes: (BENCH_NODES ?? '').split(',').filter((url) => url !== ''),
};

/** A PostgreSQL of our own, with the settings of `npm start`. */
export async function openOwnSite(purpose: string): Promise<Site> {
  const postgres = await openPostgres(purpose);
  const database = await postgres.createDatabase('scale');
  const site = await openSite(
    purpose,
    [new pg.Client(database.connection)],
    database.url,
    database.connection,
  );
  return {
    ...site,
    pids: { postgres: [postgres.pid], nodes: [] },
    async close() {
      await site.close();
      await postgres.stop();
    },
  };
}

/**
 * A fresh database on a server that runs on this machine already, named by the URL of a superuser. With nodes (their
 * URLs) it is distributed over them; they and the coordinator must have Citus.
 */
export async function openGivenSite(name: string, url: string, nodes: string[] = []): Promise<Site> {
  const database = `scale_${name.replaceAll(/\W+/g, '_').toLowerCase()}`;
  const servers = [url, ...nodes];
  for (const server of servers) {
    await runOn(server, `drop database if exists ${database} with (force)`);
    await runOn(server, `create database ${database}`);
  }
  const inDatabase = (server: string) => Object.assign(new URL(server), { pathname: `/${database}` }).href;
  if (nodes.length > 0) {
    for (const server of servers) await runOn(inDatabase(server), 'create extension citus');
    for (const [at, server] of servers.entries()) {
      const { hostname, port } = new URL(server);
      const join = at === 0 ? 'citus_set_coordinator_host' : 'citus_add_node';
      await runOn(inDatabase(url), `select ${join}('${hostname}', ${port})`);
    }
    await runOn(
      inDatabase(url),
      `select citus_set_node_property('${new URL(url).hostname}', ${new URL(url).port}, 'shouldhaveshards', false)`,
    );
  }
  const clients = servers.map((server) => new pg.Client({ connectionString: inDatabase(server) }));
  const site = await openSite(name, clients, inDatabase(url), { connectionString: inDatabase(url) });
  if (nodes.length > 0) await distribute(site.db);
  return {
    ...site,
    async close() {
      await site.close();
      for (const server of servers) await runOn(server, `drop database if exists ${database} with (force)`);
    },
  };
}

/** The first of the clients is connected to what Tenure uses, the others to the nodes. */
async function openSite(
  name: string,
  clients: pg.Client[],
  url: string,
  connection: pg.PoolConfig,
): Promise<Site> {
  for (const client of clients) await client.connect();
  const db = connect({ connection, poolSize: 4, timeoutMs: 300_000, onError: console.error });
  await migrate(db);
  const onAll = (text: string) => Promise.all(clients.map((client) => client.query(text)));
  const [version] = await onAll('show server_version');
  const [first = 0, ...others] = await Promise.all(clients.map(mainProcess));
  return {
    name,
    version: String(version?.rows[0]?.server_version).split(' ')[0] ?? '',
    url,
    db,
    pids: { postgres: [first], nodes: others },
    async walBytes() {
      const answers = await onAll(
        "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes",
      );
      return answers.reduce((sum, { rows }) => sum + rows[0]?.bytes, 0);
    },
    settle: async () => void (await onAll('checkpoint')),
    async close() {
      await db.close();
      for (const client of clients) await client.end();
    },
  };
}

/** The parent of the process that serves a connection. Only on this machine. */
async function mainProcess(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  try {
    return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${rows[0]?.pid}/status`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
}

async function runOn(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
