import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { alone, run } from './lock.mjs';
import { Problem } from './problem.mjs';

const POLICY = '/usr/sbin/policy-rc.d';

/** Installs these packages if they are missing. If it cannot, it throws a Problem that says what to do. */
export async function ensureDebian(packages) {
  const wanted = missing(packages);
  if (wanted.length === 0) return;
  refuseWithoutRights(wanted);
  await alone(async () => {
    const names = missing(packages);
    if (names.length > 0) await installFromDebian(names);
  });
}

/** For callers that already hold the lock. */
export async function installFromDebian(names) {
  refuseWithoutRights(names);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const failure = `Debian's packages did not install; try: ${advice(names)}`;
  const apt = (...args) =>
    run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], { env, failure });
  await withoutServices(async () => {
    await apt('update');
    await apt('install', '-y', '--no-install-recommends', ...names);
  });
}

const advice = (names) => `sudo apt-get install ${names.join(' ')}`;

function refuseWithoutRights(names) {
  if (!existsSync('/usr/bin/apt-get')) throw new Problem(`Needs Debian's packages ${names.join(', ')}.`);
  if (process.getuid?.() !== 0) throw new Problem(`Needs Debian's packages: ${advice(names)}`);
}

function missing(packages) {
  return packages.filter((name) => {
    try {
      return !/^Status: .* installed$/m.test(
        execFileSync('dpkg', ['-s', name], { stdio: 'pipe' }).toString(),
      );
    } catch {
      return true;
    }
  });
}

/** Debian's way to keep packages from starting their services: we want only the programs. */
async function withoutServices(work) {
  if (existsSync(POLICY)) return work();
  writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return await work();
  } finally {
    rmSync(POLICY, { force: true });
  }
}
