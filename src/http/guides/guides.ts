import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import { knownTag, type Tag, tagOf } from '../answers/entity-tag.ts';
import { files, guides, guidesPath, indexFile, stylesPath } from './list.ts';
import { layout, notFoundContent } from './page.ts';

interface Served {
  status: number;
  type: string;
  body: string;
  tag: Tag;
}

/**
 * The guides for integrators, beside the API reference: pages made from the Markdown of docs/, which a code host
 * shows too. They need no script and load nothing from outside.
 */
export function mountGuides(server: FastifyInstance, app: App): void {
  // Rendered on the first request, because most processes never get one.
  let all: Promise<{ served: Map<string, Served>; unknown: Served }> | undefined;
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    all ??= renderAll(addressOf(app));
    const { served, unknown } = await all;
    const [path = ''] = request.url.split('?', 1);
    return send(request, reply, served.get(path.replace(/\/$/, '')) ?? unknown);
  };
  const config = { constant: true };
  server.get(guidesPath, { config }, answer);
  server.get(`${guidesPath}/*`, { config }, answer);
}

/** The address that replaces `http://localhost:3000` in the samples. */
function addressOf({ config: { PUBLIC_URL, PORT } }: App): string {
  return PUBLIC_URL || `http://localhost:${PORT || 3000}`;
}

async function renderAll(address: string) {
  const { renderMarkdown } = await import('./markdown.ts');
  const page = (file: string, name: string | null) => {
    const { html, title, summary } = renderMarkdown(source(file), file, address);
    return serve(layout({ title, summary, content: html, name }), 'text/html');
  };
  const served = new Map<string, Served>([[guidesPath, await page(indexFile, null)]]);
  for (const { name, file } of guides) served.set(`${guidesPath}/${name}`, await page(file, name));
  for (const { path, file, type } of files) served.set(path, await serve(source(file), type));
  served.set(stylesPath, await serve(source('src/http/guides/guides.css'), 'text/css'));
  const unknown = { title: 'No such guide', summary: '', content: notFoundContent(), name: null };
  return { served, unknown: await serve(layout(unknown), 'text/html', 404) };
}

const source = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');

const serve = async (body: string, type: string, status = 200): Promise<Served> => ({
  status,
  type: `${type}; charset=utf-8`,
  body,
  tag: await tagOf(body),
});

const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  // The browser keeps the page and asks each time whether it has changed, which happens only with a new version.
  'cache-control': 'no-cache',
};

function send(request: FastifyRequest, reply: FastifyReply, { status, type, body, tag }: Served) {
  reply.headers(headers);
  if (status !== 200) return reply.code(status).type(type).send(body);
  const known = knownTag(request.headers['if-none-match'] ?? '', tag);
  if (known !== undefined) return reply.header('etag', known).code(304).send();
  return reply.header('etag', tag).type(type).send(body);
}
