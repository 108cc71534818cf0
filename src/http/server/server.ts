import type { Socket } from 'node:net';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify';
import { KeyRing } from '../../api-keys/key-ring.ts';
import type { App } from '../../app.ts';
import { methodNotAllowed, notFound } from '../../errors.ts';
import { mountGuides } from '../../guides/guides.ts';
import { formatId, newId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { authenticateByKey } from '../auth/key-auth.ts';
import { authenticateBySession } from '../auth/session-auth.ts';
import { limitLoad } from '../limits/load.ts';
import { mountMcp } from '../mcp/mcp.ts';
import { mountReference, openApiPath } from '../openapi/reference.ts';
import { mount } from '../routes/mount.ts';
import type { Route } from '../routes/route.ts';
import { routes, sessionRoutes } from '../routes/routes.ts';
import { limitBodies, maxBodyBytes, parseBodiesAsJson } from './body.ts';
import { repliesToErrors, replyToBrokenRequest } from './errors.ts';
import { mountHealth } from './health.ts';
import { routedPath } from './routed-path.ts';
import { securityHeaders } from './security-headers.ts';
import { builtDashboard, mountDashboard } from './static.ts';

export const apiPrefix = '/api/v1';
/** The same routes and the dashboard's own, with the session instead of a key. */
export const internalPrefix = '/internal/v1';

const maxHeaderBytes = 16 * 1024;

const newRequestId = () => formatId('req', newId());

/** So many hops back from us, as Fastify takes it. */
const trusted = (proxies: boolean | number | string[]) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;

export function createServer(app: App, dashboard = builtDashboard): FastifyInstance {
  const secure = securityHeaders(app.config);
  const replyToError = repliesToErrors(app.log);
  const server = fastify({
    loggerInstance: childless(app.log),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: maxBodyBytes,
    trustProxy: trusted(app.config.TRUST_PROXY),
    // As long as a URL can be: an id of any length is an id that does not exist, not an unknown route.
    routerOptions: { maxParamLength: maxHeaderBytes },
    // Slow senders: 10 s for the headers, 30 s for the whole request.
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: 10_000,
      // Node looks for slow senders every 30 s by itself: they would hold their connection that much longer.
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: maxHeaderBytes,
      // Node would answer a request without Host itself, with an empty body.
      requireHostHeader: false,
    },
    // A proxy may ask for a whole URL; everything after here sees the path alone.
    rewriteUrl: ({ url = '/' }) =>
      url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '') || '/',
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => replyToBrokenRequest(error, socket, newRequestId()),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).header('cache-control', 'no-store');
      secure(request, reply, true);
      replyToError(error, request, reply);
    },
  });
  // Node would answer an `Expect` that it does not know itself, with an empty body.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  // Likewise CONNECT, with nothing at all: we are no proxy.
  server.server.on('connect', (_request, socket) =>
    replyToBrokenRequest(new Error('CONNECT'), socket as Socket, newRequestId()),
  );
  server.decorateRequest('caller', null);
  server.decorateRequest('signedIn', null);
  server.decorateRequest('rawBody', undefined);
  server.decorateRequest('route', undefined);

  server.addHook('preClose', async () => {
    app.stopping.abort();
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    const isData = /^\/(api|internal|mcp)\b/.test(routedPath(request));
    secure(request, reply, isData);
    if (isData) reply.header('cache-control', 'no-store');
    // Before its body is read.
    done(isData && request.is404 ? unknownRoute(request) : undefined);
  });
  limitLoad(server, app);
  // Else the connection stays open, idle, and holds up the stop for a minute (drain.ts tells the whole of it).
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (app.stopping.signal.aborted) reply.header('connection', 'close');
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    logRequest(app, request, reply);
    done();
  });
  parseBodiesAsJson(server);
  limitBodies(server);
  limitSlowReaders(server);
  server.setErrorHandler(replyToError);
  const servePage = mountDashboard(server, dashboard);
  server.setNotFoundHandler((request, reply) => {
    const page = servePage(request, reply);
    if (page === null) throw unknownRoute(request);
    return page;
  });

  const keys = new KeyRing(app.db);
  server.addHook('onClose', () => keys.flush());
  const byKey = authenticateByKey(app, keys);
  mount(server, app, apiPrefix, routes, byKey);
  mountMcp(server, app, routes, byKey);
  mount(server, app, internalPrefix, internalRoutes, authenticateBySession(app));
  mountHealth(server, app);
  mountReference(server, replyToError);
  mountGuides(server, app);
  return server;
}

/**
 * Who takes nothing of an answer has the connection for as long as who asks for nothing, and not for ever. Not before there
 * is an answer, which can take long. (What tests inject has no real connection.)
 */
function limitSlowReaders(server: FastifyInstance): void {
  server.addHook('onSend', (request, _reply, _payload, done) => {
    request.raw.socket.setTimeout?.(server.server.keepAliveTimeout);
    done();
  });
}

/**
 * Lines name their request themselves: a logger of its own for each costs more than writing its one line. (With a
 * factory of ours, Fastify would look for every method of a logger at every request.)
 */
function childless(log: Log): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(log, { child: { value: () => shared } });
  return shared;
}

/** One line per request. */
function logRequest(
  app: App,
  request: FastifyRequest,
  reply: { statusCode: number; elapsedTime: number },
): void {
  if (request.wasRefused || !app.log.isLevelEnabled('info')) return;
  const { caller } = request;
  app.log.info(
    {
      request_id: request.id,
      method: request.method,
      route: request.route ?? request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(caller && { account: formatId('acct', caller.accountId), actor: caller.actor }),
    },
    'request',
  );
}

const internalRoutes = [...routes, ...sessionRoutes];

const patternsOf = (prefix: string, table: Route[]) =>
  table.map((route) => ({
    route,
    pattern: new RegExp(`^${prefix}${route.path.replace(/:\w+/g, '[^/]+')}$`),
  }));
const pathPatterns = [...patternsOf(apiPrefix, routes), ...patternsOf(internalPrefix, internalRoutes)];

/** A known path with another method is a 405 that says which ones there are. */
function unknownRoute(request: FastifyRequest) {
  const [path = ''] = request.url.split('?', 1);
  if (path === openApiPath) return methodNotAllowed(allowed(['GET']));
  const methods = pathPatterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method);
  return methods.length === 0 ? notFound() : methodNotAllowed(allowed(methods));
}

function allowed(methods: Route['method'][]): string[] {
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}
