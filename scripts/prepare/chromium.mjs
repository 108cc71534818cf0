import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { installFromDebian } from './debian.mjs';
import { alone, run } from './lock.mjs';
import { filesBelow, root } from './paths.mjs';
import { Problem } from './problem.mjs';

/** The best comes first. The headless shell takes two thirds of the processor time that the whole Chromium takes. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** A browser for the browser tests: an installed one, otherwise Debian's, otherwise Playwright's. */
export async function ensureChromium(node) {
  if (!filesBelow(join(root, 'e2e')).some((path) => path.endsWith('.spec.ts'))) return;
  if (findChromium() || hasPlaywrightsOwn()) return;
  await alone(async () => {
    if (findChromium() || hasPlaywrightsOwn()) return;
    process.stderr.write('Getting a browser for the tests (first run, about a minute)…\n');
    const reasons = [];
    for (const way of [
      () => installFromDebian(['chromium-headless-shell']),
      // Older releases have no other.
      () => installFromDebian(['chromium']),
      installFromPlaywright,
    ]) {
      await way(node).catch((error) => reasons.push(error.message));
      if (findChromium() || hasPlaywrightsOwn()) return;
    }
    throw new Problem(
      `${reasons.join('\n')}\nThe browser tests need Chromium, and it could not be installed. Install it, or set CHROMIUM_PATH to one.`,
    );
  });
}

/** The path of the machine's Chromium. Undefined if there is none. */
export function findChromium() {
  const path = process.env.CHROMIUM_PATH;
  if (path && !isProgram(path)) throw new Problem(`CHROMIUM_PATH is ${path}, but there is no program.`);
  return path || inPath(NAMES);
}

function hasPlaywrightsOwn() {
  try {
    const { chromium } = createRequire(join(root, 'package.json'))('playwright-core');
    return existsSync(chromium.executablePath());
  } catch {
    return false;
  }
}

async function installFromPlaywright(node) {
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  await run(node, [cli, 'install', 'chromium'], { failure: "Playwright's download failed." });
}

function inPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
