import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';

/**
 * Another site's page must not make a signed-in person's browser change anything here. Browsers say where a request
 * comes from, in Sec-Fetch-Site (to https and localhost) and in Origin (with everything but GET), and pages cannot
 * forge either. A request with neither header was not sent by a page.
 */
export function refuseOtherSites(request: FastifyRequest, publicUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw crossSite();
  const { origin } = request.headers;
  if (origin !== undefined && !isOwn(origin, request.host, publicUrl)) throw crossSite();
}

/** Compares hosts only, because behind a proxy that terminates https we see http. */
function isOwn(origin: string, host: string, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return (
    from.host === normalHost(from.protocol, host) ||
    (publicUrl !== '' && from.origin === new URL(publicUrl).origin)
  );
}

/** Without the port that the protocol implies, as in URL.host. */
function normalHost(protocol: string, host: string): string | null {
  return URL.canParse(`${protocol}//${host}`) ? new URL(`${protocol}//${host}`).host : null;
}

const crossSite = () =>
  new AppError('cross_site_request', 'This request came from another site and was refused.');
