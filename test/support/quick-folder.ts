import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** More than the databases and data folders of a test run take, with as much again for everything else. */
const plentyBytes = 4 * 1024 ** 3;

/**
 * Where the databases of tests are: in memory, if there is plenty. On a disk, Postgres spent a quarter of its processor
 * time on making and removing files, and servers with a data folder of their own waited for fsync.
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
