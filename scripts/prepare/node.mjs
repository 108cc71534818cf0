import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { Problem } from './problem.mjs';

const LEAST = [22, 18];

/** The Node that npm will run our scripts with: the one installed beside us, else the machine's. */
export function findNode() {
  const installed = join(root, 'node_modules/.bin/node');
  if (existsSync(installed)) {
    if (realpathSync(installed) === process.execPath) return process.execPath;
    if (spawnSync(installed, ['--version']).status === 0) return installed;
    // Made for another C library (Alpine). It comes first in the PATH of npm scripts, so it must go.
    unlinkSync(installed);
  }
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return process.execPath;
  throw new Problem(
    `Tenure needs Node ${LEAST.join('.')} or newer; this is ${process.versions.node}, and npm has no newer one for ${process.platform}-${process.arch} to install beside it. See https://nodejs.org.`,
  );
}
