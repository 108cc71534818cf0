import type { FastifyRequest } from 'fastify';

/**
 * What decides how a request is treated before its route is run. The router takes `/%61pi` for `/api`, so where anything is
 * encoded the path of the route that was found counts. (Fastify puts together a view of the route whenever it is asked.)
 */
export const routedPath = (request: FastifyRequest): string =>
  request.url.includes('%') ? (request.routeOptions.url ?? request.url) : request.url;

/** Whether it asks for data, not for a page. */
export const isData = (request: FastifyRequest): boolean =>
  /^\/(api|internal|mcp)\b/.test(routedPath(request));
