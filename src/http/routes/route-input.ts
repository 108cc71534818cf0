import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Caller } from '../../caller.ts';
import { invalidField } from '../../errors.ts';
import { parseBody, parseQuery } from '../../validation.ts';
import { takesUploads } from '../server/body.ts';
import { type Form, fieldsOf } from '../server/form.ts';
import { formatsOf } from './formats.ts';
import type { Route } from './route.ts';

/** What a route is called with. */
export interface RouteInput {
  params: Record<string, string>;
  query: object;
  body: unknown;
}

const nothing = z.object({});

/** Reads the route's parameters. An unknown one is a 400. */
export function readQuery(route: Route, caller: Caller | null, query: object): unknown {
  const formats = formatsOf(route);
  const others = [
    ...(formats.length > 0 ? ['format'] : []),
    // For links of the dashboard (session-auth.ts).
    ...(caller?.role !== undefined ? ['account', 'mode'] : []),
  ];
  const known = parseQuery(route.query ?? nothing, { ...query }, others);
  const { format = 'json' } = query as { format?: unknown };
  const choices: unknown[] = ['json', ...formats];
  if (!choices.includes(format)) throw invalidField('format', `Must be one of ${choices.join(', ')}.`);
  return route.query && known;
}

/**
 * Reads the route's body. Unknown fields are ignored, unless the caller prefers otherwise. An assistant always does: it
 * makes arguments up, and must be told.
 */
export function readBody(
  route: Route,
  request: FastifyRequest,
  input: RouteInput,
  form: Form | null = null,
): unknown {
  const strict = isStrict(route, request, input);
  if (!route.body && !strict) return undefined;
  const flaw = isTool(request, input) ? null : request.bodyFlaw;
  const sent = form === null ? input.body : fieldsOf(form);
  const body = parseBody(route.reads ?? route.body ?? nothing, sent, { flaw, strict });
  return route.body && body;
}

const isTool = (request: FastifyRequest, input: RouteInput): boolean => input !== (request as RouteInput);

export const isStrict = (route: Route, request: FastifyRequest, input: RouteInput): boolean =>
  isTool(request, input) || preferStrict(route, request);

/** Uploads are forms unless they say otherwise, and GET has no body. */
const takesJson = ({ method, form, maxBodyBytes: bodyLimit, maxValues }: Route): boolean =>
  method !== 'GET' && (form === true || !takesUploads({ bodyLimit, config: { maxValues } }));

/** `Prefer: handling=strict` (RFC 7240). If a preference occurs twice, the first one counts. */
export function preferStrict(route: Route, request: FastifyRequest): boolean {
  const { prefer } = request.headers;
  if (prefer === undefined || !takesJson(route)) return false;
  const preferences = String(prefer).split(',');
  const handling = preferences
    .map((each) => /^\s*handling\s*=\s*"?(\w+)"?\s*(;|$)/i.exec(each)?.[1])
    .find(Boolean);
  return handling?.toLowerCase() === 'strict';
}
