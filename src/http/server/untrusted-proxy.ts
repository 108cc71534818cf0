import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';

const written = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded'];

/**
 * Warns once that requests come through a proxy that is not trusted. All callers then have its address: they share each
 * other's limits, and one who fails to sign in too often locks everybody out. Anybody can send such a header, so the
 * warning says only that somebody did.
 */
export function warnOfUntrustedProxy({ config, log }: App) {
  let isQuiet = config.TRUST_PROXY !== false;
  return (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    if (!isQuiet) {
      const header = written.find((name) => request.headers[name] !== undefined);
      if (header !== undefined) {
        isQuiet = true;
        log.warn(
          { header, from: request.ip },
          'a request came through a proxy, but TRUST_PROXY is off: all callers behind it share one address. ' +
            'Set TRUST_PROXY if the proxy is yours (docs/settings.md)',
        );
      }
    }
    done();
  };
}
