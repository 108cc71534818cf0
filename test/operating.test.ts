import { globSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { program } from '../src/cli/program.ts';
import { settings } from '../src/config.ts';

/* docs/operating.md names settings, commands, metrics and paths. They must exist. */

const document = readFileSync('docs/operating.md', 'utf8');
const found = (pattern: RegExp) => [...new Set([...document.matchAll(pattern)].map(([, name = '']) => name))];

const subcommands = (command: Command) =>
  command.commands.map((inner) => `${command.name()} ${inner.name()}`);

test('every setting it names is one', () => {
  const named = found(/\b([A-Z][A-Z]+(?:_[A-Z]+)+)\b/g).filter((name) => name !== 'NEW_DATABASE_URL');
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !(name in settings))).toEqual([]);
});

test('every command it names is one', () => {
  const known = program().commands.flatMap((command) => [command.name(), ...subcommands(command)]);
  const named = found(/(?:`|^|&& )tenure (secrets \w+|[a-z]+)/gm);
  expect(named).toEqual(expect.arrayContaining(['backup', 'restore', 'secrets rotate', 'doctor']));
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  const options = program().commands.flatMap((command) =>
    [command, ...command.commands].flatMap((each) => each.options.map(({ long }) => long)),
  );
  for (const option of ['--now', '--lost', '--json']) expect(options).toContain(option);
});

test('docs/command-line.md lists every command and no other', () => {
  const listed = readFileSync('docs/command-line.md', 'utf8').matchAll(/^\| `([^`]+)` \|/gm);
  const all = program().commands.flatMap((command) =>
    command.commands.length === 0 ? command.name() : subcommands(command),
  );
  expect([...listed].map(([, name]) => name).sort()).toEqual(all.sort());
});

test('every metric it names is kept', () => {
  const source = globSync('src/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const named = found(/\b(tenure_[a-z_]+)\b/g);
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((name) => !source.includes(`'${name}'`))).toEqual([]);
});
