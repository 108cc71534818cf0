import { loadConfig } from '../config.ts';
import { bridge } from '../http/mcp/bridge.ts';

/** The MCP server over standard input and output, as a bridge to a running Tenure. */
export function mcp({ url, key }: { url?: string; key: string }): Promise<void> {
  return bridge(endpoint(url ?? `http://localhost:${loadConfig().PORT}`), key);
}

/** The address of the service, or of its /mcp. */
function endpoint(address: string): URL {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    // The message does not repeat the value, which may be the key, passed by mistake.
    throw new Error('--url must be an http or https address such as https://rent.example.com.');
  const url = new URL(address);
  if (!url.pathname.endsWith('/mcp')) url.pathname = `${url.pathname.replace(/\/+$/, '')}/mcp`;
  return url;
}
