import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/* scripts/prepare in a project that has nothing else. */

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'tenure-prepare-'));
  cpSync('scripts', join(project, 'scripts'), { recursive: true });
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const inProject = (path: string) => join(project, path);
const packaged = `node-${process.platform}-${process.arch}/bin/node`;

/** Runs code that may import from scripts/prepare. What it prints, or the Problem that it ends with. */
function run(code: string, env: Record<string, string> = {}): string {
  const script = inProject('run.mjs');
  writeFileSync(
    script,
    `try { ${code} } catch (error) { console.log(error.constructor.name, error.message) }`,
  );
  const { PATH = '' } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, [script], {
    encoding: 'utf8',
    env: { PATH, ...env },
  });
  return (stdout + stderr).trim();
}

const findNode = (env?: Record<string, string>) =>
  run(`console.log((await import('./scripts/prepare/node.mjs')).findNode())`, env);

/** A Node beside us, as npm puts it there. */
function installNode(script: string): { link: string } {
  const node = inProject(`node_modules/${packaged}`);
  mkdirSync(dirname(node), { recursive: true });
  writeFileSync(node, script);
  chmodSync(node, 0o755);
  const link = inProject('node_modules/.bin/node');
  mkdirSync(dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(`../${packaged}`, link);
  return { link };
}

test('a Node installed beside us is used whatever options the machine has for its own', () => {
  const { link } = installNode('#!/bin/sh\n[ -z "$NODE_OPTIONS" ]\n');
  expect(findNode({ NODE_OPTIONS: '--no-warnings' })).toBe(link);
});

test('one that fails for the moment is reported and stays', () => {
  const { link } = installNode('#!/bin/sh\necho "out of memory" >&2\nexit 9\n');
  expect(findNode()).toMatch(/^Problem .*\.bin\/node does not run: out of memory\./);
  expect(existsSync(link)).toBe(true);
});

test.each(['#!/nonexistent/loader\n', '#!/bin/sh\nexit 127\n'])(
  'one for another C library is left out of the way, and comes back where it runs (%j)',
  (script) => {
    const { link } = installNode(script);
    expect(findNode()).toBe(process.execPath);
    expect(existsSync(link)).toBe(false);
    expect(findNode()).toBe(process.execPath);
    writeFileSync(inProject(`node_modules/${packaged}`), '#!/bin/sh\n');
    expect(findNode()).toBe(link);
    expect(readlinkSync(link)).toBe(`../${packaged}`);
  },
);

test('a checkout below a folder with a # is told: vite cannot build there', () => {
  const moved = inProject('unit #7');
  mkdirSync(join(moved, 'dashboard'), { recursive: true });
  cpSync(inProject('scripts'), join(moved, 'scripts'), { recursive: true });
  writeFileSync(join(moved, 'package-lock.json'), '{}');
  const said = run(
    `await (await import('./unit%20%237/scripts/prepare/dashboard.mjs')).ensureDashboard(process.execPath)`,
  );
  expect(said).toBe(
    `Problem The dashboard cannot be built in ${moved}/: its path has a # in it. Move the folder, or rename what has it.`,
  );
});
