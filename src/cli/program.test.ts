import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Runs `tenure doctor`, which finds no database, in a shell. Returns what it says on standard error. */
async function doctor(output: string): Promise<string> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATABASE_URL: 'postgres://me@127.0.0.1:1/x', SECRET_KEY: 'x'.repeat(40) };
  const command = `"$0" --disable-warning=ExperimentalWarning src/cli.ts doctor ${output}`;
  const { stderr } = await promisify(execFile)('sh', ['-c', command, process.execPath], { env });
  return stderr;
}

test('a command whose reader has gone says nothing of it', async () => {
  expect(await doctor('| true')).toBe('');
});

test.runIf(existsSync('/dev/full'))(
  'a command whose output cannot be written says so in a sentence',
  async () => {
    expect(await doctor('> /dev/full; [ $? = 1 ]')).toBe(
      'The output cannot be written: ENOSPC: no space left on device, write.\n',
    );
  },
);
