import type { FastifyReply, FastifyRequest } from 'fastify';
import { looksLikeTestKey } from '../../api-keys/api-keys.ts';
import type { Config } from '../../config.ts';
import { allowOrigin } from '../answers/cors.ts';
import { bearer } from '../auth/key-auth.ts';
import { isData } from './routed-path.ts';

/** Data is never a page. If a browser shows it anyway, it runs and frames nothing. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'";
const oneYear = 'max-age=31536000';

/** The headers of every answer. Pages add what they may load (static.ts, guides.ts, reference.ts). */
export function answerHeaders(config: Pick<Config, 'PUBLIC_URL' | 'CORS_ORIGINS'>) {
  const isPublicHttps = config.PUBLIC_URL.startsWith('https:');
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    if (isData(request))
      reply.header('content-security-policy', dataPolicy).header('cache-control', 'no-store');
    allowOrigin(config, request, reply);
    // Set on every answer, including the refusal of an unknown key.
    if (looksLikeTestKey(bearer(request.headers.authorization) ?? '')) reply.header('x-service-mode', 'test');
    // Browsers ignore it over http, and on a laptop it would stay in force after a trial.
    if (isPublicHttps || request.protocol === 'https') reply.header('strict-transport-security', oneYear);
    done();
  };
}
