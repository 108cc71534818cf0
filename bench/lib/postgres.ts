import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbedded } from '../../src/embedded-postgres/embedded-postgres.ts';
import { disposable } from './disposable.ts';

/** The Postgres of a suite: one server, with the settings of `npm start`, for all contenders. */
export interface BenchPostgres extends AsyncDisposable {
  /** Its main process, for its processor time. */
  pid: number;
  version: string;
  /** An empty database, or a copy of another; one of that name from before is dropped. */
  createDatabase(name: string, copyOf?: string): Promise<BenchDatabase>;
  /** Writes out what is dirty, so that the next contender does not pay for the one before. */
  settle(): Promise<void>;
}

export interface BenchDatabase {
  connection: { host: string; port: number; user: string; database: string };
  /** The same for those who take a URL. */
  url: string;
}

export async function openPostgres(purpose: string): Promise<BenchPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-bench-'));
  chmodSync(folder, 0o711); // as root, Postgres runs as another user and must get in
  const postgres = await openEmbedded({
    dataDir: folder,
    role: 'server',
    purpose: `bench ${purpose}`,
    log: { info() {}, warn: console.warn, error: console.error },
  });
  const ending = disposable(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const { host, port, user } = postgres.connection;
  const asAdmin = (text: string) => runOn(postgres.connection, text);
  const { rows } = await asAdmin('show server_version');
  return {
    pid: Number(readFileSync(join(postgres.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]),
    version: String(rows[0]?.server_version),
    settle: async () => void (await asAdmin('checkpoint')),
    async createDatabase(name, copyOf = 'template1') {
      await asAdmin(`drop database if exists "${name}" with (force)`);
      await asAdmin(`create database "${name}" template "${copyOf}"`);
      return {
        connection: { host, port, user, database: name },
        url: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`,
      };
    },
    ...ending,
  };
}

/** One statement on a connection of its own. */
export async function runOn(connection: pg.ClientConfig, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}
