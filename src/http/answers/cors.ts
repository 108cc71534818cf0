import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { routedPath } from '../server/routed-path.ts';
import { vary } from './vary.ts';

/** The headers that a page may read. */
const exposed = [
  ...[
    'ETag',
    'Location',
    'Link',
    'X-Total-Count',
    'X-Request-Id',
    'Idempotent-Replayed',
    'Preference-Applied',
    'Content-Disposition',
  ],
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate', 'Allow'],
  ...['Warning', 'Deprecation', 'Sunset', 'X-Service-Mode'],
].join(', ');

const preflight = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Authorization, Content-Type, Accept, Idempotency-Key, If-Match, If-None-Match, Prefer',
  // Ten minutes, so that a changed setting soon takes effect.
  'access-control-max-age': '600',
};

type Origins = Pick<Config, 'CORS_ORIGINS'>;

/**
 * Lets pages of the origins that the operator names call the API with a key. Cookies never work: nothing of the
 * dashboard is under this path, and credentials are not allowed.
 */
export function allowOrigin(
  { CORS_ORIGINS }: Origins,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  if (CORS_ORIGINS.length === 0 || !/^\/api\b/.test(routedPath(request))) return false;
  const { origin } = request.headers;
  const anybody = CORS_ORIGINS.includes('*');
  if (!anybody) vary(reply, 'Origin');
  if (origin === undefined || !(anybody || CORS_ORIGINS.includes(origin))) return false;
  reply.header('access-control-allow-origin', anybody ? '*' : origin);
  reply.header('access-control-expose-headers', exposed);
  return true;
}

/** A browser asks first whether a page may send what it wants to send. */
export function answerPreflight(config: Origins) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const asks =
      request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (asks && allowOrigin(config, request, reply)) reply.code(204).headers(preflight).send();
    else done();
  };
}
