import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Joins lines as HTTP does, with the empty line after the headers. */
export const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`;

interface Conversation {
  /** Everything that arrived. */
  text: string;
  /** The statuses of the answers in it, in order. */
  statuses: number[];
  /** Whether the server ended the connection. */
  ended: boolean;
  ms: number;
}

export function dial(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // A client that is cut off in the middle of writing gets an EPIPE or a reset.
  socket.on('error', () => undefined);
  return socket;
}

/** Sends these bytes, piece by piece, and listens until the server ends the connection, or for this long. */
export async function converse(
  url: string,
  pieces: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  { listenMs = 5_000 } = {},
): Promise<Conversation> {
  const socket = dial(url);
  const started = performance.now();
  let text = '';
  let ended = false;
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
  });
  const closed = new Promise<void>((resolve) => {
    socket.on('end', () => {
      ended = true;
    });
    socket.on('close', () => resolve());
  });
  const speak = async () => {
    for await (const piece of pieces) {
      if (socket.destroyed || ended) return;
      if (!socket.write(piece))
        await Promise.race([closed, new Promise((drained) => socket.once('drain', drained))]);
    }
  };
  const stop = new AbortController();
  await Promise.race([
    Promise.all([closed, speak()]),
    sleep(listenMs, undefined, { signal: stop.signal, ref: true }).catch(() => undefined),
  ]);
  stop.abort();
  const wasEnded = ended || socket.destroyed;
  socket.destroy();
  return { text, statuses: statusesIn(text), ended: wasEnded, ms: performance.now() - started };
}

const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** One byte after the other, slowly and endlessly. */
export async function* drip(text: string, everyMs = 50): AsyncGenerator<string> {
  for (const character of text) {
    yield character;
    await sleep(everyMs);
  }
}
