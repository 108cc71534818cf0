import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { methodNotAllowed, notFound } from '../../errors.ts';
import type { Authenticate } from '../auth/key-auth.ts';
import { refuseRebinding } from '../auth/rebinding.ts';
import type { Route } from '../routes/route.ts';

/**
 * The API's routes as tools for AI assistants, at /mcp (Model Context Protocol, streamable HTTP). It is stateless:
 * every message is a request with its own key, so any process can answer it and a revoked key stops working at once.
 */
export function mountMcp(
  server: FastifyInstance,
  app: App,
  routes: Route[],
  authenticate: Authenticate,
): void {
  server.route({
    method: 'POST',
    url: '/mcp',
    config: {
      // A tool's answer may contain a secret.
      uncompressed: true,
      identify: async (request, reply) => {
        refuseRebinding(request, app.config);
        request.caller = await authenticate(request, reply, { permission: 'read' });
      },
    },
    async handler(request, reply) {
      const { caller } = request;
      if (caller === null) throw new Error('The MCP server was reached without a caller.');
      // Loaded when an assistant first asks: not every server has one, and starting is faster without it.
      const { answerMessage } = await import('./answer-message.ts');
      const response = await answerMessage(app, routes, request, caller);
      return reply
        .code(response.status)
        .headers(Object.fromEntries(response.headers))
        .send(await response.text());
    },
  });
  // There is nothing to listen to with GET, and no session to end with DELETE.
  server.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    url: '/mcp',
    handler: () => {
      throw methodNotAllowed(['POST']);
    },
  });
  // A client whose key was refused looks here for a way to sign in. It must not mistake the dashboard's page for one.
  server.get('/.well-known/*', () => {
    throw notFound();
  });
}
