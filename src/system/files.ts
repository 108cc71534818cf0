import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/*
 * A file that was written and flushed can still be gone after a power cut: its name belongs to the folder, which has to
 * be flushed as well.
 */

/** Some file systems do not flush folders, and a folder that may not be read cannot be flushed. */
const cannotFlush = new Set(['EACCES', 'EPERM', 'EINVAL', 'EISDIR']);

/** Makes files that were created, renamed or removed in the folder permanent. */
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

/**
 * Makes a folder, and those above it. Returns whether it was missing. (Node's `recursive` never returns if folders
 * cannot be made at all, as in /proc.)
 */
export function makeFolder(folder: string, mode?: number): boolean {
  try {
    return makeOne(folder, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || folder === dirname(folder)) throw error;
    makeFolder(dirname(folder), mode);
    return makeOne(folder, mode);
  }
}

function makeOne(folder: string, mode?: number): boolean {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
    throw error;
  }
  flushFolder(dirname(folder));
  return true;
}

/** Moves a finished file or folder to its final path, durably. */
export function moveInto(draft: string, path: string): void {
  renameSync(draft, path);
  flushFolder(dirname(path));
}

/** The errors of file systems without hard links: FAT, Windows shares, some containers. */
const cannotLink = new Set(['EPERM', 'EACCES', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

/**
 * Gives a finished file a free name, durably. An existing file of that name is kept (EEXIST). Renaming would overwrite
 * it, even if it was created only a moment ago.
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

/** For a moment there is an empty file of ours, so that others find the name taken. */
function reserveAndRename(draft: string, path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}
