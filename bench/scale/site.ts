import { readFileSync } from 'node:fs';
import pg from 'pg';
import { connect, type Database } from '../../src/db/connect.ts';
import { distribute } from '../../src/db/distributed/distribute.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openPostgres, runOn } from '../lib/postgres.ts';

/** Where the data is: one PostgreSQL, or a coordinator and the nodes behind it, each with its own processor time. */
export interface Site extends AsyncDisposable {
  version: string;
  url: string;
  db: Database;
  /** Main processes, for their processor time: what Tenure is connected to, and the nodes that keep accounts. */
  pids: { postgres: number[]; nodes: number[] };
  /** Bytes ever written to all logs together. */
  walBytes(): Promise<number>;
  /** Writes out what is dirty, so that the next measurement does not pay for the one before. */
  settle(): Promise<void>;
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
  const { url } = await postgres.createDatabase('scale');
  return openSite([url], postgres[Symbol.asyncDispose]);
}

/**
 * A fresh database on a server that already runs on this machine, named by the URL of a superuser. With nodes (their
 * URLs) it is distributed over them; they and the coordinator must have Citus.
 */
export async function openGivenSite(name: string, url: string, nodes: string[] = []): Promise<Site> {
  const database = `scale_${name.replaceAll(/\W+/g, '_').toLowerCase()}`;
  const servers = [url, ...nodes];
  const on = (connectionString: string, text: string) => runOn({ connectionString }, text);
  const inDatabase = (server: string) => Object.assign(new URL(server), { pathname: `/${database}` }).href;
  const drop = async () => {
    for (const server of servers) await on(server, `drop database if exists ${database} with (force)`);
  };
  await drop();
  for (const server of servers) await on(server, `create database ${database}`);
  if (nodes.length > 0) {
    for (const server of servers) await on(inDatabase(server), 'create extension citus');
    for (const [at, server] of servers.entries()) {
      const { hostname, port } = new URL(server);
      const join = at === 0 ? 'citus_set_coordinator_host' : 'citus_add_node';
      await on(inDatabase(url), `select ${join}('${hostname}', ${port})`);
    }
    const { hostname, port } = new URL(url);
    const keepNothing = `select citus_set_node_property('${hostname}', ${port}, 'shouldhaveshards', false)`;
    await on(inDatabase(url), keepNothing);
  }
  const site = await openSite(servers.map(inDatabase), drop);
  if (nodes.length > 0) await distribute(site.db);
  return site;
}

/** Tenure uses the first of the databases; the others are the nodes'. */
async function openSite(urls: string[], end: () => PromiseLike<void>): Promise<Site> {
  const clients = urls.map((connectionString) => new pg.Client({ connectionString }));
  for (const client of clients) await client.connect();
  const [url = ''] = urls;
  const connection = { connectionString: url };
  const db = connect({ connection, poolSize: 4, timeoutMs: 300_000, onError: console.error });
  await migrate(db);
  const onAll = (text: string) => Promise.all(clients.map((client) => client.query(text)));
  const [version] = await onAll('show server_version');
  const [first = 0, ...others] = await Promise.all(clients.map(mainProcess));
  return {
    version: String(version?.rows[0]?.server_version).split(' ')[0] ?? '',
    url,
    db,
    pids: { postgres: [first], nodes: others },
    async walBytes() {
      const bytes = "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes";
      return (await onAll(bytes)).reduce((sum, { rows }) => sum + rows[0]?.bytes, 0);
    },
    settle: async () => void (await onAll('checkpoint')),
    async [Symbol.asyncDispose]() {
      await db.close();
      for (const client of clients) await client.end();
      await end();
    },
  };
}

/** The parent of the process that serves a connection. */
async function mainProcess(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${rows[0]?.pid}/status`, 'utf8'))?.[1]);
}
