/*
 * The receiver of the webhooks: a separate program that does as little as possible, so that it is not what is measured.
 * HTTP/1.1 with keep-alive straight on TCP, a third of the cost of node:http. Counts distinct delivery ids and
 * remembers when each came, by the clock that all processes of a machine share.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { serve, startChild } from './child.ts';

export interface Receiver extends AsyncDisposable {
  pid: number;
  /** Such as `http://127.0.0.1:40123`. */
  base: string;
  /** Forgets what has come. */
  reset(): Promise<void>;
  /** Waits until this many different deliveries have come. */
  received(count: number): Promise<void>;
  /** When each delivery came first, in milliseconds of the monotonic clock. */
  times(): Promise<Record<string, number>>;
  /** Closes connections that wait for an answer from below `/hang`, which never comes. */
  hangUp(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const child = startChild(new URL(import.meta.url));
  const port = await child.call<number>('listen');
  return {
    pid: child.pid,
    base: `http://127.0.0.1:${port}`,
    reset: () => child.call('reset'),
    received: (count) => child.call('received', count),
    times: () => child.call('times'),
    hangUp: () => child.call('hangUp'),
    [Symbol.asyncDispose]: child[Symbol.asyncDispose],
  };
}

/** Milliseconds of the monotonic clock, which is one for all processes of a machine. */
export const clockMs = (): number => Number(process.hrtime.bigint()) / 1e6;

if (process.send && process.argv[1] === import.meta.filename) {
  serve({
    async listen() {
      const server = createServer({ noDelay: true }, answer).listen(0, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    },
    reset: () => times.clear(),
    received: (count: number) =>
      new Promise<void>((resolve) => {
        if (times.size >= count) resolve();
        else waiting = { count, resolve };
      }),
    times: () => Object.fromEntries(times),
    hangUp() {
      for (const socket of hanging) socket.destroy();
      hanging.clear();
    },
  });
}

const times = new Map<string, number>();
const hanging = new Set<Socket>();
let waiting: { count: number; resolve: () => void } | undefined;

const ok = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok';
const headEnd = Buffer.from('\r\n\r\n');

function answer(socket: Socket): void {
  let rest: Buffer | undefined;
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    let data: Buffer = rest ? Buffer.concat([rest, chunk]) : chunk;
    for (;;) {
      const end = data.indexOf(headEnd);
      if (end === -1) break;
      const head = data.toString('latin1', 0, end);
      const length = Number(/content-length: ?(\d+)/i.exec(head)?.[1] ?? 0);
      if (data.length < end + 4 + length) break;
      if (head.startsWith('POST /hang')) return void hanging.add(socket);
      note(head);
      socket.write(ok);
      data = data.subarray(end + 4 + length);
    }
    rest = data.length > 0 ? data : undefined;
  });
}

function note(head: string): void {
  const id = /x-service-delivery: ?([^\r]+)/i.exec(head)?.[1];
  // An unsigned one does not count, so its contender hangs and is noticed.
  if (id === undefined || !/x-service-signature: ?t=\d+,v1=[0-9a-f]{64}/i.test(head)) return;
  if (!times.has(id)) times.set(id, clockMs());
  if (waiting && times.size >= waiting.count) {
    waiting.resolve();
    waiting = undefined;
  }
}
