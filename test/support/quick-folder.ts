import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** More than the databases and data folders of a test run take, and as much again is left to everything else. */
const plentyBytes = 4 * 1024 ** 3;

/**
 * Where databases of tests lie: in memory, where there is plenty of it. On a disk, a quarter of Postgres's processor
 * time went into making and removing files, and servers with a data folder of their own waited for fsync.
 */
export function quickFolder(): string {
  const memory = '/dev/shm';
  const hasRoom = freeBytesOf(memory) > plentyBytes && process.availableMemory() > 2 * plentyBytes;
  return hasRoom ? memory : tmpdir();
}

function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0; // macOS has none
  }
}
