import { loadConfig } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { createLog } from '../log.ts';
import { print } from './command.ts';

export async function migrateCommand({ json }: { json?: boolean }): Promise<void> {
  const { db, close } = await openDatabase(loadConfig(), createLog('silent'), 'command');
  try {
    const applied = await migrate(db);
    print(
      json,
      { applied },
      applied.length > 0 ? applied.map((name) => `Applied ${name}`) : ['The database is up to date.'],
    );
  } finally {
    await close();
  }
}
