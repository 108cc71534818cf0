import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { nodeFlags } from '../../test/support/process.ts';

const isRoot = process.getuid?.() === 0;
const scratch = mkdtempSync(join(tmpdir(), 'tenure-compile-cache-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Runs this code in a process of its own, with an empty folder for temporary files. */
function run(...args: string[]): { temporary: string[] } {
  const temporary = mkdtempSync(join(scratch, 'tmp-'));
  const { PATH } = process.env;
  execFileSync(process.execPath, [...nodeFlags, ...args], { env: { PATH, TMPDIR: temporary } });
  return { temporary: readdirSync(temporary) };
}

test('compiled code is never kept, nor looked for, where others could put some', () => {
  expect(run('src/cli.ts', '--version').temporary).toEqual([]);
});

/** Makes a checkout with a node_modules. Returns what is left there when a process has loaded a module. */
function keptIn(prepare: (modules: string) => void): { cache: string; temporary: string[] } {
  const checkout = mkdtempSync(join(scratch, 'checkout-'));
  const modules = join(checkout, 'node_modules');
  mkdirSync(modules);
  prepare(modules);
  const code = `import { keepCompiledCode } from '${join(import.meta.dirname, 'compile-cache.ts')}';
    keepCompiledCode(${JSON.stringify(checkout)}); await import('${join(import.meta.dirname, '../money.ts')}')`;
  return { cache: join(modules, '.cache'), ...run('--input-type=module', '--eval', code) };
}

test('where it cannot be written, or the packages are another user’s, nothing is kept and nothing said', () => {
  expect(existsSync(keptIn(() => undefined).cache)).toBe(true);
  const blocked = keptIn((modules) => chmodSync(modules, 0o500));
  expect(blocked.temporary).toEqual([]);
  expect(existsSync(blocked.cache)).toBe(isRoot);
  if (!isRoot) return; // only root can give a folder to somebody else
  const others = keptIn((modules) => chownSync(modules, 1, 1));
  expect(existsSync(others.cache)).toBe(false);
  expect(others.temporary).toEqual([]);
});
