import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';

/**
 * Guards against DNS rebinding: somebody points a page's host name at this machine, so that its requests arrive here
 * while the browser believes they go to the page's own server. The page's name gives it away, in Origin (which browsers
 * send with every POST) and in Host. So pages must be ours, and if only this machine can connect, requests must name
 * this machine. A request without Origin comes from no page. Keys protect /mcp too, but the protocol requires both.
 */
export function refuseRebinding(request: FastifyRequest, config: Pick<Config, 'HOST' | 'PUBLIC_URL'>): void {
  const { origin } = request.headers;
  if (origin !== undefined && !isOurs(origin, config.PUBLIC_URL))
    throw new AppError('cross_site_request', 'This request came from another site and was refused.');
  refuseOtherNames(request, config);
}

/** If only this machine can connect, somebody else has pointed any other name at it. */
export function refuseOtherNames(request: FastifyRequest, config: Pick<Config, 'HOST' | 'PUBLIC_URL'>): void {
  if (isLoopback(config.HOST) && !isOurs(`http://${request.host}`, config.PUBLIC_URL))
    throw new AppError(
      'unknown_host',
      'This is not a name of this server; set PUBLIC_URL to the address it is reached at.',
    );
}

/** Compares host names only, because a proxy in front may use another port or terminate https. */
function isOurs(address: string, publicUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return isLoopback(hostname) || (publicUrl !== '' && hostname === new URL(publicUrl).hostname);
}

const isLoopback = (name: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(name);
