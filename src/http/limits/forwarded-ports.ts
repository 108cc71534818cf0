import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';

/**
 * Some proxies write the caller's port after the address (203.0.113.7:51234, [2001:db8::7]:443). If it stayed, every
 * connection would count as another address: limits would never be reached, and no address would match those that a key
 * allows.
 */
export function dropForwardedPorts({ config }: App) {
  const isTrusted = config.TRUST_PROXY !== false;
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    const addresses = request.headers['x-forwarded-for'];
    if (isTrusted && typeof addresses === 'string' && addresses.includes(':'))
      request.headers['x-forwarded-for'] = addresses.split(',').map(withoutPort).join(', ');
    done();
  };
}

const withoutPort = (text: string): string =>
  text
    .trim()
    .replace(
      /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/,
      (_all, ipv6?: string, ipv4?: string) => ipv6 ?? ipv4 ?? '',
    );
