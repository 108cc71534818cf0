import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../app.ts';
import type { Caller } from '../../caller.ts';
import { shownActor } from '../../caller.ts';
import { version } from '../../system/version.ts';
import type { Route } from '../routes/route.ts';
import { callTool } from './call-tool.ts';
import { instructions } from './instructions.ts';
import { guideResources, readGuide } from './resources.ts';
import { mayCallTool, type Tool, toolsOf } from './tools.ts';

/** Shared, because each SDK server would make its own, which takes longer than most of our answers. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

let tools: Map<string, Tool> | undefined;

/** An SDK server for one message: in stateless mode every message gets a new one. */
export async function answerMessage(
  app: App,
  routes: Route[],
  request: FastifyRequest,
  caller: Caller,
): Promise<Response> {
  tools ??= toolsOf(routes);
  const known = tools;
  // Not the SDK's McpServer, which would promise to announce changed tools: there is no stream to do it on.
  const server = new Server(
    { name: 'tenure', title: 'Tenure', version },
    { capabilities: { tools: {}, resources: {} }, instructions: instructions(caller), jsonSchemaValidator },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: offered(known, caller) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const tool = known.get(params.name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    request.log.info(
      { request_id: request.id, tool: params.name, actor: shownActor(caller.actor).id },
      'tool',
    );
    return callTool(app, tool, request, caller, params.arguments ?? {});
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: guideResources }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readGuide(params.uri));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    // The body was parsed as everywhere in the API. A batch is refused, because it would count as one request against
    // the rate limit.
    return await transport.handleRequest(toWebRequest(request), { parsedBody: request.body ?? {} });
  } finally {
    await server.close();
  }
}

/** The tools that the key may use. */
const offered = (tools: Map<string, Tool>, caller: Caller) =>
  [...tools.values()].filter((tool) => mayCallTool(caller, tool)).map(({ definition }) => definition);

/** Answers are JSON whatever the request accepts, and bodies are JSON whatever their content type. */
function toWebRequest(request: FastifyRequest): Request {
  const version = request.headers['mcp-protocol-version'];
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(typeof version === 'string' ? { 'mcp-protocol-version': version } : {}),
    },
  });
}
