import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { connect, type Database } from './connect.ts';
import { openEmbedded } from './embedded/embedded.ts';

/** The database of the settings: a given one, or the embedded one, started for as long as we need it. */
export async function openDatabase(
  config: Config,
  log: Log,
  role: 'server' | 'command',
): Promise<{ db: Database; close: () => Promise<void> }> {
  const embedded = config.DATABASE_URL
    ? null
    : await openEmbedded({
        dataDir: config.DATA_DIR,
        role,
        log,
        purpose: role === 'server' ? 'tenure start' : 'a tenure command',
      });
  const db = connect({
    connection: embedded?.connection ?? { connectionString: config.DATABASE_URL },
    poolSize: config.DATABASE_POOL_SIZE,
    onError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  });
  return {
    db,
    close: async () => {
      await db.close();
      await embedded?.stop();
    },
  };
}
