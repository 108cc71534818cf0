import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Service, testService } from '../../../test/support/service.ts';
import { routes } from '../routes/routes.ts';
import { toolsOf } from './tools.ts';

/* The samples of docs/mcp.md work as they are, except for the folder, the address and the key. */

let service: Service;
let key: string;
beforeAll(async () => {
  service = await testService();
  key = (await service.client()).key;
});
afterAll(() => service.close());

const offered = toolsOf(routes).size;
const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(`${root}/docs/mcp.md`, 'utf8');

const real = (sample: string): string =>
  sample
    .replaceAll('/path/to/tenure', root)
    .replaceAll('http://localhost:3000', service.url)
    .replaceAll(/svc_live_…|\$KEY/g, key);

/** The server that the nth JSON sample configures. */
function configured(at: number) {
  const samples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  expect(samples).toHaveLength(2);
  return JSON.parse(real(samples[at] ?? '')).mcpServers.tenure;
}

async function countTools(transport: Transport): Promise<number> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.length;
}

test('the configuration of Claude Desktop', async () => {
  const { command, args, env } = configured(0);
  const transport = new StdioClientTransport({ command, args, env, cwd: '/', stderr: 'ignore' });
  expect(await countTools(transport)).toBe(offered);
});

test('the configuration of clients that connect by themselves', async () => {
  const { type, url, headers } = configured(1);
  expect(type).toBe('http');
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  expect(await countTools(transport)).toBe(offered);
});

test('the request without a client', async () => {
  const sample = real(/```console\n\$ (curl[\s\S]*?)```/.exec(page)?.[1] ?? '');
  const [, address = ''] = /curl -s (\S+)/.exec(sample) ?? [];
  const [, authorization = ''] = /-H "Authorization: ([^"]+)"/.exec(sample) ?? [];
  const [, body = ''] = /-d '([^']+)'/.exec(sample) ?? [];
  // The request has the Accept and Content-Type that curl sends by itself.
  const headers = { authorization, accept: '*/*', 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(address, { method: 'POST', headers, body });
  expect(await answer.json()).toMatchObject({
    id: 1,
    result: { content: [{ type: 'text', text: '{"data":[],"count":0,"next_cursor":null}' }] },
  });
});

test('every tool that is named exists', () => {
  const verbs = /`((?:list|get|create|update|delete|rotate)_[a-z_]+)`/g;
  const named = [...page.matchAll(verbs)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(6);
  const tools = toolsOf(routes);
  expect(named.filter((name) => !tools.has(name))).toEqual([]);
});
