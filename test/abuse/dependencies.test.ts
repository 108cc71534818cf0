import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

/*
 * What we are built of is what was reviewed: exact versions, with checksums, and without scripts that nobody asked for.
 */

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  overrides?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
}
interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const root = join(import.meta.dirname, '../..');
const read = <Content>(path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Content;
const packages = globSync('{,integrations/*/,bench/}package.json', { cwd: root });

test('the packages are found', () => {
  expect(packages).toContain('package.json');
  expect(packages.length).toBeGreaterThan(1);
});

describe.each(packages)('%s', (path) => {
  const manifest = read<Manifest>(path);
  const lock = read<{ packages: Record<string, Locked> }>(path.replace('package.json', 'package-lock.json'));
  const locked = Object.entries(lock.packages).filter(([name]) => name !== '');

  test('names exact versions only', () => {
    const { dependencies, devDependencies, optionalDependencies, overrides } = manifest;
    for (const [name, version] of Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...overrides,
    })) {
      // `$name` in an override means the version that is named above.
      if (version.startsWith('$')) expect(dependencies, name).toHaveProperty(version.slice(1));
      // `npm:` names another package in its place, also in one exact version.
      else expect(version, name).toMatch(/^(npm:[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/);
    }
  });

  test('locks every package by its checksum, and names no address', () => {
    expect(locked.length).toBeGreaterThan(10);
    for (const [name, { integrity, resolved, link }] of locked) {
      expect(link, name).toBeUndefined();
      expect(resolved, name).toBeUndefined();
      expect(integrity, name).toMatch(/^sha512-/);
    }
  });

  test('lets no package run a script when it is installed but those it names', () => {
    const scripts = locked
      .filter(([, each]) => each.hasInstallScript)
      .map(([name]) => name.replace(/.*node_modules\//, ''));
    const npmrc = readFileSync(join(root, path.replace('package.json', '.npmrc')), 'utf8');
    if (/^ignore-scripts=true$/m.test(npmrc)) return;
    const allowed = Object.keys(manifest.allowScripts ?? {});
    expect(scripts.filter((name) => !allowed.includes(name))).toEqual([]);
  });
});
