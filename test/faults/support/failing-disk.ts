import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { TestContext } from 'vitest';

interface FailingDisk {
  folder: string;
  /** Fails as a device with an error does: what is open stays open, and nothing more can be written. */
  fail(): void;
  /** To be called when nobody uses the disk any more: checks it and makes it writable again. */
  repair(): void;
  remove(): void;
}

/**
 * An ext4 of its own, in a file. It needs root on Linux and a loop device, which few containers have. Without these the
 * test is skipped.
 */
export function mountFailingDisk(context: TestContext, megabytes: number): FailingDisk {
  const own = mkdtempSync(join(tmpdir(), 'tenure-disk-'));
  chmodSync(own, 0o711);
  const [image, folder] = [join(own, 'image'), join(own, 'mounted')];
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });
  const mount = () => run('mount', '-o', 'loop,errors=remount-ro', image, folder);
  try {
    writeFileSync(image, '');
    truncateSync(image, megabytes * 1024 * 1024);
    run('mkfs.ext4', '-q', image);
    run('mkdir', folder);
    mount();
    chmodSync(folder, 0o711);
  } catch {
    rmSync(own, { recursive: true, force: true });
    context.skip('needs an ext4 of its own: run as root on Linux, with loop devices');
  }
  return {
    folder,
    fail() {
      const device = run('findmnt', '--noheadings', '--output', 'SOURCE', folder).trim();
      if (!device.startsWith('/dev/loop')) throw new Error(`${folder} is on ${device}, which is not ours.`);
      writeFileSync(`/sys/fs/ext4/${basename(device)}/trigger_fs_error`, 'a disk that fails');
    },
    repair() {
      run('umount', folder);
      // It ends with 1 when it has repaired something.
      try {
        run('e2fsck', '-y', image);
      } catch (error) {
        if ((error as { status?: number }).status !== 1) throw error;
      }
      mount();
    },
    remove() {
      run('umount', '--lazy', folder);
      rmSync(own, { recursive: true, force: true });
    },
  };
}
