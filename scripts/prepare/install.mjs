import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { alone, run } from './lock.mjs';
import { hashOf, readStamp, root } from './paths.mjs';

const MODULES = join(root, 'node_modules');

/**
 * Runs `npm ci` unless what package-lock.json says is already installed for this machine: for the project, or for a
 * package below it with its own lockfile.
 */
export async function ensureInstalled(folder = root) {
  const lockfile = join(folder, 'package-lock.json');
  // Written last and deleted first: an interrupted install has none.
  const stamp = join(folder, 'node_modules/.tenure-installed');
  const wanted = hashOf([lockfile], process.platform, process.arch);
  if (readStamp(stamp) === wanted) return;
  await alone(async () => {
    if (readStamp(stamp) === wanted) return; // another process did it while we waited
    if (!npmInstalledThis(folder)) await install(folder, stamp);
    writeFileSync(stamp, wanted);
  });
}

/** Did somebody run `npm ci` by hand? npm notes what it installed when everything is done. */
function npmInstalledThis(folder) {
  const note = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(note)) return false;
  const installed = packagesIn(note);
  return Object.entries(packagesIn(join(folder, 'package-lock.json'))).every(([path, wanted]) => {
    if (path === '' || !isForThisMachine(wanted)) return true;
    // Needed by packages for other machines alone.
    if (wanted.optional && !wanted.os && !wanted.cpu && !installed[path]) return true;
    return installed[path]?.version === wanted.version && existsSync(join(folder, path));
  });
}

function packagesIn(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}

// We cannot easily tell which C library this is. Those packages come in pairs, and npm takes one.
function isForThisMachine({ os, cpu, libc }) {
  return !libc && (!os || os.includes(process.platform)) && (!cpu || cpu.includes(process.arch));
}

async function install(folder, stamp) {
  const what =
    folder === root
      ? 'dependencies (first run, about a minute)'
      : `dependencies of ${relative(root, folder)}`;
  process.stderr.write(`Installing ${what}…\n`);
  rmSync(stamp, { force: true });
  // Includes tools for building and testing, whatever NODE_ENV or `omit` says; and shows errors even with --silent.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const [program, ...first] = npm();
  const { NODE_ENV, ...env } = process.env;
  await run(program, [...first, ...args], {
    cwd: folder,
    env,
    failure: 'The dependencies could not be installed; npm says why above.',
  });
}

/** The npm that runs us (not pnpm or yarn), with its own Node, not the one in node_modules, which it will delete. */
export function npm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  const isUsable =
    script?.endsWith('npm-cli.js') &&
    node &&
    !node.startsWith(MODULES + sep) &&
    existsSync(script) &&
    existsSync(node);
  return isUsable ? [node, script] : ['npm'];
}
