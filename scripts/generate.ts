// Writes the generated documents. With --check it only says which are stale, and then exits with 1.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../src/db/connect.ts';
import { migrate } from '../src/db/migrate.ts';
import { openEmbedded } from '../src/embedded-postgres/embedded-postgres.ts';
import { type Document, documents } from './generate/documents.ts';

const onlyCheck = process.argv.includes('--check');
const made = await onEmptyDatabase(documents);
const stale = made.filter((document) => document.text !== document.current);
for (const { path, write } of stale) {
  if (!onlyCheck) write();
  console.log(onlyCheck ? `${path} is stale: run npm run generate.` : `${path} written.`);
}
if (stale.length === 0) console.log('All generated documents are fresh.');
process.exitCode = onlyCheck && stale.length > 0 ? 1 : 0;

/** Runs on a new database, so that the documents describe what the migrations make and nothing else. */
async function onEmptyDatabase(work: typeof documents): Promise<Document[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tenure-generate-'));
  chmodSync(dataDir, 0o711); // as root, Postgres runs as another user, who must get in
  const log = { info() {}, warn: console.warn, error: console.error };
  const postgres = await openEmbedded({ dataDir, role: 'server', purpose: 'npm run generate', log });
  try {
    const db = connect({ connection: postgres.connection, poolSize: 2, onError: () => undefined });
    try {
      await migrate(db);
      return await work(db);
    } finally {
      await db.close();
    }
  } finally {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
