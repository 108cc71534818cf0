import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Gauge } from 'prom-client';
import type { App } from '../../app.ts';
import { overloaded } from '../../errors.ts';
import { metricsOf } from '../../system/metrics.ts';
import { routedPath } from '../server/routed-path.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where it is counted while it is worked on. */
    share: Share | null;
    wasRefused: boolean;
  }
}

/** Requests with a limit of their own. */
interface Share {
  readonly pattern: RegExp;
  underWay: number;
}

const retryAfterSeconds = 1;
const tellEveryMs = 1_000;
/** So many refusals a second are no burden. */
const fewRefusals = 100;
/** As many callers as one process should ever have; the limit is for those who ask many things at once. */
const mostRefusalsHeld = 10_000;

/**
 * Two fixed limits keep a flood from growing in here: at most REQUEST_CONCURRENCY requests are worked on (most of them
 * wait for one of the connections to the database), and at most `mostRefusalsHeld` wait for their refusal. What is more
 * than that is refused at once.
 *
 * Refusals wait for a second where there are many, since they cost time too: callers who ask again at once would keep
 * the process busy with nothing else. Each request is refused before its body is read.
 *
 * The dashboard has a share of its own: a flood of API requests must not shut people out. Its files, /healthz and
 * the like need no database and are always served.
 */
export function limitLoad(server: FastifyInstance, app: App): void {
  const most = app.config.REQUEST_CONCURRENCY;
  const api: Share = { pattern: /^\/(api|mcp)\b/, underWay: 0 };
  const dashboard: Share = { pattern: /^\/internal\b/, underWay: 0 };
  const shares = [api, dashboard];
  const refusalsNow = tellRefusals(app, shares);
  let held = 0;

  const refuse = (request: FastifyRequest, done: (refusal: Error) => void): void => {
    request.wasRefused = true;
    const refusal = overloaded(retryAfterSeconds);
    if (refusalsNow() <= fewRefusals || held === mostRefusalsHeld) done(refusal);
    else {
      held++;
      setTimeout(() => {
        held--;
        done(refusal);
      }, retryAfterSeconds * 1_000);
    }
  };
  const enter = (request: FastifyRequest, share: Share | null, done: (refusal?: Error) => void): void => {
    if (share !== null && share.underWay === most) refuse(request, done);
    else {
      if (share !== null) share.underWay++;
      request.share = share;
      done();
    }
  };
  const leave = (request: FastifyRequest): Share | null => {
    const { share } = request;
    if (share !== null) share.underWay--;
    request.share = null;
    return share;
  };

  server.decorateRequest('share', null);
  server.decorateRequest('wasRefused', false);
  server.addHook('onRequest', (request, _reply, done) => {
    const path = routedPath(request);
    enter(request, shares.find(({ pattern }) => pattern.test(path)) ?? null, done);
  });
  // A sender who takes his time must not have a place in the line while he does.
  const sending = new WeakMap<FastifyRequest, Share>();
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const share = leave(request);
    if (share !== null) sending.set(request, share);
    done(null, payload);
  });
  server.addHook('preValidation', (request, _reply, done) =>
    enter(request, sending.get(request) ?? null, done),
  );
  // Nor a receiver.
  server.addHook('onSend', (request, _reply, _payload, done) => {
    leave(request);
    done();
  });
  server.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    done();
  });
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
