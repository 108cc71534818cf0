import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { missing } from './missing.ts';

export interface SmallDisk {
  folder: string;
  freeBytes(): number;
  /** Fills the disk until this many bytes are free. */
  fill(leave?: number): void;
  /** Removes what fill() has written. */
  empty(): void;
  remount(how: 'ro' | 'rw'): void;
  remove(): void;
}

/** A file system of its own, in memory. It needs root on Linux. */
export function mountSmallDisk(context: TestContext, megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'tenure-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tenure-test', folder], {
      stdio: 'pipe',
    });
  } catch {
    rmdirSync(folder);
    missing(context, 'needs a file system of its own: run as root on Linux, where mount is allowed');
  }
  const filling = join(folder, 'filling');
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    folder,
    freeBytes,
    fill(leave = 0) {
      const file = openSync(filling, 'a');
      try {
        while (freeBytes() > leave) writeSync(file, Buffer.alloc(Math.min(freeBytes() - leave, 1_000_000)));
      } catch (error) {
        // Others may write to the disk too, so it may be full earlier.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filling, { force: true }),
    remount: (how) => void execFileSync('mount', ['-o', `remount,${how}`, folder]),
    remove() {
      execFileSync('umount', ['--lazy', folder]);
      rmdirSync(folder);
    },
  };
}
