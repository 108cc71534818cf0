import { createHash } from 'node:crypto';
import { type FastifyInstance, fastify } from 'fastify';
import { notFound } from '../../errors.ts';
import { compress } from '../answers/compression.ts';
import { apiRoutes } from '../routes/routes.ts';
import type { ErrorReply } from '../server/errors.ts';
import { openApiDocument } from './openapi.ts';

export const openApiPath = '/api/v1/openapi.json';

/** The OpenAPI document, and the page at /docs that shows it. The page loads nothing from outside. */
export function mountReference(server: FastifyInstance, replyToError: ErrorReply): void {
  let document: string | undefined;
  server.get(openApiPath, { config: { constant: true } }, async (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(apiRoutes));
    return reply.header('content-type', 'application/json; charset=utf-8').send(document);
  });

  // The page's script is megabytes of JavaScript, so the page has a server of its own, made on the first request.
  let page: Promise<FastifyInstance> | undefined;
  for (const url of ['/docs', '/docs/*']) {
    server.get(url, async (request, reply) => {
      page ??= referencePage(replyToError);
      const { routing } = await page;
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value);
      routing(request.raw, reply.raw);
    });
  }
}

async function referencePage(replyToError: ErrorReply): Promise<FastifyInstance> {
  const { default: apiReference } = await import('@scalar/fastify-api-reference');
  const page = fastify();
  page.setErrorHandler(replyToError);
  page.setNotFoundHandler(() => {
    throw notFound();
  });
  page.addHook('onSend', async (_request, reply, payload) => {
    reply.headers({
      'content-security-policy': [
        "default-src 'self'",
        `script-src 'self' ${inlineScripts(payload).join(' ')}`,
        // The page sets styles as it renders, which no hash can foresee.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self' data:",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "object-src 'none'",
        "form-action 'self'",
      ].join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
  });
  page.addHook('onRoute', (route) => {
    route.config = { ...route.config, constant: true };
  });
  page.addHook('onSend', compress);
  await page.register(apiReference, {
    routePrefix: '/docs',
    configuration: {
      url: openApiPath,
      pageTitle: 'Tenure API reference',
      favicon: '/favicon.svg',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    },
    logLevel: 'silent',
  });
  await page.ready();
  return page;
}

/** The page starts with an inline script. Exactly that text may run, and no other. */
function inlineScripts(payload: unknown): string[] {
  if (typeof payload !== 'string') return [];
  const scripts = [...payload.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  return scripts.map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
