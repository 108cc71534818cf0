import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { connect } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openEmbedded } from '../../src/embedded-postgres/embedded-postgres.ts';
import { inTurn } from './database.ts';
import { dataFolder } from './process.ts';
import { newKeyIn } from './service.ts';

const quiet = { info() {}, warn() {}, error() {} };

/**
 * A data folder with a migrated database and an account whose key may write. It is a copy of one that is made once in a
 * test run. A first start on an empty folder would take seconds, and so would the commands that make an account and a
 * key.
 */
export async function preparedFolder(): Promise<{ folder: string; key: string }> {
  const original = join(inject('scratch'), 'prepared');
  await inTurn('prepared folder', async () => {
    if (!existsSync(original)) await prepare(original);
  });
  const folder = await dataFolder();
  await promisify(execFile)('cp', ['-a', `${join(original, 'data')}/.`, folder]);
  return { folder, key: readFileSync(join(original, 'key'), 'utf8') };
}

async function prepare(original: string): Promise<void> {
  const draft = `${original}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o711 });
  const postgres = await openEmbedded({
    dataDir: join(draft, 'data'),
    role: 'server',
    purpose: 'npm test',
    log: quiet,
    settings: { fsync: 'off' },
  });
  const db = connect({ connection: postgres.connection, poolSize: 2, onError: () => undefined });
  try {
    await migrate(db);
    writeFileSync(join(draft, 'key'), await newKeyIn(db));
  } finally {
    await db.close();
    await postgres.stop();
  }
  renameSync(draft, original);
}
