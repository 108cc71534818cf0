import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type App, createApp } from './app.ts';
import { forgetOldEntries } from './audit/audit.ts';
import { createEraser } from './closing/erase-accounts.ts';
import { type Config, refuseSharedPort } from './config.ts';
import { createDayClock } from './days/day-clock.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open.ts';
import { moveBackOtherClusters } from './db/other-cluster.ts';
import { waitForDatabase } from './db/wait-for-database.ts';
import { createWakeSignal } from './deliveries/engine/wake-signal.ts';
import { createWorker, type Worker } from './deliveries/engine/worker.ts';
import { createSender } from './deliveries/sending/send.ts';
import { continueOrder } from './events/events.ts';
import { limitQueues } from './events/queue-room.ts';
import { forgetUnkept } from './files/uploads.ts';
import { forgetOldHistory } from './history/history.ts';
import { forgetOldKeys } from './http/routes/idempotency.ts';
import { Drain } from './http/server/drain.ts';
import { createServer } from './http/server/server.ts';
import { createImporter } from './imports/queue/importer.ts';
import { forgetOldImports } from './imports/queue/queue.ts';
import { createFreshener } from './ledger/keep-fresh.ts';
import { createLog } from './log.ts';
import { createPaymentChecker } from './payments/payment-checks.ts';
import { createErasureFinisher } from './privacy/erasure-chore.ts';
import { checkSecretKeys, secretKeysFor } from './secret-keys/secret-keys.ts';
import { forgetEndedSessions, forgetEndedVerifications } from './sessions/sessions.ts';
import { explainListening } from './system/listening.ts';
import { serveMetrics } from './system/metrics.ts';
import { version } from './system/version.ts';
import { createTestModeChore } from './test-mode/empty-unused.ts';

/** What one process does: all of it, or one part of many processes on one database. */
export type Part = 'start' | 'api' | 'worker';

export interface Running {
  app: App;
  /** Where the API and the dashboard answer, if this process has them. */
  address: string | null;
  stop(): Promise<void>;
}

/**
 * A process's own worker will most likely take what the process writes. Telling the others at the same moment would
 * take a connection and a processor from that claim: half a millisecond of the 1.7 from commit to receipt.
 */
const afterOwnWorkerMs = 2;

/**
 * How many connections the kernel keeps until we accept them. With Node's 511, some of a rush of callers would be
 * dropped.
 */
const backlog = 4_096;

/** How long a connection attempt of a delivery may take. */
const connectTimeoutMs = 5_000;

/** The only place where parts are built and joined. The signal ends the wait for a database that is away. */
export async function start(config: Config, part: Part, signal?: AbortSignal): Promise<Running> {
  if (part !== 'worker') refuseSharedPort(config);
  const log = createLog(config.LOG_LEVEL);
  limitQueues(config.QUEUED_DELIVERIES_PER_ACCOUNT);
  const { db, close } = await openDatabase(config, log, 'server');
  const stopping: (() => Promise<unknown>)[] = [close];
  const finish = (step?: () => Promise<unknown>) =>
    step?.().catch((error) => log.error({ err: error }, 'while stopping'));
  const stop = async () => {
    while (stopping.length > 0) await finish(stopping.pop());
  };
  try {
    await waitForDatabase(log, signal, () => migrate(db));
    const keys = await waitForDatabase(log, signal, () => secretKeysFor(db, config, new Date()));
    const wake = createWakeSignal(db, log, { afterMs: part === 'api' ? 0 : afterOwnWorkerMs });
    const app = createApp({
      config,
      db,
      log,
      secretKey: keys.current,
      acceptedKeys: keys.accepted,
      wakeElsewhere: wake.send,
    });
    await waitForDatabase(log, signal, () => moveBackOtherClusters(db, log));
    await waitForDatabase(log, signal, () => continueOrder(db, app.now(), log));
    await waitForDatabase(log, signal, () => checkSecretKeys(db, app.secrets, app.now()));
    if (config.METRICS_PORT !== null)
      stopping.push(await serveMetrics(app, config.METRICS_PORT, config.HOST));
    // The API and the worker stop side by side. Each waits for others, and one after the other would take too long.
    const serving: (() => Promise<void>)[] = [];
    stopping.push(() => Promise.all(serving.map(finish)));
    if (part !== 'api') serving.push(startWorker(app));
    const drain = new Drain(app);
    const server = part === 'worker' ? null : createServer(app, { drain });
    if (server) {
      const address = { port: config.PORT, host: config.HOST };
      await server.listen({ ...address, backlog }).catch((error) => {
        throw explainListening(error, 'PORT', address);
      });
      serving.push(() => drain.stop(server));
      // The code that signs people in takes half a second to load, during which nobody is served. So it is loaded now, and
      // not when somebody first opens the dashboard.
      void app.auth;
    }
    return { app, address: server && addressOf(server, config), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Joins a worker to the app: writes of this process wake it directly, and /readyz asks about it. */
function startWorker(app: App): () => Promise<void> {
  const { config } = app;
  const sender = createSender({
    rules: { allowHttp: config.WEBHOOK_ALLOW_HTTP, allowedTargets: config.WEBHOOK_ALLOWED_TARGETS },
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
    connectTimeoutMs: Math.min(connectTimeoutMs, config.WEBHOOK_TIMEOUT_MS),
    userAgent: `Tenure/${version}`,
  });
  const worker: Worker = createWorker({
    app,
    sender,
    sweeps: [
      forgetOldKeys,
      forgetOldHistory(config.HISTORY_RETENTION_DAYS),
      forgetOldEntries(config.AUDIT_RETENTION_DAYS),
      forgetOldImports,
      forgetUnkept,
    ],
    commonSweeps: [forgetEndedSessions, forgetEndedVerifications],
  });
  app.workers.join(worker);
  worker.start();
  const chores = [
    createFreshener(app),
    createDayClock(app),
    createPaymentChecker(app),
    createErasureFinisher(app),
    createEraser(app),
    createImporter(app),
    createTestModeChore(app),
  ];
  for (const chore of chores) chore.start();
  return async () => {
    await Promise.all([worker.stop(), ...chores.map((chore) => chore.stop())]);
  };
}

function addressOf(server: FastifyInstance, config: Config): string {
  const bound = server.server.address() as AddressInfo | null;
  const host = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(config.HOST) ? 'localhost' : config.HOST;
  return config.PUBLIC_URL || `http://${host}:${bound?.port ?? config.PORT}`;
}
