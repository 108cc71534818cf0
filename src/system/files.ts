import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/*
 * A file that was written and flushed can still be gone after a power cut: its name is the folder's, and the folder
 * must be flushed as well.
 */

/** Some file systems do not flush folders, and a folder that may not be read cannot be flushed. */
const cannotFlush = new Set(['EACCES', 'EPERM', 'EINVAL', 'EISDIR']);

/** Makes what was made, renamed or removed in the folder permanent. */
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

/** What file systems without hard links answer: FAT, shares of Windows, some containers. */
const cannotLink = new Set(['EPERM', 'EACCES', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

/**
 * Gives a finished file a name that is free, for good. A file of that name stays as it is (EEXIST). Renaming would
 * overwrite it, even one that was not there a moment ago.
 */
export function placeNew(draft: string, path: string, link: typeof linkSync = linkSync): void {
  if (linked(draft, path, link)) rmSync(draft);
  else reserveAndRename(draft, path);
  flushFolder(dirname(path));
}

function linked(draft: string, path: string, link: typeof linkSync): boolean {
  try {
    link(draft, path);
    return true;
  } catch (error) {
    if (cannotLink.has((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** For a moment there is an empty file, which is ours: others find the name taken. */
function reserveAndRename(draft: string, path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}
