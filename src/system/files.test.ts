import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { placeNew } from './files.ts';

let folder: string;
let [draft, path] = ['', ''];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenure-files-'));
  [draft, path] = [join(folder, 'draft'), join(folder, 'file')];
  writeFileSync(draft, 'new');
});
afterEach(() => rmSync(folder, { recursive: true }));

const fails = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

test.each([
  ['', undefined],
  [' without hard links', fails('EPERM')],
])('a finished file takes a free name and never overwrites another, on a disk%s', (_name, link) => {
  placeNew(draft, path, link);
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['file']);

  writeFileSync(draft, 'newer');
  expect(() => placeNew(draft, path, link)).toThrow('EEXIST');
  expect(readFileSync(path, 'utf8')).toBe('new');
});

test('a name is not kept for a file that cannot have it', () => {
  rmSync(draft);
  expect(() => placeNew(draft, path, fails('EOPNOTSUPP'))).toThrow('ENOENT');
  expect(readdirSync(folder)).toEqual([]);
  expect(() => placeNew(draft, path, fails('EIO'))).toThrow('EIO');
});
