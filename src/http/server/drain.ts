import type { Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as yieldToOthers } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';

/** After this long without a request, callers have gone elsewhere. */
const quietMs = 250;
/** The longest wait for callers who never go elsewhere, because they know only one address. */
const mostMs = 5_000;
/** How long running requests may take once no more are accepted. */
const finishMs = 10_000;
const lookEveryMs = 25;
/** Under full load, the event loop has its first idle moment within this time or not at all. */
const idleWithinMs = 250;

/**
 * How a server stops without failing a request:
 *
 * 1. `/readyz` answers 503, so that load balancers take this process out. Everything else is served as usual, on new
 *    connections too, but each answer says `connection: close`. So a caller gives up a kept connection with an answer
 *    in hand. If we closed it at any other moment, a request might be on its way, and nobody could tell whether it was
 *    done.
 * 2. Once it has been quiet for a moment and DRAIN_MS have passed, the server stops accepting. From then on connections
 *    are refused, and it is safe to repeat a request elsewhere. Answers wait for that moment, so that callers who never
 *    stop asking are all waiting for theirs, and no request is just arriving: a connection that the kernel has accepted
 *    but we have not seen yet would be reset. Connections without a request are closed.
 * 3. Requests under way end, and then everything is closed. Without callers, all of this takes `quietMs`.
 */
export class Drain {
  readonly #app: App;
  /** When each open connection was made. */
  readonly #connections = new Map<Socket, number>();
  #hold: Promise<void> | null = null;

  constructor(app: App) {
    this.#app = app;
  }

  readonly endConnection = (_: FastifyRequest, reply: FastifyReply, _payload: unknown, done: Done): void => {
    if (this.#app.stopping.signal.aborted) reply.header('connection', 'close');
    done();
  };

  readonly holdAnswer = (_: FastifyRequest, _reply: FastifyReply, _payload: unknown, done: Done): void => {
    if (this.#hold === null) done();
    else void this.#hold.then(() => done());
  };

  /** Call this before the server listens. */
  watch({ server: http }: FastifyInstance): void {
    http.on('connection', (socket: Socket) => {
      this.#connections.set(socket, performance.now());
      socket.once('close', () => this.#connections.delete(socket));
    });
  }

  async stop(server: FastifyInstance): Promise<void> {
    const { stopping, config, log } = this.#app;
    const http = server.server;
    stopping.abort();
    await quiet(http, config.DRAIN_MS);
    await this.#stopAccepting(http);
    const looking = setInterval(() => void this.#closeUnused(http), lookEveryMs);
    const deadline = setTimeout(() => {
      const connections = this.#connections.size;
      log.warn({ connections }, 'requests under way took too long to stop and were cut off');
      http.closeAllConnections();
    }, finishMs);
    try {
      await server.close();
    } finally {
      clearInterval(looking);
      clearTimeout(deadline);
    }
  }

  async #stopAccepting(http: HttpServer): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#hold = promise;
    await sleep(lookEveryMs);
    await untilIdle();
    http.close();
    this.#hold = null;
    resolve();
  }

  /** A browser opens connections ahead of need. Node counts those as busy with a request that has not been sent yet. */
  async #closeUnused(http: HttpServer): Promise<void> {
    const before = performance.now() - quietMs;
    // Timers come first after a long turn, before what was asked during it is read.
    await yieldToOthers();
    for (const [socket, since] of this.#connections)
      if (socket.bytesRead === 0 && since < before) socket.destroy();
    http.closeIdleConnections();
  }
}

type Done = () => void;

/** Waits at least this long, then until there are no more requests. */
async function quiet(http: HttpServer, leastMs: number): Promise<void> {
  const since = performance.now();
  let last = since;
  const note = ({ url }: { url?: string }) => {
    // Health checks are not callers to wait for.
    if (url !== '/readyz' && url !== '/healthz') last = performance.now();
  };
  http.on('request', note);
  for (;;) {
    await sleep(lookEveryMs);
    // After a long turn, callers who came during it have not been noticed yet.
    await untilIdle();
    const now = performance.now();
    if (now - since >= leastMs && (now - last >= quietMs || now - since >= leastMs + mostMs)) break;
  }
  http.off('request', note);
}

/**
 * Waits until the event loop has nothing to do. It takes two turns to hear a caller: one for the connection and one for
 * the request.
 */
async function untilIdle(): Promise<void> {
  const since = performance.now();
  let idle = 0;
  let before = since;
  while (idle < 3 && before - since < idleWithinMs) {
    await yieldToOthers();
    const now = performance.now();
    idle = now - before < 0.2 ? idle + 1 : 0;
    before = now;
  }
}
