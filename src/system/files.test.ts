import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder, placeNew } from './files.ts';

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

test('a folder is made with those above it, and is there the second time', () => {
  const deep = join(folder, 'a', 'b', 'c');
  expect(makeFolder(deep, 0o700)).toBe(true);
  expect(statSync(deep).mode & 0o777).toBe(0o700);
  expect(makeFolder(deep, 0o700)).toBe(false);
});

test('if no folder can be made, the error comes at once', () => {
  const [file, link] = [join(folder, 'draft'), join(folder, 'link')];
  symlinkSync(join(folder, 'nowhere', 'else'), link);
  expect(() => makeFolder(file)).toThrow('EEXIST');
  expect(() => makeFolder(join(file, 'a', 'b'))).toThrow('ENOTDIR');
  expect(() => makeFolder(link)).toThrow('EEXIST');
  expect(() => makeFolder(join(link, 'a'))).toThrow('EEXIST');
  // When it is asked to make a folder there, Linux answers that there is no folder above it.
  if (existsSync('/proc/self')) expect(() => makeFolder('/proc/tenure')).toThrow('ENOENT');
});
