import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { expectGoesOn, fillInstallation, localTargets } from '../support/installation.ts';
import { dataFolder, freePort, removeFolder, tenure } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { needsDebian } from './support/debian.ts';
import { startDebianPostgres } from './support/debian-postgres.ts';

/* Backups with an operator's own Postgres 15: made by its pg_dump, and ours from the embedded one restored to it. */

vi.setConfig({ testTimeout: 180_000 });
afterAll(() => vi.resetConfig());

const folder = mkdtempSync(join(tmpdir(), 'tenure-dump-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const program = (name: string, ...args: string[]) =>
  execFileSync(`/usr/lib/postgresql/15/bin/${name}`, args, { stdio: 'pipe' });

test('a pg_dump restored into another Postgres gives the same answers and delivers what was waiting', async (context) => {
  await needsDebian(context, 'postgresql-15');
  const [from, to] = [await startDebianPostgres(), await startDebianPostgres()];
  const receiver = await startReceiver();
  const settings = { ...localTargets, SECRET_KEY: 'only for this test, 32 characters' };
  const here = { ...settings, DATABASE_URL: from.url, PORT: String(await freePort()) };
  const there = { ...settings, DATABASE_URL: to.url, PORT: String(await freePort()) };
  const filled = await fillInstallation(here, receiver);
  try {
    const file = join(folder, 'tenure.dump');
    program('pg_dump', '--format=custom', '--no-owner', `--file=${file}`, from.url);
    program('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${to.url}`, file);
    await expectGoesOn(there, filled, receiver);
  } finally {
    await filled.server.stop();
    await receiver.close();
    await Promise.all([from.stop(), to.stop()]);
  }
});

test('a laptop moves to a Postgres of its own, of an older version, by `tenure backup` and `tenure restore`', async (context) => {
  await needsDebian(context, 'postgresql-15');
  const to = await startDebianPostgres();
  const receiver = await startReceiver();
  const here = { ...localTargets, DATA_DIR: await dataFolder(), PORT: String(await freePort()) };
  const filled = await fillInstallation(here, receiver);
  try {
    const file = join(folder, 'laptop.backup');
    await tenure(here, 'backup', file);
    const [key = ''] = readFileSync(join(here.DATA_DIR, 'secret.key'), 'utf8').split('\n');
    const there = { ...localTargets, DATABASE_URL: to.url, SECRET_KEY: key, PORT: String(await freePort()) };
    const mistaken = { ...there, SECRET_KEY: 'x'.repeat(40) };
    await expect(tenure(mistaken, 'restore', file)).rejects.toThrow(
      'SECRET_KEY is not the key that the backup was made with',
    );
    await tenure(there, 'restore', file);
    await expectGoesOn(there, filled, receiver);
  } finally {
    await filled.server.stop();
    await receiver.close();
    await to.stop();
    await removeFolder(here.DATA_DIR);
  }
});
