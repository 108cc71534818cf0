import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { dirname, join } from 'node:path';

/** What it was measured on. */
export interface Machine {
  processor: string;
  cores: number;
  memoryGiB: number;
  system: string;
  /** Of the minute before the start: above half the cores, others were at work too. */
  loadBefore: number;
}

export function describeMachine(): Machine {
  return {
    processor: processor(),
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${distribution()}, ${platform()} ${release().split('-')[0]} ${arch()}`,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}

function processor(): string {
  const model = cpus()[0]?.model;
  if (model && model !== 'unknown') return model;
  // Node does not know the names of ARM processors.
  return /^Model name:\s*(.+)$/m.exec(output('lscpu'))?.[1] ?? 'unknown processor';
}

function distribution(): string {
  try {
    return /^PRETTY_NAME="(.+)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? platform();
  } catch {
    return platform();
  }
}

/** What a program prints; empty where it is not installed. */
export function output(program: string, ...args: string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

/** The installed versions of packages, of the bench or of the product. */
export function versionsOf(...packages: string[]): Record<string, string> {
  return Object.fromEntries(packages.map((name) => [name, versionOf(name)]));
}

const require = createRequire(import.meta.url);

/** Read from the file: a package need not export its package.json. */
function versionOf(name: string): string {
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')).version;
    } catch {
      // Not in this folder; perhaps further up.
    }
  }
  throw new Error(`${name} is not installed below ${dirname(import.meta.dirname)}.`);
}
