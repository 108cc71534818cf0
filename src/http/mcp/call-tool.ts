import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyRequest } from 'fastify';
import { hasScope } from '../../api-keys/scopes.ts';
import type { App } from '../../app.ts';
import type { Caller } from '../../caller.ts';
import { onBehalfOf } from '../../db/on-behalf-of.ts';
import { errorBody, invalidField } from '../../errors.ts';
import { writeCursor } from '../../paging.ts';
import { refuseUnknown } from '../../validation.ts';
import { addNames } from '../routes/csv-names.ts';
import { perform } from '../routes/mount.ts';
import type { Route } from '../routes/route.ts';
import type { RouteInput } from '../routes/route-input.ts';
import { toAppError } from '../server/errors.ts';
import { callSearch } from './search-tool.ts';
import { defaultLimit, isPaged, mostRecords } from './tool-schemas.ts';
import { routeFor, type Tool } from './tools.ts';

type Arguments = Record<string, unknown>;

/**
 * Returns what the API would answer as a result of a tool. That includes refusals, so that the assistant can correct
 * its call. It is text only: every client shows that to its assistant, and structured content would repeat all of it.
 */
export async function callTool(
  app: App,
  tool: Tool,
  request: FastifyRequest,
  caller: Caller,
  args: Arguments,
): Promise<CallToolResult> {
  try {
    const route = routeFor(tool, args.id);
    refuseUnknown(args, route ? argumentsOf(route) : Object.keys(tool.definition.inputSchema.properties));
    const answer = route
      ? await callRoute(app, route, request, caller, args)
      : await callSearch(app, caller, args);
    return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
  } catch (error) {
    return { content: [{ type: 'text', text: refusal(error, request) }], isError: true };
  }
}

async function callRoute(
  app: App,
  route: Route,
  request: FastifyRequest,
  caller: Caller,
  args: Arguments,
): Promise<object> {
  const asked = inputOf(route, args);
  const { body, nextAfter } = await perform(app, route, request, caller, asked);
  const answer = JSON.parse(body) as { data: object; next_cursor?: string | null; warning?: string };
  const records = [answer.data].flat() as Record<string, unknown>[];
  const mayName = (kind: keyof typeof named) => hasScope(caller, named[kind]);
  await addNames(onBehalfOf(app.db, caller.accountId), caller.accountId, records, mayName);
  if (isPaged(route)) answer.next_cursor = nextAfter ? writeCursor(nextAfter, app.secrets, route.path) : null;
  const warning = route.warn?.(asked.body);
  if (warning) answer.warning = warning;
  return answer;
}

/** Ids of these kinds get names beside them, if the caller may read the records. */
const named = { prop: 'properties', unit: 'units', ten: 'tenants' };

/** All fields, including those that the tool's description leaves out. */
const argumentsOf = ({ id, params, query, body }: Route): string[] => [
  ...(id ? ['id'] : []),
  ...Object.keys({ ...params?.shape, ...query?.shape, ...body?.shape }),
];

/** Puts arguments where the API has them: the id in the path, filters in the query, everything else in the body. */
function inputOf(route: Route, { id, ...rest }: Arguments): RouteInput {
  if (route.id && typeof id !== 'string') throw invalidField('id', 'Required.');
  const params = { id: String(id) };
  if (!route.query) return { params, query: {}, body: rest };
  const query = { ...(isPaged(route) ? { limit: String(defaultLimit) } : {}), ...asInUrl(rest) };
  if (isPaged(route) && Number(query.limit) > mostRecords)
    throw invalidField('limit', `Must be a whole number from 1 to ${mostRecords}.`);
  return { params, query, body: undefined };
}

/**
 * In a URL everything is text and nothing is null. There is no way to write an empty list either, by which assistants
 * mean "no filter".
 */
function asInUrl(query: Arguments): Arguments {
  const present = Object.entries(query).filter(
    ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(
    present.map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
    ]),
  );
}

/** The API's own error. Details of an internal error never leave the process. */
function refusal(error: unknown, request: FastifyRequest): string {
  const known = toAppError(error);
  if (known === null || known.status >= 500)
    request.log.error({ err: error, request_id: request.id }, 'tool failed');
  return errorBody(known, request.id);
}
