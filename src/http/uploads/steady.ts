import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** At this pace, 25 MB take 27 minutes. A phone with a bad connection is faster. */
const leastBytesPerSecond = 16 * 1024;

interface Body {
  readonly raw: IncomingMessage;
  /** How many bytes had arrived when the period began. */
  seen: number;
}

const arriving = new WeakMap<Socket, Body>();

/** Lets the body of this request take as long as it needs, provided that it keeps arriving. */
export function takeTime(raw: IncomingMessage): void {
  // Bytes that came with the headers may be part of the body. They are not counted, which does no harm.
  arriving.set(raw.socket, { raw, seen: raw.socket.bytesRead ?? 0 });
}

/**
 * Whether Node's time limit for a whole request does not apply to this one, because it sends a file that keeps
 * arriving. From then on this is checked once per period. `cutOff` is called when nothing arrives any more.
 */
export function comesSteadily(socket: Socket & { server?: Server }, cutOff: () => void): boolean {
  const body = arriving.get(socket);
  const windowMs = socket.server?.requestTimeout ?? 0;
  if (body === undefined || body.raw.complete || windowMs === 0) return false;
  if (!isSteady(socket, body, windowMs)) return false;
  const look = setInterval(() => {
    const isOver = socket.destroyed || body.raw.complete;
    if (!isOver && isSteady(socket, body, windowMs)) return;
    clearInterval(look);
    if (!isOver) cutOff();
  }, windowMs);
  look.unref();
  return true;
}

function isSteady(socket: Socket, body: Body, windowMs: number): boolean {
  const bytes = socket.bytesRead - body.seen;
  body.seen = socket.bytesRead;
  // Bytes that have arrived are waiting for us, so the sender is not to blame.
  return body.raw.readableLength > 0 || bytes >= (windowMs / 1_000) * leastBytesPerSecond;
}
