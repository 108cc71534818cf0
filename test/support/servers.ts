import { onTestFinished } from 'vitest';
import {
  dataFolder,
  type Environment,
  freePort,
  ready,
  removeFolder,
  type ServerProcess,
  spawnServer,
} from './process.ts';

/** Settings of a server with a port and a data folder of its own, which goes with the test. */
export async function ownSettings<More extends Environment>(
  more: More,
): Promise<More & { DATA_DIR: string; PORT: string }> {
  const folder = await dataFolder();
  onTestFinished(() => removeFolder(folder));
  return { ...more, DATA_DIR: folder, PORT: String(await freePort()) };
}

/** Serves until the test is over. */
export async function startServer(environment: Environment): Promise<ServerProcess> {
  const server = spawnServer(environment);
  onTestFinished(async () => {
    server.kill('SIGTERM');
    await server.ended;
  });
  await ready(server);
  return server;
}
