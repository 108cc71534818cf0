import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone, run } from './lock.mjs';
import { filesBelow, hashOf, readStamp, root } from './paths.mjs';
import { Problem } from './problem.mjs';

const SOURCE = join(root, 'dashboard');
const BUILT = join(root, 'dist/dashboard');
const STAMP = join(BUILT, '.stamp');

/** Builds the dashboard unless it is already built from these sources. */
export async function ensureDashboard(node) {
  if (!existsSync(SOURCE)) return;
  if (readStamp(STAMP) === sourceHash()) return;
  await alone(async () => {
    const hash = sourceHash();
    if (readStamp(STAMP) === hash) return; // another process did it while we waited
    await build(node, hash);
  });
}

function sourceHash() {
  const schemas = filesBelow(join(root, 'src')).filter((path) => path.endsWith('.schema.ts'));
  return hashOf([...filesBelow(SOURCE), ...schemas, join(root, 'package-lock.json')]);
}

/** Builds into a folder beside it, so that a running server has the old one until the new one is complete. */
async function build(node, hash) {
  // Vite treats paths as URLs, in which these characters have a meaning, and reports a missing file.
  const [character] = /[#?]/.exec(root) ?? [];
  if (character) {
    throw new Problem(
      `The dashboard cannot be built in ${root}: its path contains ${character}. Move or rename the folder.`,
    );
  }
  const draft = `${BUILT}.new`;
  mkdirSync(draft, { recursive: true });
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const config = join(SOURCE, 'vite.config.ts');
  await run(node, [vite, 'build', SOURCE, '--config', config, '--outDir', draft, '--emptyOutDir'], {
    // Vite would keep compiled code in /tmp, and run what somebody else put there (src/system/compile-cache.ts).
    env: { ...process.env, NODE_ENV: 'production', NODE_DISABLE_COMPILE_CACHE: '1' },
    failure: 'The dashboard could not be built; vite says why above.',
  });
  writeFileSync(join(draft, '.stamp'), hash);
  rmSync(BUILT, { recursive: true, force: true });
  renameSync(draft, BUILT);
}
