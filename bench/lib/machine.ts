import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';

/** What it was measured on. */
export interface Machine {
  processor: string;
  cores: number;
  memoryGiB: number;
  system: string;
  /** In the minute before the start. Above half the cores, other programs were running too. */
  loadBefore: number;
}

export function describeMachine(): Machine {
  const distribution = /^PRETTY_NAME="(.+)"$/m.exec(output('cat', '/etc/os-release'))?.[1] ?? platform();
  return {
    processor: cpus()[0]?.model ?? 'unknown processor',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${distribution}, ${platform()} ${release().split('-')[0]} ${arch()}`,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}

/** What a program prints; empty if it is not installed. */
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

function versionOf(name: string): string {
  const file = findPackageJSON(name, import.meta.url);
  if (file === undefined) throw new Error(`${name} is not installed in bench/.`);
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
