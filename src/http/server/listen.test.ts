import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from './listen.ts';

const host = '127.0.0.1';

async function serve() {
  const server = fastify();
  server.get('/', async (request) => request.ip);
  onTestFinished(() => server.close());
  const doors = await listen(server, { port: 0, host });
  onTestFinished(() => doors.forEach((door) => void door.close()));
  return { port: (server.server.address() as AddressInfo).port, doors };
}

test('connections are answered at whichever door they come in', async () => {
  const { port, doors } = await serve();
  let others = 0;
  for (const door of doors) door.on('connection', () => others++);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      fetch(`http://${host}:${port}/`, { headers: { connection: 'close' } }).then((answer) => answer.text()),
    ),
  );
  expect(new Set(answers)).toEqual(new Set([host]));
  if (doors.length > 0) expect(others).toBeGreaterThan(0);
});

test.runIf(process.platform === 'linux')('there are sixteen', async () => {
  const { port } = await serve();
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A`;
  expect(readFileSync('/proc/net/tcp', 'utf8').split(local)).toHaveLength(17);
});

test('a port that is shared already is taken', async () => {
  const { port } = await serve();
  await expect(listen(fastify(), { port, host })).rejects.toThrow('EADDRINUSE');
});
