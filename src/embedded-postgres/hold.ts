import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { diskFull, notAllowed, refusalAt } from './problem.ts';
import { isRunning } from './process.ts';

export type Role = 'server' | 'command';
type Stage = 'starting' | 'serving' | 'stopping';

/** What the holder tells others about itself. */
export interface Holder {
  pid: number;
  role: Role;
  purpose: string;
  since: string;
  stage: Stage;
}

export interface Hold {
  say(stage: Stage): void;
  release(): void;
}

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;

// The file is kept here because the garbage collector would close it, and with it give up the hold.
const held = new Set<DatabaseSync>();

/**
 * Takes the folder for this process, or returns undefined if another process holds it.
 *
 * The hold is SQLite's lock on an empty file: a kernel lock, which Node itself cannot take without an add-on. It ends
 * with the process, however the process dies. So there are no stale locks to judge, and a reused pid cannot mislead us.
 */
export function tryHold(folder: string, about: { role: Role; purpose: string }): Hold | undefined {
  const lock = lockFile(join(folder, 'hold.lock'));
  if (!lock) return undefined;
  held.add(lock);
  const holder: Holder = { ...about, pid: process.pid, since: new Date().toISOString(), stage: 'starting' };
  const release = () => {
    if (!held.delete(lock)) return;
    try {
      rmSync(join(folder, 'holder.json'), { force: true });
    } catch {
      // On a disk that has become read-only the file stays, and names a process that is gone.
    }
    lock.close();
  };
  try {
    writeHolder(folder, holder);
  } catch (error) {
    release();
    throw error;
  }
  return {
    say(stage) {
      try {
        writeHolder(folder, { ...holder, stage });
      } catch {
        // The note is only for others. On a full disk, work must continue, and stopping Postgres must still be
        // possible.
      }
    },
    release,
  };
}

/** The process that holds the folder, if it has written that down yet. */
export function readHolder(folder: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(join(folder, 'holder.json'), 'utf8')) as Holder;
    // A killed holder's note says nothing about the present holder.
    return isRunning(holder.pid) ? holder : undefined;
  } catch {
    return undefined;
  }
}

function lockFile(path: string): DatabaseSync | undefined {
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path);
    file.exec('pragma journal_mode = off; begin exclusive');
    // Nobody else may read the file: a reader could block us with a lock. (The mode is not set by opening it:
    // closing a second descriptor would end this process's locks on it.)
    chmodSync(path, 0o600);
    return file;
  } catch (error) {
    file?.close();
    const code = (error as { errcode?: number }).errcode;
    if (code === SQLITE_BUSY) return undefined;
    if (code === SQLITE_FULL) throw diskFull(dirname(path));
    if (code !== SQLITE_CANTOPEN && code !== SQLITE_READONLY) throw error;
    throw refusalAt(dirname(path)) ?? notAllowed(path);
  }
}

function writeHolder(folder: string, holder: Holder): void {
  const draft = join(folder, `holder.json.${process.pid}`);
  try {
    writeFileSync(draft, `${JSON.stringify(holder)}\n`);
    // The watchdog reads it as Postgres's user, whatever our umask is.
    chmodSync(draft, 0o644);
    renameSync(draft, join(folder, 'holder.json'));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
