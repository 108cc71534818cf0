import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  InitializeResultSchema,
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { version } from '../../system/version.ts';

/** JSON-RPC leaves the codes from -32099 to -32000 to servers. */
const failed = -32_000;

/**
 * For assistants that start a program and talk to it over standard input and output. It carries their messages to /mcp
 * of a running Tenure, and the answers back, until the input ends. Nothing else may go to standard output.
 */
export async function bridge(url: URL, key: string): Promise<void> {
  const assistant = new StdioServerTransport();
  const service = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${key}`, 'user-agent': `tenure-mcp/${version}` } },
  });
  const underWay = new Set<Promise<void>>();
  let initialize: RequestId | undefined;

  service.onmessage = (message) => {
    if (isJSONRPCResultResponse(message) && message.id === initialize) {
      // From now on every request must name the agreed version.
      const agreed = InitializeResultSchema.safeParse(message.result);
      if (agreed.success) service.setProtocolVersion(agreed.data.protocolVersion);
    }
    void assistant.send(message);
  };
  assistant.onmessage = (message) => {
    if (isJSONRPCRequest(message) && isInitializeRequest(message)) initialize = message.id;
    const sent = service.send(message).catch((error) => tellFailure(assistant, message, explain(error, url)));
    underWay.add(sent);
    void sent.finally(() => underWay.delete(sent));
  };
  assistant.onerror = (error) => process.stderr.write(`${error.message}\n`);

  await service.start();
  const over = ended(assistant);
  await assistant.start();
  await over;
  await Promise.all(underWay);
  await service.close();
}

/** The assistant is gone: it closed its end, or sent something unreadable. */
function ended(assistant: StdioServerTransport): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    process.stdout.once('error', () => resolve());
    assistant.onclose = resolve;
  });
}

/** A request must be answered, because its sender waits. Anything else only gets a line in the log. */
async function tellFailure(
  assistant: StdioServerTransport,
  message: JSONRPCMessage,
  reason: string,
): Promise<void> {
  if (!isJSONRPCRequest(message)) process.stderr.write(`${reason}\n`);
  else await assistant.send({ jsonrpc: '2.0', id: message.id, error: { code: failed, message: reason } });
}

function explain(error: unknown, url: URL): string {
  if (error instanceof StreamableHTTPError) {
    if (error.code === 401)
      return 'Tenure refused the API key: it is unknown, revoked or expired. Set TENURE_API_KEY to a valid one.';
    if (error.code === 404) return `There is no Tenure at ${url}.`;
    if (error.code === 429) return 'Too many requests for this API key; wait a second.';
    return `Tenure answered with an error: ${error.message}`;
  }
  const { cause, message } = error as Error;
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return `Tenure does not answer at ${url} (${code ?? message}). Is it running? Use --url for another address.`;
}
