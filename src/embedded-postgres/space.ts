import { statfsSync } from 'node:fs';

/**
 * Postgres stops altogether if it cannot make the next 16 MB file of its write-ahead log. If there is room for less
 * than two of them, we refuse writes before it comes to that, and reads still work.
 */
export const ROOM_TO_WRITE = 32 * 1024 * 1024;
/** The size of a new database, including its first write-ahead log. */
export const ROOM_FOR_NEW = 64 * 1024 * 1024;

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whether there is enough space to write. */
export const hasRoom = (folder: string): boolean => freeOrAll(folder) >= ROOM_TO_WRITE;

/** Whether this text reports a full disk. */
export const saysDiskFull = (text: string): boolean =>
  /No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/.test(text);

interface Log {
  info(about: object, message: string): void;
  error(about: object, message: string): void;
}

/** Checks the free space once a second, and logs when it runs out and when it is back. */
export function watchSpace(folder: string, log: Log): { isFull(): boolean; stop(): void } {
  let isFull = false;
  const look = () => {
    const free = freeOrAll(folder);
    if (free < ROOM_TO_WRITE === isFull) return;
    isFull = !isFull;
    const about = { folder, freeBytes: free };
    if (isFull)
      log.error(about, 'disk full: writes are refused until there is space again, reads still work');
    else log.info(about, 'there is space on the disk again: writes are accepted');
  };
  look();
  const timer = setInterval(look, 1_000).unref();
  return { isFull: () => isFull, stop: () => clearInterval(timer) };
}

/** A file system that does not report its free space counts as empty. */
export function freeOrAll(folder: string): number {
  try {
    return freeBytes(folder);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
