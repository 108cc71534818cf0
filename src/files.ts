import { closeSync, fsyncSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

/*
 * A file that was written and flushed can still be gone after a power cut: its name is the folder's, and the folder must
 * be flushed as well.
 */

/** Some file systems do not flush folders, and who may not read a folder cannot have it flushed. */
const cannotFlush = new Set(['EACCES', 'EPERM', 'EINVAL', 'EISDIR']);

/** What was made, renamed or removed in the folder stays so. */
export function flushFolder(folder: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(folder, 'r');
    fsyncSync(handle);
  } catch (error) {
    if (!cannotFlush.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** With the folders above it. Says whether it was not there. */
export function makeFolder(folder: string, mode?: number): boolean {
  const first = mkdirSync(folder, { recursive: true, ...(mode !== undefined && { mode }) });
  if (first === undefined) return false;
  for (let made = folder; ; made = dirname(made)) {
    flushFolder(dirname(made));
    if (made === first || made === dirname(made)) return true;
  }
}

/** A finished file or folder takes its place, for good. */
export function moveInto(draft: string, path: string): void {
  renameSync(draft, path);
  flushFolder(dirname(path));
}
