import apiReference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from './openapi.ts';
import { routes } from './routes.ts';

/** The OpenAPI document, and the page at /docs that shows it. The page loads nothing from outside. */
export function mountReference(server: FastifyInstance): void {
  const document = JSON.stringify(openApiDocument(routes));
  server.get('/api/v1/openapi.json', async (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(document),
  );
  server.register(async (page) => {
    page.addHook('onSend', async (_request, reply) => {
      reply.headers({
        // The reference renders from an inline script and styles of its own; nothing may come from elsewhere.
        'content-security-policy':
          "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      });
    });
    await page.register(apiReference, {
      routePrefix: '/docs',
      configuration: {
        url: '/api/v1/openapi.json',
        pageTitle: 'Tenure API reference',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
      },
      logLevel: 'silent',
    });
  });
}
