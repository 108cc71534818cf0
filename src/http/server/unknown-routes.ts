import { posix } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AppError, methodNotAllowed, notFound } from '../../errors.ts';
import { openApiPath } from '../openapi/reference.ts';
import type { Route } from '../routes/route.ts';
import { apiPrefix, apiRoutes, internalPrefix, internalRoutes } from '../routes/routes.ts';
import { isData } from './routed-path.ts';

const patternsOf = (prefix: string, table: Route[]) =>
  table.map((route) => ({
    route,
    pattern: new RegExp(`^${prefix}${route.path.replace(/:\w+/g, '[^/]+')}$`),
  }));
const pathPatterns = [...patternsOf(apiPrefix, apiRoutes), ...patternsOf(internalPrefix, internalRoutes)];

/** Runs before the body is read. Pages of the dashboard have no routes; static.ts answers those. */
export function refuseUnknownRoute(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: (refusal?: Error) => void,
): void {
  done(request.is404 && (isData(request) || isMisspelt(request.url)) ? unknownRoute(request) : undefined);
}

/** Whether the address has a slash too many. The program that built it must not be shown a page. */
const isMisspelt = (url: string): boolean =>
  /^\/(api|internal|mcp)(\/|$)/.test(
    posix.normalize((url.split('?', 1)[0] ?? '').replace(/%2f|\\|%5c/gi, '/')),
  );

/** A known path with another method is a 405 that lists the allowed methods. */
export function unknownRoute(request: FastifyRequest): AppError {
  const [path = ''] = request.url.split('?', 1);
  if (path === openApiPath) return methodNotAllowed(allowed(['GET']));
  const methods = pathPatterns.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method);
  return methods.length === 0 ? notFound() : methodNotAllowed(allowed(methods));
}

function allowed(methods: Route['method'][]): string[] {
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
}
