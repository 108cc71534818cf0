import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { Caller } from '../../caller.ts';
import { errorBody, invalidField } from '../../errors.ts';
import { writeCursor } from '../../paging.ts';
import { type Given, perform } from '../routes/mount.ts';
import type { Route } from '../routes/route.ts';
import { toAppError } from '../server/errors.ts';
import { defaultLimit, isPaged } from './tool-schemas.ts';

export type Arguments = Record<string, unknown>;

/** What the API would answer, as a result of a tool: refusals too, so that the assistant can correct its call. */
export async function callTool(
  app: App,
  route: Route,
  request: FastifyRequest,
  caller: Caller,
  args: Arguments,
): Promise<CallToolResult> {
  try {
    const { body, nextAfter } = await perform(app, route, request, caller, given(route, args));
    const answer = JSON.parse(body) as Record<string, unknown>;
    if (isPaged(route))
      answer.next_cursor = nextAfter ? writeCursor(nextAfter, app.secrets, route.path) : null;
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    return { content: [{ type: 'text', text: refusal(error, request) }], isError: true };
  }
}

/** Puts arguments where the API has them: the id in the path, filters in the query, everything else in the body. */
function given(route: Route, { id, ...rest }: Arguments): Given {
  if (route.id && typeof id !== 'string') throw invalidField('id', 'Required.');
  const params = { id: String(id) };
  if (!route.query) return { params, query: {}, body: rest };
  const query = { ...(isPaged(route) ? { limit: String(defaultLimit) } : {}), ...asInUrl(rest) };
  return { params, query, body: undefined };
}

/**
 * In a URL everything is text and nothing is null. An empty list has no spelling there either; assistants mean "no
 * filter" by it.
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
  return errorBody(known?.status ?? 500, known?.publicMessage ?? 'Internal server error', known?.details);
}
