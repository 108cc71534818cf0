import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type App, createApp } from './app.ts';
import type { Config } from './config.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';
import { createSender } from './deliveries/send.ts';
import { createWakeSignal } from './deliveries/wake-signal.ts';
import { createWorker, type Worker } from './deliveries/worker.ts';
import { forgetOldKeys } from './http/idempotency.ts';
import { createServer } from './http/server.ts';
import { createLog } from './log.ts';
import { serveMetrics } from './metrics.ts';
import { version } from './version.ts';

/** What one process does: all of it, or one part of many processes on one database. */
export type Part = 'start' | 'api' | 'worker';

export interface Running {
  app: App;
  /** Where the API and the dashboard answer, if this process has them. */
  address: string | null;
  stop(): Promise<void>;
}

/** How long a connection attempt of a delivery may take. */
const connectTimeoutMs = 5_000;

/** The only place where parts are built and joined. */
export async function start(config: Config, part: Part): Promise<Running> {
  const log = createLog(config.LOG_LEVEL);
  const { db, close } = await openDatabase(config, log, 'server');
  const stopping: (() => Promise<unknown>)[] = [close];
  const stop = async () => {
    while (stopping.length > 0)
      await stopping
        .pop()?.()
        .catch((error) => log.error({ err: error }, 'while stopping'));
  };
  try {
    await migrate(db);
    const app = createApp(config, db, log, readSecretKey(config));
    app.wakeWorkers = createWakeSignal(db, log);
    if (config.METRICS_PORT !== null)
      stopping.push(await serveMetrics(app, config.METRICS_PORT, config.HOST));
    if (part !== 'api') stopping.push(startWorker(app));
    const server = part === 'worker' ? null : createServer(app);
    if (server) {
      await listen(server, config);
      stopping.push(() => server.close());
    }
    return { app, address: server && addressOf(server, config), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Joins a worker to the app: writes of this process wake it directly, and /readyz hears of it. */
function startWorker(app: App): () => Promise<void> {
  const { config } = app;
  const sender = createSender({
    rules: { allowHttp: config.WEBHOOK_ALLOW_HTTP, allowedTargets: config.WEBHOOK_ALLOWED_TARGETS },
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
    connectTimeoutMs: Math.min(connectTimeoutMs, config.WEBHOOK_TIMEOUT_MS),
    userAgent: `Tenure/${version}`,
  });
  const worker: Worker = createWorker({ app, sender, sweeps: [forgetOldKeys] });
  const signalOthers = app.wakeWorkers;
  app.wakeWorkers = () => {
    worker.wake();
    signalOthers();
  };
  app.workerState = () => (worker.isStuck() ? 'stuck' : 'ok');
  worker.start();
  return () => worker.stop();
}

/** The setting, or on the embedded database a key made once and kept beside it. */
function readSecretKey(config: Config): string {
  if (config.SECRET_KEY) return config.SECRET_KEY;
  mkdirSync(config.DATA_DIR, { recursive: true });
  const file = join(config.DATA_DIR, 'secret.key');
  const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');
  try {
    // Only the first process to come creates it; all read what is there.
    writeFileSync(file, `${fresh}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').trim();
}

async function listen(server: FastifyInstance, { PORT, HOST }: Config): Promise<void> {
  try {
    await server.listen({ port: PORT, host: HOST });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new Error(`Port ${PORT} is taken by another program; stop it, or set PORT to another.`);
    if (code === 'EACCES')
      throw new Error(`Port ${PORT} needs more rights than this user has; set PORT to one above 1023.`);
    throw error;
  }
}

function addressOf(server: FastifyInstance, config: Config): string {
  const bound = server.server.address() as AddressInfo | null;
  const host = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(config.HOST) ? 'localhost' : config.HOST;
  return config.PUBLIC_URL || `http://${host}:${bound?.port ?? config.PORT}`;
}
