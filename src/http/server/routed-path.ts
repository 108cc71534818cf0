import type { FastifyRequest } from 'fastify';

/**
 * The path that decides how a request is treated before its route runs. The router takes `/%61pi` for `/api`, so if
 * anything is encoded, the path of the route counts. (Only then, because Fastify makes that object anew each time.)
 */
export const routedPath = (request: FastifyRequest): string =>
  request.url.includes('%') ? (request.routeOptions.url ?? request.url) : request.url;

/** Whether the request is for data rather than for a page. */
export const isData = (request: FastifyRequest): boolean =>
  /^\/(api|internal|mcp)\b/.test(routedPath(request));
