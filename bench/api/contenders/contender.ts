import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StoredKey } from '../../../src/api-keys/api-keys.ts';
import { KeyRing } from '../../../src/api-keys/key-ring.ts';
import { connect } from '../../../src/db/connect.ts';
import { serve } from '../../lib/child.ts';

/*
 * What the contenders share, so that only what is compared differs: the way keys are looked up and remembered is
 * Tenure's own, on a connection beside the contender's pool.
 */

export interface Start {
  connection: { host: string; port: number; user: string; database: string };
  /** For contenders that take nothing else. */
  url: string;
  poolSize: number;
}

/** Who an Authorization header stands for; null: nobody. */
export type FindKey = (header: string | undefined) => Promise<StoredKey | null>;

/** Runs a contender when the suite asks for it; its answer is the port it listens on. */
export function contender(start: (given: Start, findKey: FindKey) => Promise<number>): void {
  serve({
    start: (given: Start) => {
      const keys = new KeyRing(
        connect({ connection: given.connection, poolSize: 1, onError: () => undefined }),
      );
      return start(given, async (header) =>
        header?.startsWith('Bearer ') ? keys.find(header.slice(7), new Date()) : null,
      );
    },
  });
}

export interface Reply {
  status: number;
  /** JSON */
  body: string;
}

export interface RawHandlers {
  list(key: StoredKey): Promise<Reply>;
  create(key: StoredKey, body: string): Promise<Reply>;
}

/** node:http and nothing else. */
export async function listenRaw(findKey: FindKey, handlers: RawHandlers): Promise<number> {
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const key = await findKey(request.headers.authorization);
    if (key === null) return { status: 401, body: '{"error":{"code":401,"message":"Unauthorized"}}' };
    if (request.url?.startsWith('/api/v1/payments') !== true)
      return { status: 404, body: '{"error":{"code":404,"message":"Not found"}}' };
    if (request.method !== 'POST') return handlers.list(key);
    return handlers.create(key, await textOf(request));
  };
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => send(response, status, body),
      (error: unknown) => {
        console.error(error);
        send(response, 500, '{"error":{"code":500,"message":"Internal server error"}}');
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function send(response: ServerResponse, status: number, body: string): void {
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}

function textOf(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => resolve(text));
    request.on('error', reject);
  });
}
