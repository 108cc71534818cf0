import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Route } from '../routes/route.ts';
import { toolName } from './tool-names.ts';
import { inputSchema, isPaged, type ObjectSchema, outputSchema } from './tool-schemas.ts';

/** One route as a tool for assistants. */
export interface Tool {
  route: Route;
  definition: ToolDefinition;
}

export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: ToolAnnotations;
}

/** The tools by name, made from the same table and schemas as the API. */
export function toolsOf(routes: Route[]): Map<string, Tool> {
  const tools = new Map<string, Tool>();
  for (const route of routes) {
    const definition = toTool(route);
    if (tools.has(definition.name)) throw new Error(`Two routes make the tool ${definition.name}.`);
    tools.set(definition.name, { route, definition });
  }
  return tools;
}

function toTool(route: Route): ToolDefinition {
  return {
    name: toolName(route),
    title: route.summary,
    description: describe(route),
    inputSchema: inputSchema(route),
    outputSchema: outputSchema(route),
    annotations: annotate(route),
  };
}

function describe(route: Route): string {
  return [
    `${route.summary}.`,
    route.description,
    isPaged(route) ? 'Newest first, a page at a time.' : undefined,
    route.method === 'PATCH' ? 'Changes only the fields that are sent; null clears a field.' : undefined,
    route.conflicts
      ? `Refused (409) if ${route.conflicts.charAt(0).toLowerCase()}${route.conflicts.slice(1)}`
      : undefined,
  ]
    .filter(Boolean)
    .join(' ');
}

/** What a client may do without asking its user. */
function annotate(route: Route): ToolAnnotations {
  const writes = route.permission === 'write';
  return {
    title: route.summary,
    readOnlyHint: !writes,
    // Creating adds; everything else replaces.
    destructiveHint: writes && (route.method !== 'POST' || /\/(rotate-secret|erase)$/.test(route.path)),
    idempotentHint: route.method !== 'POST',
    // Subscriptions send records to somebody else's server.
    openWorldHint: writes && /^\/(webhooks|deliveries)\b/.test(route.path),
  };
}
