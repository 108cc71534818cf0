import { existsSync } from 'node:fs';
import { createServer, connect as dial } from 'node:net';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import {
  dataFolder,
  freePort,
  ready,
  removeFolder,
  type ServerProcess,
  spawnServer,
  until,
} from '../support/process.ts';
import { thorough } from '../support/thorough.ts';
import { processesOf } from './support/leftovers.ts';
import { addressOf } from './support/proxy.ts';

const SECRET_KEY = 'a secret key for starting, long enough';

async function spawnOn(databasePort: number, database: string): Promise<ServerProcess> {
  const server = spawnServer(
    {
      DATABASE_URL: `postgres://${inject('postgres').user}@127.0.0.1:${databasePort}/${database}`,
      SECRET_KEY,
      PORT: String(await freePort()),
    },
    'api',
  );
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  return server;
}

test.runIf(thorough)('a process that starts before its database waits for it', async () => {
  const { connection, drop } = await testDatabase('empty');
  onTestFinished(drop);
  const port = await freePort();
  const server = await spawnOn(port, String(connection.database));
  await until(() => server.output().includes('waiting for the database'));
  const forward = createServer((near) => {
    const far = dial(addressOf(connection));
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
  }).listen(port, '127.0.0.1');
  onTestFinished(() => void forward.close());
  await ready(server);
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('a process that waits for its database can be stopped', async () => {
  const server = await spawnOn(await freePort(), 'nowhere');
  await until(() => server.output().includes('waiting for the database'));
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
});

test('a start that is stopped halfway leaves no Postgres behind', async () => {
  const dataDir = await dataFolder();
  onTestFinished(() => removeFolder(dataDir));
  const server = spawnServer({ DATA_DIR: dataDir, PORT: String(await freePort()) });
  await until(() => existsSync(join(dataDir, 'postgres/cluster/postmaster.pid')));
  server.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(processesOf(dataDir)).toEqual([]);
});
