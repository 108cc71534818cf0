import pg from 'pg';
import { SUPERUSER } from './initdb.ts';
import { PORT } from './postmaster.ts';

export interface Connection {
  host: string;
  port: number;
  user: string;
  database: string;
  ssl: false;
  options: string;
}

/** `busy`: it is starting, recovering or shutting down. */
type Answer = 'ready' | 'busy' | 'silent';

const DATABASE = 'tenure';
const ASK_TIMEOUT_MS = 5_000;
/** Without these, pg would use PGSSLMODE and PGOPTIONS, which are meant for other databases. */
const notFromEnvironment = { ssl: false, options: '-c search_path=public' } as const;

export function connectionTo(socketFolder: string): Connection {
  return { host: socketFolder, port: PORT, user: SUPERUSER, database: DATABASE, ...notFromEnvironment };
}

/**
 * Asks whether Postgres answers. Nothing else is reliable: its pid file outlives it, and `pg_ctl` takes a zombie for
 * alive.
 */
export async function ask(connection: Connection): Promise<Answer> {
  try {
    await withClient(connection, async () => {});
    return 'ready';
  } catch (error) {
    const { code } = error as { code?: string };
    // 57P03 cannot connect now; 53300 all connections taken; 3D000 no such database, so it must be up
    if (code === '57P03') return 'busy';
    return code === '3D000' || code === '53300' ? 'ready' : 'silent';
  }
}

/** initdb makes no database for us, and a start can be killed between the two. */
export async function ensureDatabase(connection: Connection): Promise<void> {
  await withClient({ ...connection, database: 'postgres' }, async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  });
}

async function withClient(connection: Connection, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: ASK_TIMEOUT_MS });
  // A broken connection emits this too. Without a listener it would end our process.
  client.on('error', () => {});
  try {
    await client.connect();
    await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}
