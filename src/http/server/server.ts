import type { Socket } from 'node:net';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify';
import type { App } from '../../app.ts';
import { formatId, newId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { authenticateByKey } from '../auth/key-auth.ts';
import { authenticateBySession } from '../auth/session-auth.ts';
import { mountGuides } from '../guides/guides.ts';
import { mountMcp } from '../mcp/mcp.ts';
import { mountReference } from '../openapi/reference.ts';
import { mount } from '../routes/mount.ts';
import { apiPrefix, apiRoutes, internalPrefix, internalRoutes } from '../routes/routes.ts';
import { comesSteadily } from '../uploads/steady.ts';
import { answerHeaders } from './answer-headers.ts';
import { maxBodyBytes, parseBodiesAsJson } from './body.ts';
import { Drain } from './drain.ts';
import { repliesToErrors, replyToBrokenRequest, requestTimeoutCode } from './errors.ts';
import { mountHealth } from './health.ts';
import { addHooks } from './hooks.ts';
import { mountSecurityTxt } from './security-txt.ts';
import { builtDashboard, mountDashboard } from './static.ts';
import { unknownRoute } from './unknown-routes.ts';

const maxHeaderBytes = 16 * 1024;

const newRequestId = () => formatId('req', newId());

function noSchemas(): never {
  throw new Error('A route has a schema of Fastify.');
}

/** Which proxies are trusted, in the form that Fastify expects. */
const trusted = (proxies: boolean | number | string[]) =>
  typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : proxies;

export function createServer(
  app: App,
  { dashboard = builtDashboard, drain = new Drain(app) } = {},
): FastifyInstance {
  const replyToError = repliesToErrors(app.log);
  const addAnswerHeaders = answerHeaders(app.config);
  const server = fastify({
    loggerInstance: childless(app.log),
    logController: new LogController({ disableRequestLogging: true }),
    // Our routes have no schemas of Fastify's. Its compilers for them would be 110 more modules to load at each start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: maxBodyBytes,
    trustProxy: trusted(app.config.TRUST_PROXY),
    // As long as a URL can be, so that an id of any length is an id that does not exist and not an unknown route.
    routerOptions: { maxParamLength: maxHeaderBytes },
    // Slow senders get 10 s for the headers and 30 s for the whole request. A file gets longer if it keeps arriving.
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    http: {
      headersTimeout: 10_000,
      // By default, Node looks for slow senders every 30 s, so they could keep a connection that much longer.
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: maxHeaderBytes,
      // Node itself would answer a request without Host, with an empty body.
      requireHostHeader: false,
    },
    // A proxy may ask for a whole URL. From here on only the path is seen.
    rewriteUrl: ({ url = '/' }) =>
      url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '') || '/',
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler(error, socket) {
      const cutOff = () => replyToBrokenRequest(error, socket, newRequestId());
      if (error.code !== requestTimeoutCode || !comesSteadily(socket, cutOff)) cutOff();
    },
    frameworkErrors: (error, request, reply) => {
      addAnswerHeaders(request, reply, () => replyToError(error, request, reply));
    },
  });
  // Node itself would answer an unknown `Expect`, with an empty body.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  // It would answer CONNECT with nothing at all. We are not a proxy.
  server.server.on('connect', (_request, socket) =>
    replyToBrokenRequest(new Error('CONNECT'), socket as Socket, newRequestId()),
  );
  server.decorateRequest('caller', null);
  server.decorateRequest('signedIn', null);
  server.decorateRequest('rawBody', undefined);
  server.decorateRequest('bodyFlaw', null);
  server.decorateRequest('spend', null);
  server.decorateRequest('share', null);
  server.decorateRequest('isCounted', false);
  server.decorateRequest('countedFor', null);
  server.decorateRequest('wasRefused', false);
  parseBodiesAsJson(server);
  addHooks(server, app, drain);
  drain.watch(server);
  server.addHook('preClose', async () => app.stopping.abort());
  server.setErrorHandler(replyToError);
  const servePage = mountDashboard(server, dashboard);
  server.setNotFoundHandler((request, reply) => {
    const page = servePage(request, reply);
    if (page === null) throw unknownRoute(request);
    return page;
  });

  server.addHook('onClose', () => app.keys.flush());
  const byKey = authenticateByKey(app);
  mount(server, app, apiPrefix, apiRoutes, byKey);
  mountMcp(server, app, apiRoutes, byKey);
  mount(server, app, internalPrefix, internalRoutes, authenticateBySession(app));
  mountHealth(server, app);
  mountSecurityTxt(server, app);
  mountReference(server, replyToError);
  mountGuides(server, app);
  return server;
}

/**
 * Each log line names its request, because making a child logger for each request takes longer than writing its one
 * line. (With a factory of our own, Fastify would check every method of a logger at every request.)
 */
function childless(log: Log): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(log, { child: { value: () => shared } });
  return shared;
}
