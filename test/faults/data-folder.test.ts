import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  dataFolder,
  type Environment,
  freePort,
  ready,
  removeFolder,
  type ServerProcess,
  said,
  spawnServer,
  tenure,
} from '../support/process.ts';
import { preparedSettings, startServer } from '../support/servers.ts';
import { thorough } from '../support/thorough.ts';
import { missing } from './support/missing.ts';
import { full } from './support/scale.ts';
import { mountSmallDisk } from './support/small-disk.ts';

const isRoot = process.getuid?.() === 0;
let made: string;
let folder: string;
let environment: Environment;

/** A data folder that a server has used is made once, and copied for each test. */
beforeAll(async () => {
  if (!full) return;
  made = await dataFolder();
  const server = spawnServer({ DATA_DIR: join(made, 'data'), PORT: String(await freePort()) });
  await ready(server);
  server.kill('SIGTERM');
  await server.ended;
  return () => removeFolder(made);
});
beforeEach(async () => {
  folder = await dataFolder();
  onTestFinished(() => removeFolder(folder));
  environment = { DATA_DIR: join(folder, 'data'), PORT: String(await freePort()) };
});
const useCopy = () => execFileSync('cp', ['-a', join(made, 'data'), folder]);
const inData = (path: string) => join(environment.DATA_DIR ?? '', path);

/** The server ends at once, with 1 and one sentence: no stack and no page of a log. */
async function expectSentence(server: ServerProcess, ...parts: string[]): Promise<void> {
  expect(await server.ended, server.output()).toBe(1);
  const said = server.output().trim();
  expect(said.split('\n'), said).toHaveLength(1);
  for (const part of parts) expect(said).toContain(part);
  expect(processesOn(folder)).toEqual([]);
}

function processesOn(path: string): string[] {
  const all = execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' });
  return all.split('\n').filter((line) => line.includes(path));
}

test('a data folder on a read-only file system is named, with what to do', async (context) => {
  const disk = mountSmallDisk(context, 150);
  onTestFinished(() => disk.remove());
  const fresh = { ...environment, DATA_DIR: join(disk.folder, 'data') };
  disk.remount('ro');
  await expectSentence(spawnServer(fresh), disk.folder, 'read-only', 'DATA_DIR');
  if (!full) return;
  disk.remount('rw');
  execFileSync('cp', ['-a', join(made, 'data'), disk.folder]);
  disk.remount('ro');
  await expectSentence(spawnServer(fresh), fresh.DATA_DIR, 'read-only', 'DATA_DIR');
});

test.runIf(thorough)(
  'a cluster that fails while serving is reported with its remedy, and once repaired it serves again',
  async () => {
    const { environment: used } = await preparedSettings({});
    const server = await startServer(used);
    const cluster = join(used.DATA_DIR, 'postgres/cluster');
    chmodSync(cluster, 0o777);
    process.kill(Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10), 'SIGKILL');
    await said(server, `chmod 700 ${cluster}`);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    chmodSync(cluster, 0o700);
    await ready(server);
  },
);

test.runIf(full)('a cluster that others may enter is named, with the command that fixes it', async () => {
  useCopy();
  const cluster = inData('postgres/cluster');
  chmodSync(cluster, 0o777);
  await expectSentence(spawnServer(environment), `chmod 700 ${cluster}`);
});

test.runIf(full)("files of the cluster that are another user's are reported", async (context) => {
  if (!isRoot) missing(context, 'needs root, who can give files to another user');
  useCopy();
  const [control = ''] = globSync(inData('postgres/cluster/global/pg_control'));
  chownSync(control, 0, 0);
  chmodSync(control, 0o600);
  await expectSentence(spawnServer(environment), inData('postgres/cluster'), 'chown -R');
});

test('a DATA_DIR that is a file is reported', async () => {
  writeFileSync(environment.DATA_DIR ?? '', '');
  await expectSentence(spawnServer(environment), environment.DATA_DIR ?? '', 'DATA_DIR');
});

test.runIf(full)(
  'a secret key that is cut short stops the start: nothing it encrypted could be read',
  async () => {
    useCopy();
    writeFileSync(inData('secret.key'), '\n');
    await expectSentence(spawnServer(environment), inData('secret.key'), 'backup');
  },
);

test.runIf(full)(
  'a secret key that is gone stops the start and is not replaced, until it is given up',
  async () => {
    useCopy();
    rmSync(inData('secret.key'));
    await expectSentence(spawnServer(environment), inData('secret.key'), 'backup', '--lost');
    expect(existsSync(inData('secret.key'))).toBe(false);
    expect(await tenure(environment, 'secrets', 'rotate', '--lost')).toMatchObject({ ok: true });
    const server = spawnServer(environment);
    await ready(server);
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  },
);

describe.runIf(full)('as an ordinary user', () => {
  test('a data folder of another user is named', async (context) => {
    const start = asOrdinaryUser() ?? missing(context, 'needs an ordinary user who can read this checkout');
    useCopy();
    await expectSentence(start(environment), inData('postgres'), 'DATA_DIR');
  });

  test('a data folder that may not be written is named', async (context) => {
    const start = asOrdinaryUser() ?? missing(context, 'needs an ordinary user who can read this checkout');
    mkdirSync(environment.DATA_DIR ?? '', { mode: 0o555 });
    chmodSync(environment.DATA_DIR ?? '', 0o555);
    await expectSentence(start(environment), environment.DATA_DIR ?? '', 'DATA_DIR');
  });

  test('a secret key that may not be read is named', async (context) => {
    const start = asOrdinaryUser() ?? missing(context, 'needs an ordinary user who can read this checkout');
    useCopy();
    if (isRoot) execFileSync('chown', ['-R', 'nobody', environment.DATA_DIR ?? '']);
    // For root's sake Postgres's folder may be passed through; an ordinary user has it alone.
    chmodSync(inData('secret.key'), 0o000);
    await expectSentence(start(environment), inData('secret.key'), 'chown');
  });
});

/** Run as root, how to start a server as `nobody`. Run as an ordinary user, how to start one at all. */
function asOrdinaryUser(): ((environment: Environment) => ServerProcess) | null {
  if (!isRoot) return spawnServer;
  const nobody = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }));
  const { gid } = statSync('/');
  try {
    execFileSync(process.execPath, ['-e', 'fs.accessSync("src/cli.ts")'], {
      uid: nobody,
      gid,
      stdio: 'pipe',
    });
  } catch {
    return null;
  }
  return (given) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/cli.ts', 'start'], {
      uid: nobody,
      gid,
      env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'warn', ...given },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        printed += chunk;
      });
    }
    return {
      child,
      url: '',
      output: () => printed,
      kill: (signal) => void child.kill(signal),
      ended: once(child, 'close').then(([code]) => code as number | null),
    };
  };
}
