import { migrate } from '../db/migrate.ts';
import { print, withDatabase } from './command.ts';

export async function migrateCommand({ json }: { json?: boolean }): Promise<void> {
  const applied = await withDatabase((db) => migrate(db), { migrated: false });
  print(
    json,
    { applied },
    applied.length > 0 ? applied.map((name) => `Applied ${name}`) : ['The database is up to date.'],
  );
}
