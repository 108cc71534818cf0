import type { FastifyInstance } from 'fastify';
import type { App } from '../app.ts';
import { isMigrated } from '../db/migrate.ts';

/** Alive, and ready to serve. Neither needs a key, and neither tells more than a word. */
export function mountHealth(server: FastifyInstance, app: App): void {
  server.get('/healthz', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { status: 'ok' };
  });
  server.get('/readyz', async (_request, reply) => {
    const database = await databaseState(app);
    const worker = app.workerState();
    const ready = database === 'ok' && worker !== 'stuck';
    reply.code(ready ? 200 : 503).header('cache-control', 'no-store');
    return { status: ready ? 'ok' : 'unavailable', database, worker };
  });
}

async function databaseState(app: App): Promise<'ok' | 'unreachable' | 'not migrated'> {
  try {
    return (await isMigrated(app.db)) ? 'ok' : 'not migrated';
  } catch {
    return 'unreachable';
  }
}
