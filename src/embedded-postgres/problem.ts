import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { saysDiskFull } from './space.ts';

/** The embedded Postgres cannot be used. The message tells people what is wrong and what to do. */
export class EmbeddedProblem extends Error {
  override name = 'EmbeddedProblem';
}

/** Another Tenure process has the data folder. The message says which one, since when, and what to do. */
export class DataFolderHeld extends EmbeddedProblem {
  override name = 'DataFolderHeld';
}

export const diskFull = (folder: string): EmbeddedProblem =>
  new EmbeddedProblem(
    `The disk is full: the database in ${folder} cannot be started. Free some space (at least 64 MB), or set DATA_DIR to a folder on another disk.`,
  );

/** Turns a refusal of the file system into a sentence about the folder. Other errors stay as they are. */
export function explainRefusal(error: unknown, folder: string): unknown {
  if (error instanceof EmbeddedProblem) return error;
  const { code = '', path = folder } = error as NodeJS.ErrnoException;
  if (saysDiskFull(code)) return diskFull(folder);
  if (code === 'EROFS') return readOnly(path);
  if (code === 'EACCES' || code === 'EPERM') return notAllowed(path);
  return error;
}

const readOnly = (path: string): EmbeddedProblem =>
  new EmbeddedProblem(
    `${path} cannot be written: its file system is read-only. Make it writable, or set DATA_DIR to a folder that is.`,
  );

export const notAllowed = (path: string): EmbeddedProblem =>
  new EmbeddedProblem(
    `${path} cannot be used by this user (${userName()}). Start Tenure as the user who started it first, give that user the folder (chown), or set DATA_DIR to a folder of your own.`,
  );

/** Turns what Postgres said when it did not start into a sentence, if we know one for it. */
export function explainStart(cluster: string, said: string): EmbeddedProblem {
  if (saysDiskFull(said)) return diskFull(cluster);
  if (/read-only file system/i.test(said)) return readOnly(cluster);
  if (/has invalid permissions/.test(said))
    return new EmbeddedProblem(
      `Other users may enter ${cluster}, so Postgres does not trust it. Run "chmod 700 ${cluster}" and start again.`,
    );
  if (/has wrong ownership|Permission denied/.test(said))
    return new EmbeddedProblem(
      `Not all of ${cluster} belongs to the user that Postgres runs as. Give all of it to that user (chown -R), or set DATA_DIR to another folder.`,
    );
  return new EmbeddedProblem(`Postgres did not start on ${cluster}:\n${said}`);
}

/** Why nothing can be made at this path, found at the nearest one that exists. (mkdir -p hides the reason.) */
export function refusalAt(path: string): EmbeddedProblem | undefined {
  try {
    if (!statSync(path).isDirectory())
      return new EmbeddedProblem(`${path} is not a folder. Set DATA_DIR to one.`);
    accessSync(path, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS') return readOnly(path);
    if (code === 'EACCES') return notAllowed(path);
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    return isMissing && dirname(path) !== path ? refusalAt(dirname(path)) : undefined;
  }
}

const userName = (): string => `uid ${process.getuid?.() ?? 'unknown'}`;
