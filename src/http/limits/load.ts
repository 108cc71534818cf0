import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import type { App } from '../../app.ts';
import { type AppError, overloaded } from '../../errors.ts';
import { metricsOf } from '../../system/metrics.ts';
import { routedPath } from '../server/routed-path.ts';
import { Pace, shortest } from './pace.ts';
import { Resting } from './resting.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it is counted while it is worked on. */
    share: Share | null;
    enteredAt: number;
    wasRefused: boolean;
    /** How long whoever asked is not listened to after the answer. */
    restMs: number;
  }
}

/** Requests with a limit of their own. */
interface Share {
  readonly pattern: RegExp;
  /** Where there is one, it has to make room for the others while the event loop is late, or the line too long. */
  readonly pace: Pace | null;
  underWay: number;
}

/** With fewer there is time for those who were refused, and still room for anybody else. */
const fewUnderWay = 16;
const lookEveryMs = 100;
const paceEveryMs = 500;
const lateMs = 500;
const tellEveryMs = 1_000;
/** Refusing costs time as well: this many a second are no burden, */
const fewRefusals = 100;
/** this many still leave time for the work, if there are no more than get done, */
const mostRefusals = 2_000;
/** and this many are possible on any machine. */
const leastRefusals = 200;

/**
 * Refuses what is more than this process can work on at once, before it costs anything: a request waits for one of
 * few database connections, and a line that only grows serves nobody in time. What is counted is the line itself, and
 * how long it may be is told by the setting and by the pace at which requests are done.
 * Where the process gives out before the database, the line is one of unread requests, which nobody can count but the
 * delay of the event loop tells of; then only a few hundred are let in. (The server's own
 * maxConnections would drop connections without a word.)
 *
 * The dashboard has a share of its own: a flood of API requests must not shut people out. Its files, /healthz and
 * the like need no database and are always served.
 */
export function limitLoad(server: FastifyInstance, app: App): void {
  const most = app.config.REQUEST_CONCURRENCY;
  const pace = new Pace(performance.now());
  const api: Share = { pattern: /^\/(api|mcp)\b/, pace, underWay: 0 };
  const dashboard: Share = { pattern: /^\/internal\b/, pace: null, underWay: 0 };
  const shares = [api, dashboard];
  const refused = tellRefusals(app, shares);
  const isLate = watchDelay(server);
  every(paceEveryMs, server, () => pace.look(performance.now(), api.underWay));
  const resting = new Resting();
  /** How long each had to rest the last time, since it was served. */
  const rests = new WeakMap<Socket, number>();
  const restOf = (socket: Socket): number => {
    const seconds = 2 * (rests.get(socket) ?? 0.5);
    rests.set(socket, seconds);
    return seconds;
  };

  /**
   * Who is refused is told when to come back. The more there are, the later. Where refusals are a burden themselves, nobody who
   * is refused is listened to before that time, or until there is nothing else to do: those who do not wait would keep us busy
   * with refusing them. At first for a second only, as the rush may be over by then, and twice as long each time. Not with few
   * refusals: a proxy sends many callers' requests over one connection.
   */
  const refuse = (request: FastifyRequest): AppError => {
    const perSecond = Math.max(leastRefusals, Math.min(mostRefusals, pace.perSecond));
    const seconds = 1 + Math.floor(resting.size / perSecond);
    request.wasRefused = true;
    if (refused() > fewRefusals) request.restMs = Math.min(seconds, restOf(request.raw.socket)) * 1_000;
    return overloaded(seconds);
  };

  const mostOf = ({ pace }: Share): number => {
    if (pace === null) return most;
    return Math.min(most, isLate() ? shortest : pace.most);
  };
  const enter = (request: FastifyRequest, share: Share | null): boolean => {
    if (share === null) return true;
    if (share.underWay >= mostOf(share)) return false;
    share.underWay++;
    share.pace?.entered(share.underWay);
    request.share = share;
    request.enteredAt = performance.now();
    return true;
  };
  const leave = (request: FastifyRequest): Share | null => {
    const { share } = request;
    if (share === null) return null;
    share.underWay--;
    request.share = null;
    // Two, because some of them have nothing to ask.
    if (share.pace !== null && share.underWay < Math.min(most, fewUnderWay)) resting.wake(2);
    return share;
  };

  server.decorateRequest('share', null);
  server.decorateRequest('enteredAt', 0);
  server.decorateRequest('wasRefused', false);
  server.decorateRequest('restMs', 0);
  server.addHook('onRequest', (request, _reply, done) => {
    const path = routedPath(request);
    const share = shares.find(({ pattern }) => pattern.test(path)) ?? null;
    done(enter(request, share) ? undefined : refuse(request));
  });
  // A sender who takes his time must not have a place in the line while he does.
  const sending = new WeakMap<FastifyRequest, Share>();
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const share = leave(request);
    if (share !== null) sending.set(request, share);
    done(null, payload);
  });
  server.addHook('preValidation', (request, _reply, done) => {
    done(enter(request, sending.get(request) ?? null) ? undefined : refuse(request));
  });
  // Nor a receiver.
  server.addHook('onSend', (request, reply, _payload, done) => {
    const share = leave(request);
    // What was refused, or is no record's, has not waited for the database: it tells nothing about the line.
    const waited = request.route !== undefined && reply.statusCode < 400;
    if (waited) {
      share?.pace?.done(performance.now() - request.enteredAt);
      rests.delete(request.raw.socket);
    }
    done();
  });
  server.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    if (request.restMs > 0) resting.add(request.raw.socket, request.restMs);
    done();
  });
}

/** Late twice in a row: once may be a single piece of long work, and is over. */
function watchDelay(server: FastifyInstance): () => boolean {
  let lateLooks = 0;
  let expectedAt = performance.now() + lookEveryMs;
  every(lookEveryMs, server, () => {
    const now = performance.now();
    lateLooks = now - expectedAt > lateMs ? lateLooks + 1 : 0;
    expectedAt = now + lookEveryMs;
  });
  return () => lateLooks > 1;
}

/** Until the server closes. */
function every(ms: number, server: FastifyInstance, look: () => void): void {
  const timer = setInterval(look, ms).unref();
  server.addHook('onClose', async () => clearInterval(timer));
}

/**
 * Counts a refusal and returns how many there were within a second. One line is written for those: one for each would
 * only be more load.
 */
function tellRefusals(app: App, shares: Share[]): () => number {
  const registers = [metricsOf(app).registry];
  const total = new Counter({
    name: 'tenure_requests_refused_total',
    help: 'Requests refused because too many were under way.',
    registers,
  });
  const underWay = () => shares.reduce((sum, share) => sum + share.underWay, 0);
  new Gauge({
    name: 'tenure_requests_under_way',
    help: 'Requests that this process is working on.',
    registers,
    collect() {
      this.set(underWay());
    },
  });
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    timer = undefined;
    app.log.warn({ refused: count, underWay: underWay() }, 'overloaded: requests were refused');
    count = 0;
  };
  return () => {
    count++;
    total.inc();
    if (timer === undefined) timer = setTimeout(tell, tellEveryMs).unref();
    return count;
  };
}
