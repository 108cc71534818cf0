import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const args = ['--disable-warning=ExperimentalWarning', 'src/cli.ts', 'users', 'reset-password'];

test.each([
  ['Sunshine2026', 'The password on standard input is one of the passwords that are guessed first'],
  ['ada.okafor', 'The password on standard input must not be your name, your e-mail address'],
])('the command line refuses %s', async (password, reason) => {
  const child = spawn(process.execPath, [...args, '--email', 'ada.okafor@example.com', '--password-stdin'], {
    env: { PATH: process.env.PATH ?? '' },
  });
  child.stdin.end(`${password}\n`);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect(said).toContain(reason);
  expect(code).toBe(1);
});
