import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import {
  DataFolderHeld,
  type EmbeddedPostgres,
  openEmbedded,
} from '../../src/embedded-postgres/embedded-postgres.ts';
import { quickFolder } from './quick-folder.ts';

/** The database from which those of the test files are cloned. */
export const template = 'tenure_template';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Postgres of this test run: `inject('postgres')`, for `pg.Pool`. */
    postgres: EmbeddedPostgres['connection'];
    /** The nodes of a distributed database, including the coordinator. Empty for one PostgreSQL. */
    nodes: Node[];
    /** A folder of this test run that is deleted with it. */
    scratch: string;
  }
}

export interface Node {
  host: string;
  port: number;
  isCoordinator: boolean;
}

const PREFIX = 'tenure-test-';
const quiet = { info() {}, warn: console.warn, error: console.error };

/**
 * One Postgres for the whole run. Each test file clones its own database in it. TEST_DATABASE_URL, the address of a
 * superuser without a password, names another Postgres than the embedded one: an older version, for example. Or the
 * coordinator of a Citus cluster, whose database `postgres` has the extension and knows the nodes. Then every database
 * is distributed.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  for (const parent of new Set([quickFolder(), tmpdir()])) await sweep(parent);
  const other = process.env.TEST_DATABASE_URL;
  // Without a Postgres in the folder nobody would see that it is in use, and the sweep of another run must not find it.
  const folder = mkdtempSync(join(quickFolder(), other === undefined ? PREFIX : 'tenure-scratch-'));
  chmodSync(folder, 0o711); // as root, Postgres runs as another user and must get in
  const remove = () => rmSync(folder, { recursive: true, force: true });
  project.provide('scratch', folder);
  if (other !== undefined) {
    const { hostname, port, username, searchParams } = new URL(other);
    const connection = {
      host: searchParams.get('host') ?? hostname,
      port: Number(port || 5432),
      user: username,
      database: 'postgres',
      ssl: false,
      options: '-c search_path=public',
    } as const;
    const nodes = await findNodes(connection);
    for (const { host, port } of nodes.length > 0 ? nodes : [connection])
      await dropTemplates({ ...connection, host, port });
    project.provide('postgres', connection);
    project.provide('nodes', nodes);
    return async () => remove();
  }
  const postgres = await open(folder);
  project.provide('postgres', postgres.connection);
  project.provide('nodes', []);
  return async () => {
    await postgres.stop();
    remove();
  };
}

async function findNodes(connection: EmbeddedPostgres['connection']): Promise<Node[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<{ exists: boolean }>(
      "select to_regclass('pg_catalog.pg_dist_node') is not null as exists",
    );
    if (!rows[0]?.exists) return [];
    const { rows: nodes } = await client.query<Node>(
      `select nodename as host, nodeport as port, groupid = 0 as "isCoordinator" from pg_dist_node
       where isactive and noderole = 'primary' order by groupid`,
    );
    console.info(`All databases of this run are distributed over ${nodes.length} nodes.`);
    return nodes;
  } finally {
    await client.end();
  }
}

/** A template of an earlier run may have another schema, or be incomplete. */
async function dropTemplates(connection: EmbeddedPostgres['connection']): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  for (const name of [template, `${template}_new`])
    await client.query(`drop database if exists ${name} with (force)`);
  await client.end();
}

/** A killed run leaves its Postgres behind. This takes over what is left, and stops and removes it. */
async function sweep(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    const dataDir = join(parent, name);
    if (!name.startsWith(PREFIX) || !isOldAndOurs(dataDir)) continue;
    try {
      const left = await open(dataDir);
      await left.stop();
      rmSync(dataDir, { recursive: true, force: true });
    } catch (error) {
      if (!(error instanceof DataFolderHeld)) console.warn(`${dataDir} is left of an earlier run: ${error}`);
    }
  }
}

// A recent one may belong to a run that is starting at this moment.
function isOldAndOurs(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.uid === process.getuid?.() && Date.now() - (stat?.mtimeMs ?? 0) > 60_000;
}

function open(dataDir: string): Promise<EmbeddedPostgres> {
  return openEmbedded({
    dataDir,
    role: 'server',
    purpose: 'npm test',
    log: quiet,
    // The data lives for minutes, so speed comes before safety, and nothing is tidied up in the background.
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_wal_size: '2GB',
      checkpoint_timeout: '1h',
      autovacuum: 'off',
      max_connections: '300',
    },
  });
}
