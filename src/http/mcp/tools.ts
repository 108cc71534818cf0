import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Caller } from '../../caller.ts';
import { mayUse } from '../routes/mount.ts';
import type { Route } from '../routes/route.ts';
import { searchDefinition } from './search-tool.ts';
import { isShared, toolName } from './tool-names.ts';
import { inputSchema, type ObjectSchema, sentences } from './tool-schemas.ts';

/** A tool calls one route, or one of several depending on the kind of the id. */
export interface Tool {
  /** Empty for the search, which covers several routes. */
  routes: Route[];
  definition: ToolDefinition;
}

/**
 * There is no schema of the answer: it would be four times as long as everything else, and assistants read answers
 * without one. For the same reason there is no title; the name says it.
 */
interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: ObjectSchema;
  annotations: ToolAnnotations;
}

/** The tools by name, made from the same table and schemas as the API. */
export function toolsOf(routes: Route[]): Map<string, Tool> {
  const tools = new Map<string, Tool>([
    [searchDefinition.name, { routes: [], definition: searchDefinition }],
  ]);
  for (const route of routes) {
    if (route.tool === false) continue;
    const name = toolName(route);
    const known = tools.get(name);
    if (known === undefined) tools.set(name, { routes: [route], definition: toTool(name, route, routes) });
    else if (known.routes.every(({ id }) => id !== undefined && id !== route.id)) known.routes.push(route);
    else throw new Error(`Two routes make the tool ${name}.`);
  }
  return tools;
}

/** A key is offered only the tools that it may use. */
export const mayCallTool = (caller: Caller, { routes }: Tool): boolean =>
  routes.length === 0 || routes.some((route) => mayUse(caller, route));

/** The route for this kind of id. If none fits, any of them reports the error. */
export const routeFor = ({ routes }: Tool, id: unknown): Route | undefined =>
  routes.find((route) => String(id).startsWith(`${route.id}_`)) ?? routes[0];

/** In characters. */
const mostAboutChanges = 240;

function toTool(name: string, route: Route, routes: Route[]): ToolDefinition {
  const creates = createsSame(route, routes);
  const { description = '', permission } = route;
  // Tools that change something are described in more detail.
  const about = sentences(description, permission === 'read' ? 1 : mostAboutChanges);
  const summary = isShared(route)
    ? route.summary.replace(/\b(of|to) an? .*/, '$1 any record')
    : route.summary;
  return {
    name,
    description: `${summary}.${about && ` ${about}`}`,
    inputSchema: inputSchema(route, creates && inputSchema(creates).properties),
    annotations: annotate(route),
  };
}

/** The route whose tool describes the same fields: the POST beside an update. */
const createsSame = ({ method, path }: Route, routes: Route[]): Route | undefined =>
  method === 'PATCH'
    ? routes.find((each) => each.method === 'POST' && `${each.path}/:id` === path)
    : undefined;

/**
 * Hints on what a client may do without asking its user. Hints that equal the clients' defaults, or do not matter, are
 * left out.
 */
function annotate({ method, path, permission }: Route): ToolAnnotations {
  if (permission === 'read') return { readOnlyHint: true };
  // POST adds; everything else replaces.
  const adds = method === 'POST' && !/\/(rotate-secret|erase)$/.test(path);
  // Subscriptions send records to somebody else's server.
  const reachesOut = /^\/(webhooks|deliveries)\b/.test(path);
  return {
    ...(adds ? { destructiveHint: false } : {}),
    ...(method === 'POST' ? {} : { idempotentHint: true }),
    ...(reachesOut ? {} : { openWorldHint: false }),
  };
}
