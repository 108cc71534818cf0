import { onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { type Part, start } from '../../src/start.ts';
import { preparedFolder } from './prepared-folder.ts';
import {
  dataFolder,
  type Environment,
  freePort,
  ready,
  removeFolder,
  type ServerProcess,
  spawnServer,
} from './process.ts';

type Own = { DATA_DIR: string; PORT: string };

/** Settings of a server with a port and an empty data folder of its own, which is deleted after the test. */
export async function ownSettings<More extends Environment>(more: More): Promise<More & Own> {
  return settingsOn(await dataFolder(), more);
}

/** The same with a folder that is already set up, which is faster, and a key that may write for an account there. */
export async function preparedSettings<More extends Environment>(
  more: More,
): Promise<{ environment: More & Own; key: string }> {
  const { folder, key } = await preparedFolder();
  return { environment: await settingsOn(folder, more), key };
}

async function settingsOn<More extends Environment>(folder: string, more: More): Promise<More & Own> {
  onTestFinished(() => removeFolder(folder));
  return { ...more, DATA_DIR: folder, PORT: String(await freePort()) };
}

/** Runs a server until the test is over. */
export async function startServer(environment: Environment): Promise<ServerProcess> {
  const server = spawnServer(environment);
  onTestFinished(async () => {
    server.kill('SIGTERM');
    await server.ended;
  });
  await ready(server);
  return server;
}

export interface Serving {
  url: string;
  stop(): Promise<void>;
}

/**
 * The same service in this process, for a test that asks it and is not about how a process starts and ends: most of
 * what a start costs is loading the code, which is already loaded here.
 */
export async function serveHere(environment: Environment, part: Part): Promise<Serving> {
  const { stop } = await start(loadConfig({ LOG_LEVEL: 'silent', ...environment }, '/nonexistent'), part);
  return { url: `http://127.0.0.1:${environment.PORT}`, stop };
}
