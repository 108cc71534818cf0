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
 * Makes the cluster if there is none. An initdb that was killed leaves a folder that only looks like data. So initdb
 * works in a temporary folder, which gets its real name when everything is done.
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
  // The same sort order and case rules on every machine, whatever its language.
  args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  // Postgres can be reached only through its socket, and the socket only by its own user.
  args.push('--auth-local=trust', '--auth-host=reject', ...extra);
  const from = boundLog(layout);
  // Rejects if the program cannot run at all, as on Alpine, which has another C library.
  const code = await once(run(layout, 'initdb', args), 'exit').then(([code]) => code, String);
  if (code === 0) return;
  if (saysDiskFull(readLog(layout, from))) throw diskFull(layout.folder);
  throw new EmbeddedProblem(
    `Postgres could not set up its data in ${folder} (${code}). Fix that, or set DATABASE_URL to a Postgres of your own.\n${readLog(layout, from)}`,
  );
}

// Removes what killed starts left. If their initdb is still writing, a later start removes it.
function clearDrafts(layout: Layout): void {
  for (const name of readdirSync(layout.folder)) {
    if (!name.startsWith('cluster.new-')) continue;
    try {
      rmSync(join(layout.folder, name), { recursive: true, force: true });
    } catch {}
  }
}
