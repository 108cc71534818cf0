import type { FullConfig } from '@playwright/test';
import { dataFolder, freePort, ready, removeFolder, spawnServer } from '../test/support/process.ts';

export interface Service {
  url: string;
  dataDir: string;
  /** An origin whose pages may call the API. Nothing listens there. */
  partner: string;
}

/** Passes the service on to the workers, which are processes of their own. */
const variable = 'TENURE_E2E_SERVICE';

/**
 * Cheap as in vitest's own process. At their real cost, hashes would take a tenth of the processor time of all tests.
 */
const cheapHashes = `--import=${new URL('../test/support/cheap-hashes.ts', import.meta.url)}`;

/** Starts the service of the whole run. Every test has an account of its own there. What this returns stops it. */
export default async function startService({ workers }: FullConfig): Promise<() => Promise<void>> {
  const dataDir = await dataFolder();
  const port = await freePort();
  const partners: string[] = [];
  while (partners.length < workers) partners.push(`http://localhost:${await freePort()}`);
  const server = spawnServer({
    PORT: String(port),
    DATA_DIR: dataDir,
    NODE_OPTIONS: cheapHashes,
    SIGN_UP: 'open',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
    WEBHOOK_RETRY_DELAYS_MS: '300,300,300,300',
    RATE_LIMIT_PER_SECOND: '0',
    CORS_ORIGINS: partners.join(),
  });
  const stop = async () => {
    server.kill('SIGTERM');
    await server.ended;
    await removeFolder(dataDir);
  };
  try {
    await ready(server);
  } catch (error) {
    await stop();
    throw error;
  }
  process.env[variable] = JSON.stringify({ url: `http://localhost:${port}`, dataDir, partners });
  return stop;
}

/** What a worker knows about the service, with a partner of its own. */
export function startedService(worker: number): Service {
  const { partners, ...service } = JSON.parse(process.env[variable] ?? '{}') as Omit<Service, 'partner'> & {
    partners: string[];
  };
  return { ...service, partner: partners[worker] ?? '' };
}
