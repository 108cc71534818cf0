import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Where `npm start` builds the dashboard. */
export const builtDashboard = fileURLToPath(new URL('../../../dist/dashboard', import.meta.url));

/** Answers a request without a route, if it is for a page or a file of the dashboard. */
type ServePage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | null;

/**
 * The built dashboard: one page for every address outside the API, so that deep links work, and the files it loads. The
 * folder is read anew each time, because it may be rebuilt while we run.
 */
export function mountDashboard(server: FastifyInstance, folder = builtDashboard): ServePage {
  server.register(fastifyStatic, { serve: false, preCompressed: true, cacheControl: false });

  // Their names contain a hash of their contents, so a loaded file stays valid for ever.
  const forEver = { cacheControl: true, maxAge: '1y', immutable: true };
  server.get<{ Params: { '*': string } }>('/assets/*', (request, reply) =>
    reply.headers(headers).sendFile(`assets/${request.params['*']}`, folder, forEver),
  );

  return (request, reply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null;
    const [path = ''] = request.url.split('?', 1);
    if (isElsewhere.test(path)) return null;
    reply.headers(headers).header('cache-control', 'no-cache');
    if (isFile.test(path))
      return existsSync(join(folder, path)) ? reply.sendFile(path.slice(1), folder) : null;
    if (existsSync(join(folder, 'index.html'))) return reply.sendFile('index.html', folder);
    return reply.code(503).type('text/html; charset=utf-8').send(notBuilt);
  };
}

const isElsewhere = /^\/(api|internal|assets|docs)(\/|$)/;
/**
 * Files beside the page itself, such as an icon or a manifest: one plain name, and nothing that could lead out of the
 * folder.
 */
const isFile = /^\/[\w-]+(\.[\w-]+)+$/;

const headers = {
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tenure</title>
<h1>The dashboard is not built</h1>
<p>The API is running: see the <a href="/docs">API reference</a>.</p>
<p>Stop the service and run <code>npm start</code>, which builds the dashboard first.</p>
</html>
`;
