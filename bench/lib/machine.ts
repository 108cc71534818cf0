import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { coresTogether } from './cores.ts';

/** What it was measured on. */
export interface Machine {
  processor: string;
  cores: number;
  /** How many times the work of one core they do together; results from before it was measured lack it. */
  coresTogether?: number;
  memoryGiB: number;
  system: string;
  node: string;
  /** Of the minute before the start: above half the cores, others were at work too. */
  loadBefore: number;
}

export async function describeMachine(): Promise<Machine> {
  const loadBefore = Math.round((loadavg()[0] ?? 0) * 100) / 100;
  return {
    processor: processor(),
    cores: cpus().length,
    coresTogether: await coresTogether(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${distribution()}, ${platform()} ${release().split('-')[0]} ${arch()}`,
    node: process.versions.node,
    loadBefore,
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
