import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from './support/database.ts';
import { dataFolder, type Environment, freePort, removeFolder } from './support/process.ts';

/** Runs `npm start` as people do, under npm, which waits for the server to end. */
async function npmStart(environment: Environment): Promise<{ code: number | null; output: string }> {
  const { PATH, HOME } = process.env;
  const child = spawn('npm', ['start'], {
    env: { PATH, HOME, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

/** Starts the server as npm does, by a shell, which ends at once as if npm had been told to stop. */
async function startOrphan(environment: Environment): Promise<string> {
  const { PATH, HOME } = process.env;
  const child = spawn('sh', ['-c', '"$0" src/cli.ts start & exit', process.execPath], {
    env: { PATH, HOME, npm_lifecycle_event: 'start', ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  // The end of its output is the end of the server.
  return text(child.stdout);
}

/** Processes that have this folder among their arguments. */
const runningIn = (folder: string): string[] =>
  execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(folder));

test('npm start that cannot start says why, ends with 1 and leaves nothing running', async () => {
  const folder = await dataFolder();
  onTestFinished(() => removeFolder(folder));
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const taken = String((other.address() as { port: number }).port);
  const sound = { DATA_DIR: join(folder, 'data'), PORT: String(await freePort()) };

  const setting = await npmStart({ ...sound, PORT: 'abc' });
  expect(setting.output).toContain('PORT');
  expect(setting.code).toBe(1);

  const unmade = await npmStart({
    ...sound,
    DATA_DIR: existsSync('/proc/self') ? '/proc/tenure' : '/dev/null/x',
  });
  expect(unmade.output).toContain('The data folder cannot be made');
  expect(unmade.code).toBe(1);

  const file = join(folder, 'file');
  await writeFile(file, '');
  const below = await npmStart({ ...sound, DATA_DIR: join(file, 'data') });
  expect(below.output).toContain(`${file} is not a folder.`);
  expect(below.code).toBe(1);

  const port = await npmStart({ ...sound, PORT: taken });
  expect(port.output).toContain(
    `Port ${taken} is taken by another program; stop it, or set PORT to another.`,
  );
  expect(port.code).toBe(1);
  expect(runningIn(folder)).toEqual([]);
});

test('npm start whose first statement fails ends with 1', async () => {
  const database = await testDatabase('empty');
  onTestFinished(() => database.drop());
  // Somebody else's table is where the first migration wants to make its own.
  await database.db.pool.query('create table accounts (id integer)');
  const { code, output } = await npmStart({
    DATABASE_URL: database.url,
    SECRET_KEY: 'a secret key of more than 32 characters',
    PORT: String(await freePort()),
  });
  expect(output).toContain('accounts');
  expect(code).toBe(1);
});

test('a server whose npm was told to stop before it began does not begin', async () => {
  const folder = await dataFolder();
  onTestFinished(() => removeFolder(folder));
  const data = join(folder, 'data');
  expect(await startOrphan({ DATA_DIR: data, PORT: String(await freePort()) })).toBe('');
  expect(existsSync(data)).toBe(false);
});
