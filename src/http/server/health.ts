import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { isMigrated } from '../../db/migrate.ts';

/**
 * Tells whether the service is alive and whether it is ready. Neither check needs a key, and neither reveals more than
 * a word.
 */
export function mountHealth(server: FastifyInstance, app: App): void {
  server.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  // Anyone may ask, as often as they like. All who ask at the same time get the same answer.
  let look: Promise<DatabaseState> | undefined;
  server.get('/readyz', async (_request, reply) => {
    look ??= databaseState(app).finally(() => {
      look = undefined;
    });
    const database = await look;
    const worker = app.workers.state;
    const isStopping = app.stopping.signal.aborted;
    const ready = database === 'ok' && worker !== 'stuck' && !isStopping;
    reply.code(ready ? 200 : 503).header('cache-control', 'no-store');
    const not = isStopping ? 'stopping' : 'unavailable';
    return { status: ready ? 'ok' : not, database, worker };
  });
}

type DatabaseState = 'ok' | 'unreachable' | 'not migrated';

/** A database that takes longer than this for two small queries cannot serve requests either. */
const answerWithinMs = 2_000;

function databaseState(app: App): Promise<DatabaseState> {
  const { promise, resolve } = Promise.withResolvers<DatabaseState>();
  const timeout = setTimeout(resolve, answerWithinMs, 'unreachable');
  isMigrated(app.db)
    .then(
      (migrated) => resolve(migrated ? 'ok' : 'not migrated'),
      () => resolve('unreachable'),
    )
    .finally(() => clearTimeout(timeout));
  return promise;
}
