import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';

/** Callers have gone elsewhere when none has asked for anything for this long. */
const quietMs = 250;
/** Callers who never go elsewhere, since they watch no /readyz and know one address only, are left after this long. */
const mostMs = 5_000;
/** What is under way when no more is accepted has this long to end. */
const finishMs = 10_000;
const lookEveryMs = 25;
/** Under full load the event loop has its first idle moment within this time, or none. */
const idleWithinMs = 250;

/**
 * Makes a server that can stop without failing a request. Call it before it listens; it returns the stop:
 *
 * 1. `/readyz` answers 503, so that load balancers take this process out. Everything else is served as ever, new
 *    connections too, but each answer says `connection: close`: a caller that keeps its connection leaves it with an
 *    answer in hand. To close a kept connection at any other moment can meet a request that is on its way, and nobody
 *    can tell then whether it was done.
 * 2. When it has been quiet for a moment, and DRAIN_MS are over, it stops accepting: from here on connections are
 *    refused, which is safe to repeat elsewhere. Answers wait for that moment, so that callers who never stop asking all wait
 *    for theirs and none is just coming: what the kernel accepted and we did not see yet would be reset. Connections
 *    without a request are closed.
 * 3. Requests under way end; then all is closed. A laptop without callers is through all of this in `quietMs`.
 */
export function drainable(server: FastifyInstance, app: App): () => Promise<void> {
  const http = server.server;
  /** When each open connection came. */
  const connections = new Map<Socket, number>();
  http.on('connection', (socket: Socket) => {
    connections.set(socket, performance.now());
    socket.once('close', () => connections.delete(socket));
  });

  let hold: Promise<void> | null = null;
  server.addHook('onSend', (_request, _reply, _payload, done) => {
    if (hold === null) done();
    else void hold.then(() => done());
  });

  async function stopAccepting(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    hold = promise;
    await sleep(lookEveryMs);
    await idleTurns();
    http.close();
    hold = null;
    resolve();
  }

  /** A browser opens connections ahead of need, and Node counts those as busy: with what they have not yet asked. */
  function closeUnused(): void {
    const before = performance.now() - quietMs;
    for (const [socket, since] of connections) if (socket.bytesRead === 0 && since < before) socket.destroy();
    http.closeIdleConnections();
  }

  return async () => {
    app.stopping.abort();
    await quiet(http, app.config.DRAIN_MS);
    await stopAccepting();
    const looking = setInterval(closeUnused, lookEveryMs);
    const deadline = setTimeout(() => {
      app.log.warn(
        { connections: connections.size },
        'requests under way took too long to stop and were broken off',
      );
      http.closeAllConnections();
    }, finishMs);
    try {
      await server.close();
    } finally {
      clearInterval(looking);
      clearTimeout(deadline);
    }
  };
}

/** Waits at least so long, then until nobody asks for anything any more. */
async function quiet(http: HttpServer, leastMs: number): Promise<void> {
  const since = performance.now();
  let last = since;
  const note = ({ url }: { url?: string }) => {
    // Who asks whether we are ready is not a caller to wait for.
    if (url !== '/readyz' && url !== '/healthz') last = performance.now();
  };
  http.on('request', note);
  for (;;) {
    await sleep(lookEveryMs);
    // After a turn that took long, those who came meanwhile have not been noticed yet.
    await idleTurns();
    const now = performance.now();
    if (now - since >= leastMs && (now - last >= quietMs || now - since >= leastMs + mostMs)) break;
  }
  http.off('request', note);
}

/**
 * Waits until the event loop has nothing to do. It takes two turns to hear a caller: one for the connection and one for
 * what it says.
 */
async function idleTurns(): Promise<void> {
  const since = performance.now();
  let idle = 0;
  let before = since;
  while (idle < 3 && before - since < idleWithinMs) {
    await turn();
    const now = performance.now();
    idle = now - before < 0.2 ? idle + 1 : 0;
    before = now;
  }
}
