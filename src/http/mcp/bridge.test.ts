import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { make } from '../../../test/support/records.ts';
import { type Service, testService } from '../../../test/support/service.ts';
import { routes } from '../routes/routes.ts';
import { toolsOf } from './tools.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const cli = new URL('../../cli.ts', import.meta.url).pathname;

/** The SDK's own client. It starts `tenure mcp` as a desktop assistant does. */
async function assistant(env: Record<string, string>, args: string[] = []): Promise<McpClient> {
  const client = new McpClient({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli, 'mcp', ...args],
      env,
      stderr: 'ignore',
    }),
  );
  return client;
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  return port;
}

/** Runs `tenure mcp` with this on its standard input, and returns what it has answered when that input has ended. */
async function run(args: string[], input: string) {
  const child = spawn(process.execPath, [cli, 'mcp', ...args], { env: { PATH: process.env.PATH } });
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code };
}

test('the same tools over standard input and output', async () => {
  const owner = await service.client();
  const payment = await make.payment(owner);
  const client = await assistant({ TENURE_API_KEY: owner.key, TENURE_URL: service.url });
  try {
    expect((await client.listTools()).tools).toHaveLength(toolsOf(routes).size);
    const answer = await client.callTool({ name: 'get_payment', arguments: { id: payment.id } });
    const [{ text }] = answer.content as [{ text: string }];
    expect(JSON.parse(text).data).toMatchObject(payment);
    const guide = { uri: 'tenure://guides/mcp' };
    expect((await client.readResource(guide)).contents).toMatchObject([guide]);
    const refusal = await client.callTool({ name: 'create_payment', arguments: {} });
    expect(refusal.isError).toBe(true);
    expect(JSON.stringify(refusal.content)).toContain('tenant_id');
    await expect(client.callTool({ name: 'nothing' })).rejects.toThrow('Unknown tool: nothing');
    expect(client.getInstructions()).toContain('minor units');
  } finally {
    await client.close();
  }
});

test('a read key is offered no write tools', async () => {
  const { key } = await service.client({ permission: 'read' });
  const client = await assistant({}, ['--key', key, '--url', `${service.url}/mcp`]);
  try {
    const { tools } = await client.listTools();
    expect(tools.every((tool) => tool.annotations?.readOnlyHint)).toBe(true);
    const { isError } = await client.callTool({ name: 'create_tenant', arguments: {} });
    expect(isError).toBe(true);
  } finally {
    await client.close();
  }
});

test('a refused key and a missing server are reported in the protocol', async () => {
  await expect(assistant({ TENURE_API_KEY: 'nonsense', TENURE_URL: service.url })).rejects.toThrow(
    /refused the API key/,
  );
  const nobody = `http://127.0.0.1:${await freePort()}`;
  await expect(assistant({ TENURE_API_KEY: 'x', TENURE_URL: nobody })).rejects.toThrow(
    `does not answer at ${nobody}/mcp (ECONNREFUSED)`,
  );
});

test('standard output carries the protocol and nothing else, and everything is answered before it ends', async () => {
  const { key } = await service.client();
  const messages = [1, 2, 3].map((id) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' }));
  const { out, code } = await run(['--key', key, '--url', service.url], `${messages.join('\n')}\nnonsense\n`);
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map((answer) => answer.id).sort()).toEqual([1, 2, 3]);
  expect(code).toBe(0);
});

test('without a key or with a bad address, it says so and ends', async () => {
  expect(await run(['--url', service.url], '')).toMatchObject({
    out: '',
    code: 2,
    err: expect.stringContaining('--key'),
  });
  expect(await run(['--key', 'x', '--url', 'nonsense'], '')).toMatchObject({
    out: '',
    code: 1,
    err: expect.stringContaining('must be an http or https address'),
  });
});
