import { endsWithin } from '../clock.ts';
import type { Config } from '../config.ts';
import { openEmbedded } from '../embedded-postgres/embedded-postgres.ts';
import type { Log } from '../log.ts';
import { connect, type Database } from './connect.ts';

const closeWithinMs = 5_000;

interface Opened {
  db: Database;
  /** The resolved path of the embedded database's data folder. */
  dataDir: string | null;
  close: () => Promise<void>;
}

/**
 * The database that the settings name: DATABASE_URL, or the embedded one, started for as long as we need it. A command
 * that cannot share it with a running server takes the server's role.
 */
export async function openDatabase(
  config: Config,
  log: Log,
  role: 'server' | 'command',
  purpose = role === 'server' ? 'tenure start' : 'a tenure command',
): Promise<Opened> {
  const embedded = config.DATABASE_URL
    ? null
    : await openEmbedded({
        dataDir: config.DATA_DIR,
        role,
        log,
        purpose,
      });
  const db = connect({
    connection: embedded?.connection ?? { connectionString: config.DATABASE_URL },
    poolSize: config.DATABASE_POOL_SIZE,
    // Nobody waits on a connection for an answer to a command, and its statements may take long.
    timeoutMs: role === 'server' ? config.DATABASE_TIMEOUT_MS : Math.max(config.DATABASE_TIMEOUT_MS, 60_000),
    ...(embedded && { isFull: embedded.isFull }),
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  return {
    db,
    dataDir: embedded?.dataDir ?? null,
    close: async () => {
      // Closing waits for statements under way, which never end if the database does not answer.
      await endsWithin(closeWithinMs, db.close());
      await embedded?.stop();
    },
  };
}
