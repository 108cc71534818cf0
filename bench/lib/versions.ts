import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { output } from './machine.ts';

const require = createRequire(import.meta.url);

/** The installed versions of packages, of the bench or of the product. */
export function versionsOf(...packages: string[]): Record<string, string> {
  return Object.fromEntries(packages.map((name) => [name, versionOf(name)]));
}

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

/** Of `redis-server` and the like: the first thing that looks like a version. Empty where it is not installed. */
export const programVersion = (program: string): string =>
  /\d+\.\d+(\.\d+)?/.exec(output(program, '--version'))?.[0] ?? '';
