import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { moveInto } from '../system/files.ts';
import type { Layout } from './layout.ts';
import { diskFull, EmbeddedProblem } from './problem.ts';
import { boundLog, readLog, run } from './run.ts';
import { freeBytes, ROOM_FOR_NEW, saysDiskFull } from './space.ts';

export const SUPERUSER = 'tenure';

/**
 * Makes the cluster if there is none. A killed initdb leaves a folder that looks like data and is
 * none, so it works in a folder of its own that gets the real name when all is done.
 */
export async function initialise(layout: Layout, options: { sync: boolean }): Promise<void> {
  clearDrafts(layout);
  if (existsSync(layout.cluster)) return;
  if (freeBytes(layout.folder) < ROOM_FOR_NEW) throw diskFull(layout.folder);
  const draft = mkdtempSync(join(layout.folder, 'cluster.new-'));
  if (layout.account) chownSync(draft, layout.account.uid, layout.account.gid);
  try {
    await initdb(layout, draft, options.sync ? [] : ['--no-sync']);
    moveInto(draft, layout.cluster);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

async function initdb(layout: Layout, folder: string, extra: string[]): Promise<void> {
  const args = ['-D', folder, '-U', SUPERUSER, '--encoding=UTF8', '--data-checksums', '--no-instructions'];
  // The same order and case rules on every machine, whatever its own language.
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  // Only its socket reaches Postgres, and only its own user reaches the socket.
  args.push('--auth-local=trust', '--auth-host=reject', ...extra);
  const from = boundLog(layout);
  // Rejects when the program cannot be run at all, as on Alpine, which has another C library.
  const code = await once(run(layout, 'initdb', args), 'exit').then(([code]) => code, String);
  if (code === 0) return;
  if (saysDiskFull(readLog(layout, from))) throw diskFull(layout.folder);
  throw new EmbeddedProblem(
    `Postgres could not set up its data in ${folder} (${code}). Mend that, or set DATABASE_URL to a Postgres of your own.\n${readLog(layout, from)}`,
  );
}

// What killed starts left. An initdb of theirs may still be writing: then a later start clears it.
function clearDrafts(layout: Layout): void {
  for (const name of readdirSync(layout.folder)) {
    if (!name.startsWith('cluster.new-')) continue;
    try {
      rmSync(join(layout.folder, name), { recursive: true, force: true });
    } catch {}
  }
}
