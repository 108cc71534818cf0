import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './paths.mjs';
import { Problem } from './problem.mjs';

const LEAST = [22, 18];
const LINK = join(root, 'node_modules/.bin/node');
const PACKAGED = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);

/** The Node that npm will run our scripts with: the one installed beside us, else the machine's. */
export function findNode() {
  const installed = existsSync(LINK) ? linked() : linkedAgain();
  if (installed) return installed;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return process.execPath;
  throw new Problem(
    `Tenure needs Node ${LEAST.join('.')} or newer; this is ${process.versions.node}, and npm has no newer one for ${process.platform}-${process.arch} to install beside it. See https://nodejs.org.`,
  );
}

function linked() {
  if (realpathSync(LINK) === process.execPath) return process.execPath;
  const trouble = troubleWith(LINK);
  if (!trouble) return LINK;
  if (!trouble.isForeign) {
    throw new Problem(
      `${LINK} does not run: ${trouble.said}. Mend that, or delete it to use the machine's own Node (${LEAST.join('.')} or newer).`,
    );
  }
  // It comes first in the PATH of npm scripts, so it must go.
  unlinkSync(LINK);
}

/** This folder may be shared with a machine that it is not for, which took the link away. */
function linkedAgain() {
  if (!existsSync(PACKAGED) || troubleWith(PACKAGED)) return undefined;
  try {
    symlinkSync(relative(dirname(LINK), PACKAGED), LINK);
  } catch {
    // Another of us was faster; or nothing can be written here.
  }
  return existsSync(LINK) ? LINK : undefined;
}

/** Why this Node does not run. It is foreign if it was made for another machine: the loader, a library or an instruction is missing. */
function troubleWith(node) {
  // Options for the Node of the machine, which this one may not know, say nothing about it.
  const { NODE_OPTIONS, ...env } = process.env;
  const { status, signal, error, stderr } = spawnSync(node, ['--version'], { env });
  if (status === 0) return undefined;
  const isForeign =
    ['ENOENT', 'EACCES', 'ENOEXEC'].includes(error?.code) ||
    status === 126 ||
    status === 127 ||
    signal === 'SIGILL' ||
    /version .* not found/.test(String(stderr));
  const said = String(stderr ?? '').trim() || error?.message || signal || `it ended with ${status}`;
  return { isForeign, said };
}
