// Prepares what `npm start`, `npm test` and `npm run tenure` need: dependencies, a Node that is new enough, the built
// dashboard, other languages. If everything is there, this takes about 50 ms and changes nothing.
//
// Plain JavaScript for Node 18 without dependencies, because it runs with whatever Node the machine has, before
// anything is installed. Nothing goes to stdout, which belongs to `tenure … --json`.
import { join } from 'node:path';
import { ensureDashboard } from './prepare/dashboard.mjs';
import { ensureDebian } from './prepare/debian.mjs';
import { ensureInstalled } from './prepare/install.mjs';
import { ensureLanguages } from './prepare/languages.mjs';
import { findNode } from './prepare/node.mjs';
import { root } from './prepare/paths.mjs';
import { Problem } from './prepare/problem.mjs';

const needs = process.argv[2];

try {
  await ensureInstalled();
  const node = findNode();
  if (needs === 'start' || needs === 'test' || needs === 'fuzz') await ensureDashboard(node);
  if (needs === 'fuzz') await ensureLanguages();
  if (needs === 'bench') {
    await ensureInstalled(join(root, 'bench'));
    // Without them the rest is still measured, and the report says what is missing.
    await ensureDebian(['redis-server', 'wrk']).catch((error) => process.stderr.write(`${error.message}\n`));
  }
} catch (error) {
  process.stderr.write(`${error instanceof Problem ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
