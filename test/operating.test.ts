import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../src/cli/program.ts';
import { settings } from '../src/config.ts';

/* docs/operating.md names settings, commands, metrics and places: they must be there. */

const document = readFileSync('docs/operating.md', 'utf8');
const found = (pattern: RegExp) => [...new Set([...document.matchAll(pattern)].map(([, name = '']) => name))];

test('every setting it names is one', () => {
  const named = found(/\b([A-Z][A-Z]+(?:_[A-Z]+)+)\b/g).filter((name) => name !== 'NEW_DATABASE_URL');
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !(name in settings))).toEqual([]);
});

test('every command it names is one', () => {
  const known = program().commands.flatMap((command) => [
    command.name(),
    ...command.commands.map((inner) => `${command.name()} ${inner.name()}`),
  ]);
  const named = found(/(?:`|^|&& )tenure (secrets \w+|[a-z]+)/gm);
  expect(named).toEqual(expect.arrayContaining(['backup', 'restore', 'secrets rotate', 'doctor']));
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  const options = program().commands.flatMap((command) =>
    [command, ...command.commands].flatMap((each) => each.options.map(({ long }) => long)),
  );
  for (const option of ['--now', '--lost', '--json']) expect(options).toContain(option);
});

test('every metric it names is kept', () => {
  const source = globSync('src/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const named = found(/\b(tenure_[a-z_]+)\b/g);
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => !source.includes(`'${name}'`))).toEqual([]);
});

test('its links lead somewhere', () => {
  const headings = (text: string) =>
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(/\s/g, '-'),
    );
  const targets = found(/\]\(([^)]+)\)/g).filter((target) => !/^https?:/.test(target));
  expect(targets.length).toBeGreaterThan(8);
  for (const target of targets) {
    const [file = '', anchor] = target.split('#');
    const path = file === '' ? 'docs/operating.md' : join('docs', file);
    expect(existsSync(path), target).toBe(true);
    if (anchor) expect(headings(readFileSync(path, 'utf8')), target).toContain(anchor);
  }
});
