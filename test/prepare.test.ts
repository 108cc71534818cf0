import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/* Runs scripts/prepare in a project that contains nothing else. */

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'tenure-prepare-'));
  cpSync('scripts', join(project, 'scripts'), { recursive: true });
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const inProject = (path: string) => join(project, path);
const packaged = `node-${process.platform}-${process.arch}/bin/node`;

/** Runs code that may import from scripts/prepare. Returns what it prints, or the Problem that it ends with. */
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

/** A Node next to ours, where npm puts it. */
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

/** Whether each lock is abandoned after this many seconds of silence. */
function abandoned(...locks: [lock: object | '', seconds: number][]): unknown {
  const asked = locks.map(([lock, seconds]) => [lock && JSON.stringify(lock), seconds * 1000]);
  return JSON.parse(
    run(`const { isAbandoned } = await import('./scripts/prepare/lock.mjs');
      console.log(JSON.stringify(${JSON.stringify(asked)}.map(([lock, ms]) => isAbandoned(lock, ms))))`),
  );
}

test('an install is still waited for if the process that started it was killed', () => {
  const host = hostname();
  const { pid: dead } = spawnSync('true');
  const [alive, elsewhere] = [process.pid, `not-${host}`];
  const since = readFileSync(`/proc/${alive}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19];
  expect(
    abandoned(
      [{ pid: dead, host, child: alive, since }, 599],
      [{ pid: dead, host, child: alive, since }, 601],
      [{ pid: alive, host, child: alive, since }, 599],
      [{ pid: dead, host, child: dead }, 0],
      [{ pid: dead, host }, 0],
      [{ pid: alive, host }, 29],
      [{ pid: alive, host }, 31],
      [{ pid: dead, host: elsewhere, child: alive }, 29],
      [{ pid: dead, host: elsewhere, child: alive }, 31],
      ['', 29],
      ['', 31],
    ),
  ).toEqual([false, true, false, true, true, false, true, false, true, false, true]);
});

test('a checkout that this user may not write is reported', () => {
  chmodSync(project, 0o755);
  mkdirSync(inProject('dist'));
  chmodSync(inProject('dist'), 0o555);
  // Root may write anywhere, so the process changes to another user.
  const said = run(`if (process.getuid() === 0) process.setuid(65534);
    await (await import('./scripts/prepare/lock.mjs')).alone(() => undefined)`);
  expect(said).toMatch(/^Problem Something has to be installed or built in .*may not write.*chown/);
});

test('only npm installs, whichever tool runs us', () => {
  const npmOf = (npm_execpath: string) => {
    writeFileSync(npm_execpath, '');
    const env = { npm_execpath, npm_node_execpath: process.execPath };
    return run(`console.log((await import('./scripts/prepare/install.mjs')).npm().join())`, env);
  };
  expect(npmOf(inProject('npm-cli.js'))).toBe(`${process.execPath},${inProject('npm-cli.js')}`);
  expect(npmOf(inProject('pnpm.cjs'))).toBe('npm');
});

test('a checkout below a folder with a # is reported: vite cannot build there', () => {
  const moved = inProject('unit #7');
  mkdirSync(join(moved, 'dashboard'), { recursive: true });
  cpSync(inProject('scripts'), join(moved, 'scripts'), { recursive: true });
  writeFileSync(join(moved, 'package-lock.json'), '{}');
  const said = run(
    `await (await import('./unit%20%237/scripts/prepare/dashboard.mjs')).ensureDashboard(process.execPath)`,
  );
  expect(said).toBe(
    `Problem The dashboard cannot be built in ${moved}/: its path contains #. Move or rename the folder.`,
  );
});

test.each([
  ['api', true],
  ['start', true],
  ['keys', false],
])('`npm run tenure -- %s` finds the dashboard built: %s', (command, isBuilt) => {
  const put = (path: string, text: string) => {
    mkdirSync(dirname(inProject(path)), { recursive: true });
    writeFileSync(inProject(path), text);
  };
  put('dashboard/page.tsx', '');
  put(
    'src/cli.ts',
    `import { existsSync } from 'node:fs'; console.log(existsSync('dist/dashboard/index.html'));`,
  );
  put('package-lock.json', '{}');
  put(
    'node_modules/vite/bin/vite.js',
    `require('node:fs').writeFileSync(require('node:path').join(process.argv[process.argv.indexOf('--outDir') + 1], 'index.html'), '')`,
  );
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { tenure: string } };
  const [program, ...args] = scripts.tenure.split(' ');
  expect(program).toBe('node');
  const { stdout, stderr } = spawnSync(process.execPath, [...args, command], {
    cwd: project,
    encoding: 'utf8',
  });
  expect(stdout, stderr).toBe(`${isBuilt}\n`);
});
