import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { envelope } from '../../../test/support/envelope.ts';
import { type Service, testService } from '../../../test/support/service.ts';

let service: Service;
afterEach(() => service.close());

/** Sends a request with a Host header, which fetch() would not let us choose. */
async function ask(headers: Record<string, string>): Promise<{ status: number; body: unknown }> {
  const { key } = await service.client();
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const sent = request(`${service.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, body: await json(answer) };
}

test('if only this machine can connect, other names and other pages are refused', async () => {
  service = await testService();
  const { host } = new URL(service.url);
  const evil = await ask({ host: 'evil.example', origin: 'http://evil.example' });
  expect(evil).toEqual({
    status: 403,
    body: envelope(403, 'This request came from another site and was refused.'),
  });
  const others: Record<string, string>[] = [
    { host: 'evil.example' },
    { host: 'localhost.evil.example:3000' },
    { host: '127.0.0.1.nip.io' },
    { host, origin: 'http://evil.example' },
    { host, origin: 'null' },
    { host, origin: 'http://localhost.evil.example' },
  ];
  for (const headers of others) expect((await ask(headers)).status, JSON.stringify(headers)).toBe(403);
  const ours: Record<string, string>[] = [
    { host },
    { host: 'localhost:3000' },
    { host: '[::1]:3000' },
    { host, origin: `http://${host}` },
    { host, origin: 'http://localhost:6274' },
  ];
  for (const headers of ours) expect((await ask(headers)).status, JSON.stringify(headers)).toBe(200);
});

test('behind a proxy the public address is a name of ours', async () => {
  service = await testService({ PUBLIC_URL: 'https://rent.example.com' });
  expect((await ask({ host: 'rent.example.com', origin: 'https://rent.example.com' })).status).toBe(200);
  expect((await ask({ host: 'rent.example.com', origin: 'https://other.example.com' })).status).toBe(403);
  expect((await ask({ host: 'other.example.com' })).status).toBe(403);
});

test('if others can connect, programs may use any name and pages only ours', async () => {
  service = await testService({ HOST: '0.0.0.0' });
  expect((await ask({ host: 'tenure.lan:3000' })).status).toBe(200);
  expect((await ask({ host: 'tenure.lan:3000', origin: 'http://tenure.lan:3000' })).status).toBe(403);
});
