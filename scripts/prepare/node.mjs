import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, symlinkSync, unlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './paths.mjs';
import { Problem } from './problem.mjs';

const LEAST = [22, 18];
const LINK = join(root, 'node_modules/.bin/node');
const PACKAGED = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);

/** The Node with which npm will run our scripts: the one in node_modules, otherwise the machine's. */
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
      `${LINK} does not run: ${trouble.said}. Fix that, or delete it to use the machine's own Node (${LEAST.join('.')} or newer).`,
    );
  }
  // It comes first in the PATH of npm scripts, so it has to be removed.
  unlinkSync(LINK);
}

/** Another kind of machine may share this folder, and have removed the link. */
function linkedAgain() {
  if (!existsSync(PACKAGED) || troubleWith(PACKAGED)) return undefined;
  try {
    symlinkSync(relative(dirname(LINK), PACKAGED), LINK);
  } catch {
    // Another process was faster, or nothing can be written here.
  }
  return existsSync(LINK) ? LINK : undefined;
}

/** Why this Node does not run. A foreign one, for another machine, lacks the loader, a library or an instruction. */
function troubleWith(node) {
  // Without NODE_OPTIONS, which are for the machine's Node: this one may not know them.
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
