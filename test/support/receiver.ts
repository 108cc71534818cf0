import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  at: number;
}

/** How to answer one request. By default with 200. */
type Answering = (received: Received, response: ServerResponse) => void;

export interface Receiver {
  url(path?: string): string;
  /** Everything that arrived, in order. */
  readonly received: Received[];
  answer(answering: Answering): void;
  /** Waits until this many requests (of a path) have arrived, and returns them. */
  count(wanted: number, path?: string): Promise<Received[]>;
  close(): Promise<void>;
}

/** A real HTTP server to which webhooks are sent. */
export async function startReceiver(answering: Answering = acknowledge): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  let current = answering;
  const server = createServer(((request, response) => {
    void read(request).then((body) => {
      const headers = request.headers as Record<string, string>;
      const one = { path: request.url ?? '', headers, body, at: performance.now() };
      received.push(one);
      current(one, response);
      for (const look of waiting) look();
    }, ignore);
  }) as RequestListener);
  // This server must not end an answer that hangs.
  server.requestTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    received,
    url: (path = '/hook') => `http://127.0.0.1:${port}${path}`,
    answer(answering) {
      current = answering;
    },
    count(wanted, path) {
      const matching = () =>
        path === undefined ? received : received.filter((request) => request.path === path);
      const { promise, resolve } = Promise.withResolvers<Received[]>();
      const look = () => {
        const found = matching();
        if (found.length < wanted) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      return promise;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

export const acknowledge: Answering = (_received, response) => void response.end('ok');
export const hang: Answering = () => undefined;
export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = ''): Answering =>
  (_received, response) =>
    void response.writeHead(status, headers).end(body);

async function read(request: IncomingMessage): Promise<string> {
  let body = '';
  request.setEncoding('utf8');
  for await (const chunk of request) body += chunk;
  return body;
}

function ignore(): void {}
