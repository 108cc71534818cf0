import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';

/**
 * DNS rebinding: a page whose name suddenly points to this machine sends its requests here, and its browser thinks
 * they go home. The page's own name gives it away, in Origin (which browsers send with every POST) and in Host. So
 * pages must be ours; and where only this machine can connect, it must have called us by a name of this machine.
 * What has no Origin is no page. Keys protect /mcp too, but the protocol wants both.
 */
export function refuseRebinding(request: FastifyRequest, config: Pick<Config, 'HOST' | 'PUBLIC_URL'>): void {
  const { origin } = request.headers;
  if (origin !== undefined && !isOurs(origin, config.PUBLIC_URL))
    throw new AppError(403, 'This request came from another site and was refused.');
  refuseOtherNames(request, config);
}

/** Where only this machine can connect, a name of somebody else's has been pointed at it. */
export function refuseOtherNames(request: FastifyRequest, config: Pick<Config, 'HOST' | 'PUBLIC_URL'>): void {
  if (isLoopback(config.HOST) && !isOurs(`http://${request.host}`, config.PUBLIC_URL))
    throw new AppError(
      403,
      'This is not a name of this server; set PUBLIC_URL to the address it is reached at.',
    );
}

/** By host name alone: a proxy in front may have another port or end https. */
function isOurs(address: string, publicUrl: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return isLoopback(hostname) || (publicUrl !== '' && hostname === new URL(publicUrl).hostname);
}

const isLoopback = (name: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(name);
